/**
 * What a call will do, in words for the person who confirms it. The ids among its arguments are looked up, because the
 * model may have taken one for another: the person reads the titles, amounts and states that the API has.
 */

import { confirmedOperations } from './exposure.ts';
import type { Operation } from './operation.ts';
import { redact } from './redact.ts';
import type { Arguments, CallApi } from './tool.ts';

const shownFields = [
  'title',
  'name',
  'url',
  'status',
  'amount',
  'currency',
  'last_four',
  'release_id',
];
const valueMax = 200;

/** Quoted and on one line, so that no title can pretend to be a part of the question. */
const quote = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text;
};

/** `delivery_id` → `/v1/deliveries/{delivery_id}`, for each GET that needs only that. */
const readersOf = (operations: readonly Operation[]): ReadonlyMap<string, string> =>
  new Map(
    operations.flatMap(({ method, path, inPath: [parameter, ...others] }) =>
      method === 'GET' &&
      parameter !== undefined &&
      others.length === 0 &&
      path.endsWith(`{${parameter}}`)
        ? [[parameter, path] as const]
        : [],
    ),
  );

type Found = Readonly<Record<string, unknown>>;

const lineOf = (name: string, found: Found): string => {
  const facts = shownFields.flatMap((field) =>
    found[field] === undefined || found[field] === null ? [] : [`${field} ${quote(found[field])}`],
  );
  return `${name} is: ${facts.join(', ') || 'found'}`;
};

export async function describeEffect(
  operation: Operation,
  args: Arguments,
  operations: readonly Operation[],
  call: CallApi,
): Promise<string> {
  const readers = readersOf(operations);
  const lookUp = async (name: string, id: unknown): Promise<Found | undefined> => {
    const path = readers.get(name);
    if (path === undefined || typeof id !== 'string') return undefined;
    const shown = path.replace(`{${name}}`, encodeURIComponent(id));
    return redact(await call({ method: 'GET', path: shown })) as Found;
  };
  const lines: string[] = [];
  for (const [name, id] of Object.entries(args)) {
    const found = await lookUp(name, id);
    if (found === undefined) continue;
    lines.push(lineOf(name, found));
    const release =
      args['release_id'] === undefined && (await lookUp('release_id', found['release_id']));
    if (release) lines.push(lineOf('release_id', release));
  }
  const given = Object.entries(args)
    .filter(([name]) => name !== 'confirmation_token' && name !== 'idempotency_key')
    .map(([name, value]) => `${name}: ${quote(redact(value))}`);
  return [
    `${operation.title}. ${confirmedOperations[operation.operationId] ?? ''}`,
    ...given,
    ...lines,
  ].join('\n');
}
