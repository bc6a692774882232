/**
 * Cursors (contract §1): opaque, tamper-evident and bound to their list. The filters are not in the
 * cursor but under its MAC, so a cursor used with other filters, another list or by another
 * organization is refused like a forged one.
 */

import { setImmediate } from 'node:timers/promises';
import type { OrgId } from '../../kernel/ids.ts';
import {
  type Page,
  pageBytesMax,
  pageLimitDefault,
  type PagePosition,
  type PageRequest,
} from '../../kernel/page.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Keyring } from '../crypto/keyring.ts';
import type { Answer } from './answer.ts';

type ListQuery = { readonly limit?: number; readonly cursor?: string };

export type List = {
  readonly page: PageRequest;
  /** The page as JSON text. It ends before its items take more than `pageBytesMax`, but has at least one. */
  readonly answer: <Item>(
    page: Page<Item>,
    present: (item: Item) => unknown,
    head?: object,
  ) => Promise<Answer<string | Buffer>>;
};

const macBytes = 16;
const bytesAtOnceMax = 32 * 1024;

/** Reads `limit` and `cursor`; every other parameter is a filter the cursor is bound to. */
export function openList(keyring: Keyring, orgId: OrgId, listName: string, query: ListQuery): List {
  const { limit = pageLimitDefault, cursor, ...filters } = query;
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const bound = JSON.stringify([orgId, listName, sorted]);
  const position = cursor === undefined ? undefined : readCursor(keyring, bound, cursor);
  return {
    page: { limit, after: position },
    answer: async (page, present, head = {}) => {
      const { count, finish } = await writeItems(page.items, present);
      const isCut = count < page.items.length;
      const next = isCut ? page.positionAt(count - 1) : page.next;
      const tail = {
        ...head,
        next_cursor: next === undefined ? null : writeCursor(keyring, bound, next),
        has_more: next !== undefined,
      };
      return { status: 200, headers: {}, body: finish(`],${JSON.stringify(tail).slice(1)}`) };
    },
  };
}

/** How many items fit on the page, and a function that ends its body. */
type WrittenItems = { readonly count: number; readonly finish: (end: string) => string | Buffer };

/** Large pages are serialised and encoded a few items at a time, so that other requests are served in between. */
async function writeItems<Item>(
  items: readonly Item[],
  present: (item: Item) => unknown,
): Promise<WrittenItems> {
  const encoded: Buffer[] = [];
  let text = '{"data":[';
  let count = 0;
  let bytes = 0;
  let bytesAtOnce = 0;
  for (const item of items) {
    const itemText = JSON.stringify(present(item));
    const itemBytes = Buffer.byteLength(itemText);
    bytes += itemBytes;
    bytesAtOnce += itemBytes;
    if (bytes > pageBytesMax && count > 0) break;
    text += count === 0 ? itemText : `,${itemText}`;
    count++;
    if (bytesAtOnce < bytesAtOnceMax) continue;
    encoded.push(Buffer.from(text));
    text = '';
    bytesAtOnce = 0;
    await setImmediate();
  }
  const finish = (end: string) =>
    encoded.length === 0 ? text + end : Buffer.concat([...encoded, Buffer.from(text + end)]);
  return { count, finish };
}

function writeCursor(keyring: Keyring, bound: string, { at, id }: PagePosition): string {
  const payload = `${at}|${id}`;
  const mac = keyring.sign(`cursor/${bound}/${payload}`);
  return Buffer.concat([mac, Buffer.from(payload)]).toString('base64url');
}

function readCursor(keyring: Keyring, bound: string, cursor: string): PagePosition {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(macBytes).toString();
  const [at, id] = payload.split('|');
  const isOurs = keyring.verify(`cursor/${bound}/${payload}`, bytes.subarray(0, macBytes));
  if (!isOurs || at === undefined || id === undefined) {
    throw new Problem(
      'invalid_cursor',
      'The cursor does not belong to this list and these filters.',
    );
  }
  return { at, id };
}
