/** Second step of reading a report, in a process of its own: finds the owner of each row, and writes the parts. */

import type { Task } from '../../platform/process/child-task.ts';
import { reportReaders } from '../domain/report-readers.ts';
import { type PartKind, partKinds, type ReportFormat } from '../domain/report.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import { type DuckDb, withConfinedDuckDb, text } from './duckdb.ts';
import {
  createLeftover,
  partPath,
  writeMatched,
  writeOther,
  writeUnmatched,
} from './match-parts.ts';
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

export type CurrencySums = Readonly<
  Record<'currency' | 'matched' | 'suspense' | 'rejected' | 'other', string>
>;

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
  readonly shares: readonly {
    readonly org_id: string;
    readonly currency: string;
    readonly rows: number;
    readonly amount: string;
  }[];
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
  const part = (kind: PartKind) => `read_parquet(${text(partPath(folder, kind))})`;
  const groups = await db.rows(`
    select org_id::varchar as org_id, currency, count(*)::integer as rows, sum(amount)::varchar as amount,
           count(*) filter (not allocated)::integer as single
      from ${part('matched')} group by org_id, currency order by org_id, currency`);
  const shares = groups as unknown as readonly (MatchResult['shares'][number] & {
    single: number;
  })[];
  const rows = {
    matched: shares.reduce((sum, share) => sum + share.rows, 0),
    other: await countOf(db, `from ${part('other')}`),
    suspense: await countOf(db, `from ${part('suspense')}`),
    rejected: await countOf(db, `from ${part('rejected')}`),
  };
  const single = shares.reduce((sum, share) => sum + share.single, 0);
  const rowsRead = parsed.files.reduce((sum, file) => sum + file.rows, 0);
  const special = await countOf(
    db,
    'from leftover where rejected_as is null and suspended_as is null',
  );
  if (single + special + rows.suspense + rows.rejected !== rowsRead) {
    throw new Error(
      `${rowsRead} rows were read, but ${single} + ${special} + ${rows.suspense} + ${rows.rejected} were written`,
    );
  }
  const totals = await sumByCurrency(db, part, shares);
  checkSums(totals, parsed);
  return {
    rowsRead,
    rowsSuspense: rows.suspense,
    rowsRejected: rows.rejected,
    parts: partKinds.map((kind) => ({ kind, path: partPath(folder, kind), rows: rows[kind] })),
    totals,
    shares: shares.map(({ org_id, currency, rows: count, amount }) => ({
      org_id,
      currency,
      rows: count,
      amount,
    })),
  };
}

async function countOf(db: DuckDb, from: string): Promise<number> {
  const [row] = await db.rows(`select count(*)::integer as rows ${from}`);
  return Number(row?.['rows']);
}

async function sumByCurrency(
  db: DuckDb,
  part: (kind: PartKind) => string,
  shares: MatchResult['shares'],
): Promise<readonly CurrencySums[]> {
  const found = await db.rows(`
    select kind, currency, sum(amount)::varchar as amount
      from (select 'suspense' as kind, currency, amount from ${part('suspense')}
            union all select 'other', currency, amount from ${part('other')}
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

/** No amount is lost or made: the parts add up to the rows and the fees. */
function checkSums(totals: readonly CurrencySums[], { contexts, fees }: ParsedReport): void {
  const expected = new Map<string, bigint>();
  const add = (currency: string, units: string) =>
    expected.set(currency, (expected.get(currency) ?? 0n) + BigInt(units));
  for (const { currency, amount } of fees) add(currency, amount);
  for (const { context, amount } of contexts) add(context.currency, amount);
  for (const [currency, units] of expected) {
    const total = totals.find((each) => each.currency === currency);
    const sum = [total?.matched, total?.suspense, total?.rejected, total?.other].reduce(
      (all, amount) => all + unitsOf(amount ?? '0'),
      0n,
    );
    if (sum !== units) {
      throw new Error(`the parts in ${currency} add up to ${sum}, the rows and fees to ${units}`);
    }
  }
}

/** The engine writes every sum with ten decimals. */
const unitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
