/** Second step of matching suspense again, in a process of its own: rows that have an owner by now leave suspense. */

import type { Task } from '../../platform/process/child-task.ts';
import { type DuckDb, type DuckDbLimits, withConfinedDuckDb } from './duckdb.ts';
import {
  createLeftover,
  partPath,
  writeMatched,
  writeOther,
  writeSuspense,
} from './match-parts.ts';
import {
  checkSums,
  countOf,
  countSpecial,
  type CurrencySums,
  partOf,
  type PartShare,
  sumByCurrency,
  sumShares,
  unitsOf,
} from './match-summary.ts';
import { createHoldings, createPairs, createResolutions } from './match-tables.ts';
import type { WrittenPart } from './report-parts.ts';
import { loadSuspense } from './suspense-rows.ts';
import type { HoldingFiles } from './write-holdings.ts';

export type RematchInput = DuckDbLimits & HoldingFiles & { readonly path: string };

export type RematchResult = {
  /** Rows of the report. */
  readonly rowsRead: number;
  readonly rowsSuspense: number;
  readonly parts: readonly WrittenPart[];
  readonly totals: readonly CurrencySums[];
  readonly shares: readonly PartShare[];
};

export const run: Task<RematchInput, RematchResult> = (input) =>
  withConfinedDuckDb(input, async (db) => {
    const { folder, threads } = input;
    await loadSuspense(db, input.path);
    await createHoldings(db, input);
    await createPairs(db);
    await createResolutions(db);
    await createLeftover(db);
    // Suspense has few rows: the type for every amount is fast enough.
    await writeMatched(db, folder, { wideAmounts: 1 }, threads);
    await writeOther(db, folder, []);
    await writeSuspense(
      db,
      folder,
      `
      select suspended.* exclude (row_id, context_id, entity_id) replace (suspended_as as reason)
        from suspended join (select row_id, suspended_as from leftover where suspended_as is not null) using (row_id)
       order by row_id`,
    );
    return summarize(db, folder);
  });

async function summarize(db: DuckDb, folder: string): Promise<RematchResult> {
  const { shares, single } = await sumShares(db, folder);
  const rowsRead = await countOf(db, 'from suspended');
  const rowsSuspense = await countOf(db, `from ${partOf(folder, 'suspense')}`);
  const special = await countSpecial(db);
  if (single + special + rowsSuspense !== rowsRead) {
    throw new Error(
      `${rowsRead} rows were in suspense, but ${single} + ${special} + ${rowsSuspense} were written`,
    );
  }
  const totals = await sumByCurrency(db, folder, shares);
  checkSums(totals, await amountsOf(db));
  const rows = {
    matched: shares.reduce((sum, share) => sum + share.rows, 0),
    other: await countOf(db, `from ${partOf(folder, 'other')}`),
    suspense: rowsSuspense,
  };
  const parts = (['matched', 'other', 'suspense'] as const).map((kind) => ({
    kind,
    path: partPath(folder, kind),
    rows: rows[kind],
  }));
  return { rowsRead, rowsSuspense, parts, totals, shares };
}

async function amountsOf(db: DuckDb): Promise<ReadonlyMap<string, bigint>> {
  const sums = await db.rows<{ readonly currency: string; readonly amount: string }>(
    'select currency, sum(amount)::varchar as amount from suspended group by currency',
  );
  return new Map(sums.map(({ currency, amount }) => [currency, unitsOf(amount)]));
}
