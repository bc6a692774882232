/** The second pass over a bucket, in a process of its own: taxes by largest remainder over its royalty records. */

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { toUuid } from '../../kernel/ids.ts';
import { formatMicros, toMicros } from '../../kernel/money.ts';
import type { Task } from '../../platform/process/child-task.ts';
import type { FinishedPart } from '../domain/calculated-part.ts';
import { incomeTypes } from '../domain/calculation.ts';
import { type DuckDb, text, withDuckDb } from './duckdb.ts';
import { exactDivision } from './exact-division.ts';
import type { FinishedBucket, FinishInput } from './finish-bucket.ts';
import { type WrittenFile, writePartFiles } from './part-files.ts';

export const run: Task<FinishInput, FinishedBucket> = (input) =>
  withDuckDb(input, async (db) => {
    await db.run(exactDivision);
    await loadTaxes(db, input);
    await createTaxShares(db, input);
    await createRoyalties(db, input);
    const totals = await writeTotals(db, input);
    const files = await writePartFiles(
      db,
      'royalties',
      '* exclude (statement)',
      input.bucket,
      input.folder,
    );
    return { parts: await summarize(db, input, files), ...totals };
  });

/** Amounts in micros. `tax` numbers what is divided by itself: one tax of one part. */
async function loadTaxes(db: DuckDb, { bucket, taxes }: FinishInput): Promise<void> {
  const statements = new Map(
    bucket.statements.map(({ statementId, part }, statement) => [
      `${statementId} ${part}`,
      statement,
    ]),
  );
  const own = taxes.flatMap(({ statementId, part, ...borne }) => {
    const statement = statements.get(`${statementId} ${part}`);
    return statement === undefined ? [] : [{ statement, ...borne }];
  });
  await db.load(
    'source_taxes',
    {
      tax: 'INTEGER',
      statement: 'INTEGER',
      report_id: 'UUID',
      currency: 'VARCHAR',
      amount: 'DECIMAL(24,6)',
    },
    own
      .flatMap(({ statement, sourceTaxes }) =>
        sourceTaxes.map(({ reportId, sourceCurrency, amount }) => ({
          statement,
          report_id: toUuid(reportId),
          currency: sourceCurrency,
          amount,
        })),
      )
      .map((row, tax) => ({ tax, ...row })),
  );
  await db.load(
    'payee_taxes',
    {
      tax: 'INTEGER',
      statement: 'INTEGER',
      territory: 'VARCHAR',
      income_type: 'VARCHAR',
      amount: 'DECIMAL(24,6)',
    },
    own
      .flatMap(({ statement, payeeTaxes }) =>
        payeeTaxes.map(({ territory, incomeType, amount }) => ({
          statement,
          territory,
          income_type: incomeType,
          amount,
        })),
      )
      .map((row, tax) => ({ tax, ...row })),
  );
}

const micros = (column: string): string => `replace(${column}::varchar, '.', '')::bigint`;

async function createTaxShares(
  db: DuckDb,
  { recordsPath, sourcesPath }: FinishInput,
): Promise<void> {
  const records = `read_parquet(${text(recordsPath)})`;
  await db.run(
    `create table source_shares as ${sharesStatement(`
    select t.tax, t.micros, s.position, s.gross as weight
    from (select *, ${micros('amount')} as micros from source_taxes) t
    join read_parquet(${text(sourcesPath)}) s
      on s.statement = t.statement and s.report_id = t.report_id and s.currency = t.currency
    where s.gross > 0`)}`,
  );
  await db.run(
    `create table payee_shares as ${sharesStatement(
      incomeTypes
        .map(
          (type) => `
    select t.tax, t.micros, r.position, r.${type}_base as weight
    from (select *, ${micros('amount')} as micros from payee_taxes where income_type = '${type}') t
    join ${records} r on r.statement = t.statement and r.territory = t.territory
    where r.${type}_base > 0`,
        )
        .join(' union all '),
    )}`,
  );
}

/** By record: its shares of the taxes, by largest remainder; of equal remainders the first position gets the micro. */
const sharesStatement = (weights: string): string => `
  select position, sum(share * sign(micros))::bigint as amount
  from (
    select position, micros, quotient + case
      when row_number() over (partition by tax order by remainder desc, position)
        <= abs(micros) - sum(quotient) over (partition by tax) then 1
      else 0
    end as share
    from (
      select tax, micros, position, floor_quotient(product, total) as quotient,
        floor_remainder(product, total) as remainder
      from (
        select tax, micros, position, abs(micros)::hugeint * weight as product, total
        from (select *, (sum(weight) over (partition by tax))::bigint as total from (${weights}))
      )
    )
  )
  group by position`;

const amount = (column: string): string =>
  `${column}::decimal(18,0) * 0.000001::decimal(6,6) as ${column}_amount`;

async function createRoyalties(db: DuckDb, { recordsPath }: FinishInput): Promise<void> {
  await db.run(`create table royalties as
    select statement, release_id, track_id, isrc, store_id, territory, usage_month, play_count,
      ${amount('gross')}, ${amount('fee')}, ${amount('source_tax')}, ${amount('payee_tax')},
      (gross - fee - source_tax - payee_tax)::decimal(18,0) * 0.000001::decimal(6,6)
        as net_amount
    from (
      select r.*, coalesce(s.amount, 0) as source_tax, coalesce(p.amount, 0) as payee_tax
      from read_parquet(${text(recordsPath)}) r
      left join source_shares s using (position)
      left join payee_shares p using (position)
    )
    order by position`);
}

async function writeTotals(
  db: DuckDb,
  { bucket, folder }: FinishInput,
): Promise<Pick<FinishedBucket, 'totalsPath' | 'totalsCount'>> {
  const totalsPath = join(folder, `totals-${bucket.number}.csv`);
  await db.load(
    'statement_ids',
    { statement: 'INTEGER', id: 'UUID' },
    bucket.statements.map(({ statementId }, statement) => ({ statement, id: toUuid(statementId) })),
  );
  await db.run(`create table totals as
    select i.id, r.store_id, r.territory, r.release_id, r.usage_month,
      sum(r.play_count)::bigint as play_count, sum(r.gross_amount) as gross_amount,
      sum(r.fee_amount) as fee_amount, sum(r.source_tax_amount) as source_tax_amount,
      sum(r.payee_tax_amount) as payee_tax_amount, sum(r.net_amount) as net_amount
    from royalties r join statement_ids i using (statement)
    group by all`);
  await db.run(
    `copy (select * from totals order by id, store_id, territory, release_id, usage_month)
      to ${text(`${totalsPath}.part`)} (format csv, header false)`,
  );
  await rename(`${totalsPath}.part`, totalsPath);
  const [row] = await db.rows<{ readonly count: number }>(
    'select count(*)::integer as count from totals',
  );
  return { totalsPath, totalsCount: row?.count ?? 0 };
}

type Sums = {
  readonly count: number;
  readonly gross: string;
  readonly fee: string;
  readonly source_tax: string;
  readonly payee_tax: string;
  readonly net: string;
};

const nothing = formatMicros(toMicros(0n));
/** Of a statement without rows in the bucket. */
const noSums: Sums = {
  count: 0,
  gross: nothing,
  fee: nothing,
  source_tax: nothing,
  payee_tax: nothing,
  net: nothing,
};

async function summarize(
  db: DuckDb,
  { bucket }: FinishInput,
  files: readonly WrittenFile[],
): Promise<readonly FinishedPart[]> {
  const sums = await db.rows<Sums & { readonly statement: number }>(`
    select statement, count(*)::integer as count, sum(gross_amount) as gross,
      sum(fee_amount) as fee, sum(source_tax_amount) as source_tax,
      sum(payee_tax_amount) as payee_tax, sum(net_amount) as net
    from royalties group by statement`);
  const byStatement = new Map(sums.map((row) => [row.statement, row]));
  return bucket.statements.map(({ statementId, part }, statement) => {
    const row = byStatement.get(statement) ?? noSums;
    const file = files[statement];
    if (file === undefined) throw new Error(`statement ${statementId} has no file`);
    return {
      statementId,
      part,
      royalties: { ...file, rowCount: row.count, amount: row.net },
      grossAmount: row.gross,
      feeAmount: row.fee,
      sourceTaxAmount: row.source_tax,
      payeeTaxAmount: row.payee_tax,
      netAmount: row.net,
    };
  });
}
