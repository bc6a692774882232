/**
 * Bounds what a model is sent. Long texts and lists are cut, with a note that says how to read on: call the tool again
 * with `pointer` (RFC 6901) and `offset`.
 */

import { ToolRefusal } from './refusal.ts';

export const resultCharsMax = 24_000;

type Limits = { readonly textMax: number; readonly itemsMax: number; readonly depthMax: number };

/** Tried from the first to the last, until the result fits. */
const limitSteps: readonly Limits[] = [
  { textMax: 4_000, itemsMax: 50, depthMax: 12 },
  { textMax: 1_000, itemsMax: 20, depthMax: 10 },
  { textMax: 300, itemsMax: 10, depthMax: 6 },
  { textMax: 120, itemsMax: 5, depthMax: 4 },
  { textMax: 60, itemsMax: 3, depthMax: 2 },
];
/** Of one text or list that was asked for by `pointer`. */
const textSliceMax = 16_000;
const itemsSliceMax = 50;

const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Never cuts a surrogate pair. */
const cutText = (text: string, end: number): string => {
  const cut = text.slice(0, end);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
};

const note = (shown: string, pointer: string, offset: number): string =>
  `[cut: ${shown}; to read on: pointer "${pointer}", offset ${offset}]`;

function shrink(value: unknown, limits: Limits, pointer = '', depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.length <= limits.textMax) return value;
    const cut = cutText(value, limits.textMax);
    return `${cut}… ${note(`${cut.length} of ${value.length} characters`, pointer, cut.length)}`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= limits.depthMax) return note('an object or list', pointer, 0);
  if (Array.isArray(value)) {
    const items = value
      .slice(0, limits.itemsMax)
      .map((item, i) => shrink(item, limits, `${pointer}/${i}`, depth + 1));
    const { itemsMax } = limits;
    return value.length > itemsMax
      ? [...items, note(`${itemsMax} of ${value.length} items`, pointer, itemsMax)]
      : items;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      shrink(each, limits, `${pointer}/${escapeKey(key)}`, depth + 1),
    ]),
  );
}

function fit(pointer: string, shrunk: (limits: Limits) => unknown): string {
  for (const limits of limitSteps) {
    const text = JSON.stringify(shrunk(limits)) ?? 'null';
    if (text.length <= resultCharsMax) return text;
  }
  return JSON.stringify(note('an object with too many fields', pointer, 0));
}

/** JSON of at most `resultCharsMax` characters. `pointer` is where `value` is in the whole answer. */
export const boundedJson = (value: unknown, pointer = ''): string =>
  fit(pointer, (limits) => shrink(value, limits, pointer));

function at(value: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  let found = value;
  for (const key of keys) {
    const isContainer = typeof found === 'object' && found !== null && Object.hasOwn(found, key);
    found = isContainer ? (found as Record<string, unknown>)[key] : undefined;
  }
  if (found !== undefined) return found;
  throw new ToolRefusal({
    code: 'pointer_not_found',
    message: `The answer has nothing at the pointer "${pointer}".`,
    cure: 'Send a JSON pointer to a field of the answer, such as "/data/0/title".',
  });
}

/** A text of control characters is six times as long in JSON. */
function textSlice(whole: string, pointer: string, offset: number): string {
  for (let length = textSliceMax; ; length = Math.floor(length / 2)) {
    const text = cutText(whole.slice(offset), length);
    const end = offset + text.length;
    const total = whole.length;
    const next_offset = end < total ? end : null;
    const json = JSON.stringify({ pointer, offset, text, next_offset, total });
    if (json.length <= resultCharsMax) return json;
  }
}

/** The part of an answer at a pointer, from an offset: in characters for a text, in items for a list. */
export function boundedPart(value: unknown, pointer: string, offset: number): string {
  const part = at(value, pointer);
  if (typeof part === 'string') return textSlice(part, pointer, offset);
  if (Array.isArray(part)) {
    const items = part.slice(offset, offset + itemsSliceMax);
    const end = offset + items.length;
    const place = { pointer, offset, next_offset: end < part.length ? end : null };
    return fit(pointer, (limits) => ({
      ...place,
      total: part.length,
      items: items.map((item, i) => shrink(item, limits, `${pointer}/${offset + i}`, 1)),
    }));
  }
  return boundedJson(part, pointer);
}
