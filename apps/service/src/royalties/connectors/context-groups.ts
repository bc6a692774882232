/** The combinations of context cells, and what the rows of each add up to. */

import { createByteDictionary } from './byte-dictionary.ts';
import type { Cells } from './read-cells.ts';

/** What the rows of one file with one context add up to. */
export type RowSums = {
  readonly contextId: number;
  /** From 0. */
  readonly firstRow: number;
  readonly rows: number;
  /** In units of 10^-10. */
  readonly amount: bigint;
};

export type ContextTable = {
  /** Contexts have the numbers from 0. Spaces around a cell do not count. */
  readonly idOf: (cells: Cells, positions: readonly number[]) => number;
  readonly values: readonly (readonly string[])[];
};

/** Territories × uses × days of one report. */
export const contextsMax = 200_000;

export function createContextTable(onTooMany: () => Error): ContextTable {
  const values: string[][] = [];
  const ids = new Map<string, number>();
  /** By the number of the cells as they are written. */
  const idsOfWritten: number[] = [];
  let positionsOfNew: readonly number[] = [];
  const written = createByteDictionary((number, { bytes, starts, ends }) => {
    if (number === contextsMax) throw onTooMany();
    const texts = positionsOfNew.map((position) =>
      bytes.toString('utf8', starts[position], ends[position]).replaceAll(/^ +| +$/g, ''),
    );
    const key = JSON.stringify(texts);
    const id = ids.get(key) ?? values.length;
    if (id === values.length) values.push(texts);
    ids.set(key, id);
    idsOfWritten.push(id);
  });
  return {
    idOf: (cells, positions) => {
      positionsOfNew = positions;
      return idsOfWritten[written.numberOf(cells, positions, 0)] ?? 0;
    },
    values,
  };
}

type Sums = { readonly firstRow: number; rows: number; small: number; large: bigint };

export function createGroups() {
  const sums: (Sums | undefined)[] = [];
  const order: number[] = [];
  const begin = (contextId: number, firstRow: number): Sums => {
    const begun = { firstRow, rows: 0, small: 0, large: 0n };
    sums[contextId] = begun;
    order.push(contextId);
    return begun;
  };
  return {
    add: (contextId: number, row: number, amount: number | bigint) => {
      const sum = sums[contextId] ?? begin(contextId, row);
      sum.rows += 1;
      const small = typeof amount === 'number' ? sum.small + amount : Infinity;
      if (Number.isSafeInteger(small)) sum.small = small;
      else {
        // A double would not be exact any more.
        sum.large += BigInt(sum.small) + BigInt(amount);
        sum.small = 0;
      }
    },
    /** In the order of their first rows. */
    all: (): readonly RowSums[] =>
      order.flatMap((contextId) => {
        const sum = sums[contextId];
        if (sum === undefined) return [];
        const { firstRow, rows, small, large } = sum;
        return [{ contextId, firstRow, rows, amount: large + BigInt(small) }];
      }),
  };
}
