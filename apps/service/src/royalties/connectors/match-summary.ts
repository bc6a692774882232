/** What the parts of a report amount to. */

import type { PartKind } from '../domain/report.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import { text } from './duckdb-texts.ts';
import type { DuckDb } from './duckdb.ts';
import { partPath } from './match-parts.ts';

export type PartShare = {
  readonly org_id: string;
  readonly currency: string;
  readonly rows: number;
  readonly amount: string;
};

export type CurrencySums = Readonly<Record<'currency' | PartKind, string>>;

export const partOf = (folder: string, kind: PartKind): string =>
  `read_parquet(${text(partPath(folder, kind))})`;

/** Of the matched part. `single`: how many rows of the report they are; the others are shares of albums. */
export async function sumShares(
  db: DuckDb,
  folder: string,
): Promise<{ readonly shares: readonly PartShare[]; readonly single: number }> {
  const groups = await db.rows<PartShare & { readonly single: number }>(`
    select org_id::varchar as org_id, currency, count(*)::integer as rows, sum(amount)::varchar as amount,
           count(*) filter (not allocated)::integer as single
      from ${partOf(folder, 'matched')} group by org_id, currency order by org_id, currency`);
  return {
    shares: groups.map(({ org_id, currency, rows, amount }) => ({
      org_id,
      currency,
      rows,
      amount,
    })),
    single: groups.reduce((sum, group) => sum + group.single, 0),
  };
}

export async function countOf(db: DuckDb, from: string): Promise<number> {
  const [row] = await db.rows(`select count(*)::integer as rows ${from}`);
  return Number(row?.['rows']);
}

/** Rows of the report that are fines, or shares of albums. */
export const countSpecial = (db: DuckDb): Promise<number> =>
  countOf(db, 'from leftover where rejected_as is null and suspended_as is null');

/** `shares`: of the matched part. */
export async function sumByCurrency(
  db: DuckDb,
  folder: string,
  shares: readonly PartShare[],
): Promise<readonly CurrencySums[]> {
  const found = await db.rows(`
    select kind, currency, sum(amount)::varchar as amount
      from (select 'suspense' as kind, currency, amount from ${partOf(folder, 'suspense')}
            union all select 'other', currency, amount from ${partOf(folder, 'other')}
            union all select 'rejected', currency, amount
                        from leftover join contexts using (context_id) where rejected_as is not null)
     group by kind, currency`);
  const amounts = [
    ...shares.map(({ currency, amount }) => ({
      kind: 'matched',
      currency,
      units: unitsOf(amount),
    })),
    ...found.map((row) => ({
      kind: String(row['kind']),
      currency: String(row['currency']),
      units: unitsOf(String(row['amount'])),
    })),
  ];
  const sumOf = (currency: string, kind: PartKind) =>
    formatSourceAmount(
      amounts
        .filter((each) => each.currency === currency && each.kind === kind)
        .reduce((sum, { units }) => sum + units, 0n),
    );
  return [...new Set(amounts.map(({ currency }) => currency))].toSorted().map((currency) => ({
    currency,
    matched: sumOf(currency, 'matched'),
    suspense: sumOf(currency, 'suspense'),
    rejected: sumOf(currency, 'rejected'),
    other: sumOf(currency, 'other'),
  }));
}

/** No amount is lost or made: the parts add up to what was read, by currency in units of 10^-10. */
export function checkSums(
  totals: readonly CurrencySums[],
  read: ReadonlyMap<string, bigint>,
): void {
  for (const [currency, units] of read) {
    const total = totals.find((each) => each.currency === currency);
    const sum = [total?.matched, total?.suspense, total?.rejected, total?.other].reduce(
      (all, amount) => all + unitsOf(amount ?? '0'),
      0n,
    );
    if (sum !== units) {
      throw new Error(`the parts in ${currency} add up to ${sum}, what was read to ${units}`);
    }
  }
}

/** The engine writes every sum with ten decimals. */
export const unitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
