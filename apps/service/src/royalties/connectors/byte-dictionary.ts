/**
 * Numbers for combinations of cells, found by their bytes: a text is made once for each combination, not for each row.
 * A hash table with open addressing over one buffer. When it is full it begins again, so memory is bounded and a
 * combination may have several numbers.
 */

import { randomInt } from 'node:crypto';
import { growBuffer } from './grow-buffer.ts';
import type { Cells } from './read-cells.ts';

/** The slots take 64 MB. */
const entriesMax = 2_000_000;
const bytesMax = 256 * 1024 ** 2;
const firstSlots = 2 ** 16;
const firstBytes = 2 ** 20;
/** At most half of the slots are taken. */
const slotsPerEntry = 2;

/** FNV-1a. */
const hashFactor = 0x01_00_01_93;
const separator = 0;

export type ByteDictionary = {
  /** The number of the cells at `positions`. `extra`, 0 or 1, belongs to the key. */
  readonly numberOf: (cells: Cells, positions: readonly number[], extra: number) => number;
};

/** Words of a slot, side by side because each place in memory costs a wait: hash, entry from 1, where its bytes begin. */
const slotWords = 4;

/** `onNew` is called for each number, from 0 without gaps, with the cells that have it. */
export function createByteDictionary(
  onNew: (number: number, cells: Cells) => void,
  limits = { entriesMax, bytesMax },
): ByteDictionary {
  // Files come from outside: without a seed, somebody could write keys that all have one hash.
  const seed = randomInt(2 ** 31);
  let slots = new Int32Array(firstSlots * slotWords);
  let bytes: Buffer = Buffer.allocUnsafeSlow(firstBytes);
  let count = 0;
  let used = 0;
  let numberBase = 0;

  const numberOf: ByteDictionary['numberOf'] = (cells, positions, extra) => {
    const hash = hashOf(cells, positions, seed ^ extra);
    const last = slots.length - 1;
    for (let at = firstSlot(hash, last); slots[at + 1] !== 0; at = (at + slotWords) & last) {
      const isSame =
        slots[at] === hash && isStored(bytes, slots[at + 2] ?? 0, cells, positions, extra);
      if (isSame) return numberBase + (slots[at + 1] ?? 0) - 1;
    }
    const number = add(cells, positions, extra, hash);
    onNew(number, cells);
    return number;
  };
  const add = (cells: Cells, positions: readonly number[], extra: number, hash: number) => {
    const length = keyBytes(cells, positions);
    if (count === limits.entriesMax || used + length > limits.bytesMax) clear();
    if (used + length > bytes.length) bytes = growBuffer(bytes, used + length);
    if (count * slotsPerEntry * slotWords === slots.length) slots = grown(slots);
    count += 1;
    insert(slots, hash, count, used);
    used = store(bytes, used, cells, positions, extra);
    return numberBase + count - 1;
  };
  const clear = () => {
    numberBase += count;
    count = 0;
    used = 0;
    slots.fill(0);
  };
  return { numberOf };
}

const firstSlot = (hash: number, last: number): number => (hash * slotWords) & last;

function insert(slots: Int32Array, hash: number, entry: number, begin: number): void {
  const last = slots.length - 1;
  let at = firstSlot(hash, last);
  while (slots[at + 1] !== 0) at = (at + slotWords) & last;
  slots[at] = hash;
  slots[at + 1] = entry;
  slots[at + 2] = begin;
}

function grown(slots: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(slots.length * 2);
  for (let at = 0; at < slots.length; at += slotWords) {
    const entry = slots[at + 1] ?? 0;
    if (entry !== 0) insert(larger, slots[at] ?? 0, entry, slots[at + 2] ?? 0);
  }
  return larger;
}

const keyBytes = ({ starts, ends }: Cells, positions: readonly number[]): number =>
  positions.reduce((sum, position) => sum + (ends[position] ?? 0) - (starts[position] ?? 0) + 1, 1);

/** Returns where the key ends. */
function store(
  target: Buffer,
  from: number,
  { bytes, starts, ends }: Cells,
  positions: readonly number[],
  extra: number,
): number {
  let at = from;
  for (const position of positions) {
    at += bytes.copy(target, at, starts[position], ends[position]);
    target[at] = separator;
    at += 1;
  }
  target[at] = extra + 1;
  return at + 1;
}

/** Whether the key is what is stored from `from` on. Separators and the end mark are no bytes of a cell. */
function isStored(
  stored: Buffer,
  from: number,
  { bytes, starts, ends }: Cells,
  positions: readonly number[],
  extra: number,
): boolean {
  let at = from;
  for (const position of positions) {
    const end = ends[position] ?? 0;
    for (let cellAt = starts[position] ?? 0; cellAt < end; cellAt++, at++) {
      if (stored[at] !== bytes[cellAt]) return false;
    }
    if (stored[at] !== separator) return false;
    at += 1;
  }
  return stored[at] === extra + 1;
}

function hashOf({ bytes, starts, ends }: Cells, positions: readonly number[], seed: number) {
  let hash = seed;
  for (const position of positions) {
    const end = ends[position] ?? 0;
    for (let at = starts[position] ?? 0; at < end; at++)
      hash = Math.imul(hash ^ (bytes[at] ?? 0), hashFactor);
    hash = Math.imul(hash ^ separator, hashFactor);
  }
  return hash ^ (hash >>> 15);
}
