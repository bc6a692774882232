/**
 * Totals of a statement. Each grain has a row for each combination of its keys; the rows of each grain add up to the statement, to the
 * micro. Summaries are read from them, never from lines: their number depends on catalogue and market, not on usage.
 */

import { type Micros, parseMicros } from '../../kernel/money.ts';
import type { StatementAmounts } from './statement.ts';

export const totalsGrains = {
  releases: ['store_id', 'territory', 'release_id', 'usage_month'],
  markets: ['store_id', 'territory', 'usage_month', 'use_type', 'accounting_month'],
  tracks: ['track_id', 'isrc', 'release_id', 'usage_month'],
} as const;
export type TotalsGrain = keyof typeof totalsGrains;
export const grainNames = Object.keys(totalsGrains) as readonly TotalsGrain[];

export const totalAmounts = [
  'gross_amount',
  'fee_amount',
  'source_tax_amount',
  'payee_tax_amount',
  'net_amount',
] as const;

/**
 * The keys of a grain, then plays and `totalAmounts`, as texts. Ids are UUIDs: the totals of a large statement are many, and no
 * one reads the ids here.
 */
export type Total = readonly string[];

/** The statement (a UUID), then a total. */
export type BucketTotal = readonly [statement: string, ...Total];

export type TotalsOf<Row> = Readonly<Record<TotalsGrain, readonly Row[]>>;

/** Throws: a summary that differs from its statement is a defect, and is not published. */
export function requireTotals(statement: StatementAmounts, totals: TotalsOf<Total>): void {
  const expected = [
    statement.grossAmount,
    statement.feeAmount,
    statement.sourceTaxAmount,
    statement.payeeTaxAmount,
    statement.netAmount,
  ];
  for (const grain of grainNames) {
    const first = totalsGrains[grain].length + 1;
    for (const [index, amount] of expected.entries()) {
      const sum = totals[grain].reduce((all, total) => all + microsOf(total[first + index]), 0n);
      if (sum !== amount)
        throw new Error(`the totals of ${grain} do not add up: ${totalAmounts[index]} is ${sum}`);
    }
  }
}

function microsOf(text = ''): Micros {
  const amount = parseMicros(text);
  if (amount === undefined) throw new TypeError(`not an amount: ${text}`);
  return amount;
}
