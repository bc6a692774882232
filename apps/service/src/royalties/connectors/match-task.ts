/** Second step of reading a report, in a process of its own: finds the owner of each row, and writes the parts. */

import type { Task } from '../../platform/process/child-task.ts';
import { reportReaders } from '../domain/report-readers.ts';
import { type PartKind, partKinds, type ReportFormat } from '../domain/report.ts';
import { type DuckDb, withConfinedDuckDb } from './duckdb.ts';
import {
  createLeftover,
  partPath,
  writeMatched,
  writeOther,
  writeUnmatched,
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
} from './match-summary.ts';
import {
  createContexts,
  createHoldings,
  createPairs,
  createResolutions,
  createRows,
} from './match-tables.ts';
import type { ParsedReport } from './parse-task.ts';
import type { HoldingFiles } from './write-holdings.ts';

export type MatchInput = HoldingFiles & {
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
  readonly format: ReportFormat;
  readonly report: ParsedReport;
};

export type MatchResult = {
  readonly rowsRead: number;
  readonly rowsSuspense: number;
  readonly rowsRejected: number;
  readonly parts: readonly {
    readonly kind: PartKind;
    readonly path: string;
    readonly rows: number;
  }[];
  readonly totals: readonly CurrencySums[];
  readonly shares: readonly PartShare[];
};

/** Finding the owner of each row, writing what is matched, writing the rest. */
const matchSteps = 3;

export const run: Task<MatchInput, MatchResult> = async (input, report) => {
  const { folder, report: parsed } = input;
  const { layout } = reportReaders[input.format];
  return withConfinedDuckDb(input, async (db) => {
    await createContexts(db, folder, parsed.contexts);
    await createRows(db, parsed);
    await createHoldings(db, input);
    await createPairs(db);
    await createResolutions(db);
    await createLeftover(db);
    report({ stage: 'match', done: 1, total: matchSteps });
    await writeMatched(db, folder, parsed, input.threads);
    report({ stage: 'match', done: 2, total: matchSteps });
    await writeOther(db, folder, parsed.fees);
    await writeUnmatched(db, folder, parsed.files, layout);
    return summarize(db, folder, parsed);
  });
};

async function summarize(db: DuckDb, folder: string, parsed: ParsedReport): Promise<MatchResult> {
  const { shares, single } = await sumShares(db, folder);
  const countPart = (kind: PartKind) => countOf(db, `from ${partOf(folder, kind)}`);
  const rows = {
    matched: shares.reduce((sum, share) => sum + share.rows, 0),
    other: await countPart('other'),
    suspense: await countPart('suspense'),
    rejected: await countPart('rejected'),
  };
  const rowsRead = parsed.files.reduce((sum, file) => sum + file.rows, 0);
  const special = await countSpecial(db);
  if (single + special + rows.suspense + rows.rejected !== rowsRead) {
    throw new Error(
      `${rowsRead} rows were read, but ${single} + ${special} + ${rows.suspense} + ${rows.rejected} were written`,
    );
  }
  const totals = await sumByCurrency(db, folder, shares);
  checkSums(totals, amountsOf(parsed));
  return {
    rowsRead,
    rowsSuspense: rows.suspense,
    rowsRejected: rows.rejected,
    parts: partKinds.map((kind) => ({ kind, path: partPath(folder, kind), rows: rows[kind] })),
    totals,
    shares,
  };
}

/** Of the rows and the fees. */
function amountsOf({ contexts, fees }: ParsedReport): ReadonlyMap<string, bigint> {
  const amounts = new Map<string, bigint>();
  const add = (currency: string, units: string) =>
    amounts.set(currency, (amounts.get(currency) ?? 0n) + BigInt(units));
  for (const { currency, amount } of fees) add(currency, amount);
  for (const { context, amount } of contexts) add(context.currency, amount);
  return amounts;
}
