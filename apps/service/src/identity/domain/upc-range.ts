/**
 * A GS1 company prefix owns the item numbers that begin with it. They are split into blocks (`upc_blocks`), so that
 * releases that are created at the same time lock different rows.
 */

import { upcBodyDigits } from '../../kernel/upc.ts';

export type NumberRange = { readonly first: number; readonly last: number };

const prefixDigitsMin = 6;
const prefixDigitsMax = 10;
const blocksMax = 16;

/** The numbers (UPCs without their check digit) of a company prefix; undefined if it is not a company prefix. */
export function rangeOfPrefix(prefix: string): NumberRange | undefined {
  if (!/^\d+$/.test(prefix)) return undefined;
  if (prefix.length < prefixDigitsMin || prefix.length > prefixDigitsMax) return undefined;
  const size = 10 ** (upcBodyDigits - prefix.length);
  const first = Number(prefix) * size;
  return { first, last: first + size - 1 };
}

export function splitIntoBlocks({ first, last }: NumberRange): NumberRange[] {
  const size = last - first + 1;
  const blockSize = Math.ceil(size / blocksMax);
  return Array.from({ length: Math.ceil(size / blockSize) }, (_, i) => ({
    first: first + i * blockSize,
    last: Math.min(first + (i + 1) * blockSize - 1, last),
  }));
}
