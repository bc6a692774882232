/** Totals of a bucket by store, territory, release and usage month, as lines of a file. */

import { toUuid } from '../../kernel/ids.ts';
import type { Bucket } from '../domain/calculation.ts';
import { add, type Exact } from '../domain/exact-number.ts';
import type { ItemHead } from './bucket-items.ts';
import { amountOf } from './bucket-summary.ts';
import type { Dictionary } from './parquet-columns.ts';
import type { RecordFile } from './record-file.ts';

/** Plays, then amounts in micros: gross, fee, source tax, payee tax, net. */
export type Sums = [Exact, Exact, Exact, Exact, Exact, Exact];

export const noSums = (): Sums => [0, 0, 0, 0, 0, 0];

export function addTo(sums: Sums, values: Readonly<Sums>): void {
  for (let index = 0; index < sums.length; index++)
    sums[index] = add(sums[index] ?? 0, values[index] ?? 0);
}

export type Totals = {
  /** Records of a head follow each other. */
  readonly add: (head: ItemHead, release: number, values: Readonly<Sums>) => void;
  readonly end: () => readonly string[];
};

export function createTotals(
  { statements }: Bucket,
  { codes, releaseIds }: Pick<RecordFile, 'codes' | 'releaseIds'>,
): Totals {
  const lines: string[] = [];
  let current: ItemHead | undefined;
  let byRelease = new Map<number, Sums>();
  const endHead = () => {
    if (current === undefined) return;
    const of = statements[current.statement];
    if (of === undefined) throw new Error(`statement ${current.statement} is not in the bucket`);
    const { store, territory, usageMonth } = current;
    const before = `${toUuid(of.statementId)},${codes.storeIds[store]},${codes.territories[territory]},`;
    const month = codes.usageMonths[usageMonth];
    for (const [release, [plays, ...amounts]] of [...byRelease].toSorted(([a], [b]) => a - b)) {
      const texts = amounts.map(amountOf).join(',');
      lines.push(`${before}${uuidAt(releaseIds, release)},${month},${plays},${texts}`);
    }
  };
  return {
    add: (head, release, values) => {
      if (head !== current) {
        endHead();
        current = head;
        byRelease = new Map();
      }
      const known = byRelease.get(release);
      if (known === undefined) byRelease.set(release, [...values]);
      else addTo(known, values);
    },
    end: () => {
      endHead();
      return lines;
    },
  };
}

function uuidAt({ bytes, offsets }: Dictionary, code: number): string {
  const value = bytes.subarray(offsets[code], offsets[code + 1]);
  const hex = Buffer.from(value).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
