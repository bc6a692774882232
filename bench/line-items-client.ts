/** Reads line items over HTTP: pages with their times, and exports line by line. */

import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { PositionIds } from '../apps/service/src/royalties/domain/position-id.ts';

export type Caller = { readonly port: number; readonly key: string };

const agent = new Agent({ keepAlive: true, maxSockets: 100 });

const open = ({ port, key }: Caller, path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' };
    httpGet({ host: '127.0.0.1', port, path, headers, agent }, resolve).once('error', reject);
  });

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export type Item = { readonly id: string; readonly earnings: string };
export type ItemPage = {
  readonly data: readonly Item[];
  readonly next_cursor: string | null;
  /** From the request to the last byte. */
  readonly ms: number;
};

/** A request above the rate limit is sent again when it is allowed; its wait is not part of the time. */
export async function readPage(caller: Caller, path: string): Promise<ItemPage> {
  for (;;) {
    const begun = performance.now();
    const response = await open(caller, path);
    const body = await bodyOf(response);
    const ms = performance.now() - begun;
    if (response.statusCode === 200) return { ...JSON.parse(body), ms };
    if (response.statusCode !== 429) throw new Error(`${path}: ${response.statusCode} ${body}`);
    await wait(1_000 * Number(response.headers['retry-after'] ?? 1));
  }
}

export async function pingMs(port: number): Promise<number> {
  const begun = performance.now();
  await bodyOf(await open({ port, key: '' }, '/healthz'));
  return performance.now() - begun;
}

/** Checks that each item follows the one before, and adds up what they earned. */
export function createTally(ids: PositionIds<'sli'>, first: number) {
  const tally = { next: first, count: 0, misplaced: 0, micros: 0n, lastId: '' };
  return {
    tally,
    add: ({ id, earnings }: Item): void => {
      if (ids.positionOf(id) !== tally.next) tally.misplaced++;
      tally.next++;
      tally.count++;
      tally.micros += BigInt(earnings.replace('.', ''));
      tally.lastId = id;
    },
  };
}

const newline = 10;
const idField = '{"id":"';
const earningsField = '"earnings":"';

/** Only two fields: to parse millions of lines would take longer than to export them. */
function itemOf(line: string): Item {
  const earningsStart = line.indexOf(earningsField) + earningsField.length;
  return {
    id: line.slice(idField.length, line.indexOf('"', idField.length)),
    earnings: line.slice(earningsStart, line.indexOf('"', earningsStart)),
  };
}

/** Until the end, or until `isEnough` says so after a piece: then the connection is closed. */
export async function readLines(
  caller: Caller,
  path: string,
  onItem: (item: Item) => void,
  isEnough: () => boolean = () => false,
): Promise<void> {
  const response = await open(caller, path);
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of response) {
    const bytes = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
      // The fields that are read are ASCII.
      onItem(itemOf(bytes.toString('latin1', from, end)));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    // Leaving the loop destroys the response.
    if (isEnough()) return;
  }
  if (rest.length > 0) throw new Error('the last line is not complete');
}
