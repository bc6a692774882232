/**
 * What a call will do, in words for the person who confirms it. The ids among its arguments are looked up, because the
 * model may have taken one for another: the person reads the titles, amounts and states that the API has.
 */

import { warnings } from './exposure.ts';
import type { EffectCondition, Operation } from './operation.ts';
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
/** Enough to read a whole PurgeReleaseMessage, with the UPC that it names. */
const valueMax = 1_000;
const causesMax = 20;

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

/** The arguments that give the call its effect, however deep in a list they are, with the `id` beside them. */
function causesOf(value: unknown, effectIf: EffectCondition): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = 'id' in value ? `${quote(value.id)} ` : '';
  return Object.entries(value).flatMap(([name, each]) => [
    ...(isCause(effectIf, name, each) ? [`${owner}${name}: ${quote(redact(each))}`] : []),
    ...causesOf(each, effectIf),
  ]);
}

const isCause = (effectIf: EffectCondition, name: string, value: unknown): boolean =>
  Object.hasOwn(effectIf, name) &&
  (effectIf[name] === 'any' || effectIf[name]?.includes(value) === true);

function askedBecause(causes: readonly string[]): string {
  const others = causes.length - causesMax;
  const shown = causes.slice(0, causesMax).join(', ');
  return `asked because of: ${shown}${others > 0 ? `, and ${others} more` : ''}`;
}

/** Undefined: the call has none of the arguments that give it its effect, so nobody is asked. */
export async function describeEffect(
  operation: Operation,
  args: Arguments,
  operations: readonly Operation[],
  call: CallApi,
): Promise<string | undefined> {
  const { title, description, effect, effectIf } = operation;
  const causes = effectIf && causesOf(args, effectIf);
  if (causes?.length === 0) return undefined;
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
    `${title}. ${warnings[effect]}`,
    ...given,
    ...(causes === undefined ? [] : [askedBecause(causes)]),
    ...lines,
    description,
  ].join('\n');
}
