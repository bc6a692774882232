/** What the calculation of a bucket found, by statement. */

import { formatMicros, toMicros } from '../../kernel/money.ts';
import type { CalculatedPart, PartSource, PartTaxBase } from '../domain/calculated-part.ts';
import { incomeTypes, type IncomeType } from '../domain/calculation.ts';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketInput } from './calculate-bucket.ts';
import type { DuckDb } from './duckdb.ts';
import type { WrittenFile } from './part-files.ts';

const amountOf = (micros: string): string => formatMicros(toMicros(BigInt(micros)));

export async function summarizeParts(
  db: DuckDb,
  input: BucketInput,
  codes: BucketCodes,
  files: readonly WrittenFile[],
): Promise<readonly CalculatedPart[]> {
  const totals = await findTotals(db);
  const sources = Map.groupBy(await findSources(db, codes), ({ statement }) => statement);
  const bases = Map.groupBy(await findTaxBases(db, input), ({ statement }) => statement);
  return input.bucket.statements.map(({ statementId, part, currency }, statement) => {
    const total = totals.get(statement) ?? noTotal;
    const file = files[statement];
    if (file === undefined) throw new Error(`statement ${statementId} has no file`);
    const grossAmount = amountOf(total.gross);
    return {
      statementId,
      part,
      currency,
      items: { ...file, rowCount: total.item_count, amount: grossAmount },
      recordCount: total.record_count,
      playCount: Number(total.plays),
      grossAmount,
      feeAmount: amountOf(total.fee),
      sources: (sources.get(statement) ?? []).map(({ source }) => source),
      taxBases: (bases.get(statement) ?? []).map(({ base }) => base),
    };
  });
}

type Total = {
  readonly item_count: number;
  readonly record_count: number;
  readonly plays: string;
  readonly gross: string;
  readonly fee: string;
};

/** Of a statement without rows in the bucket. */
const noTotal: Total = { item_count: 0, record_count: 0, plays: '0', gross: '0', fee: '0' };

async function findTotals(db: DuckDb): Promise<ReadonlyMap<number, Total>> {
  const totals = await db.rows<Total & { readonly statement: number }>(`
    select i.statement, i.item_count, i.gross::varchar as gross, i.plays::varchar as plays,
      r.record_count, r.fee::varchar as fee
    from (select statement, count(*)::integer as item_count, sum(earnings) as gross,
        sum(plays) as plays from items group by statement) i
    join (select statement, count(*)::integer as record_count, sum(fee) as fee
      from records group by statement) r using (statement)`);
  return new Map(totals.map((total) => [total.statement, total]));
}

async function findSources(
  db: DuckDb,
  codes: BucketCodes,
): Promise<readonly { readonly statement: number; readonly source: PartSource }[]> {
  type Row = {
    readonly statement: number;
    readonly report: number;
    readonly source_currency: PartSource['sourceCurrency'];
    readonly rate: string;
    readonly source_amount: string;
    readonly gross: string;
    readonly positive_gross: string;
  };
  const rows = await db.rows<Row>(`
    select i.statement, i.report, cu.text::varchar as source_currency, i.rate::decimal(20,10) as rate,
      i.source_amount, i.gross::varchar as gross,
      coalesce(p.gross, 0)::varchar as positive_gross
    from (select statement, report, currency, rate, sum(amount) as source_amount,
        sum(earnings) as gross
      from items group by all) i
    left join (select statement, source, sum(gross) as gross
      from record_sources where gross > 0 group by all) p
      on p.statement = i.statement
        and p.source = i.report * ${codes.currencies.length} + i.currency
    join currencies cu on cu.code = i.currency
    order by i.statement, i.report, i.currency`);
  return rows.flatMap((row) => {
    const reportId = codes.reportIds[row.report];
    if (reportId === undefined) throw new Error(`report ${row.report} is not in the bucket`);
    const source = {
      reportId,
      sourceCurrency: row.source_currency,
      rate: row.rate,
      sourceAmount: row.source_amount,
      grossAmount: amountOf(row.gross),
      positiveGross: amountOf(row.positive_gross),
    };
    return [{ statement: row.statement, source }];
  });
}

async function findTaxBases(
  db: DuckDb,
  { bucket, withholding }: BucketInput,
): Promise<readonly { readonly statement: number; readonly base: PartTaxBase }[]> {
  const byStatement = Map.groupBy(withholding, ({ statementId }) => statementId);
  await db.load(
    'withholding',
    { statement: 'INTEGER', territory: 'VARCHAR', income_type: 'VARCHAR' },
    bucket.statements.flatMap(({ statementId }, statement) =>
      (byStatement.get(statementId) ?? []).map(({ territory, incomeType }) => ({
        statement,
        territory,
        income_type: incomeType,
      })),
    ),
  );
  type Row = {
    readonly statement: number;
    readonly territory: string;
    readonly income_type: IncomeType;
    readonly base: string;
    readonly positive_base: string;
  };
  const rows = await db.rows<Row>(`
    select w.statement, w.territory, w.income_type, sum(b.base)::varchar as base,
      coalesce(sum(b.base) filter (b.base > 0), 0)::varchar as positive_base
    from withholding w
    join territories te on te.text::varchar = w.territory
    join (${incomeTypes
      .map(
        (type) =>
          `select statement, territory, '${type}' as income_type, ${type}_base as base from records`,
      )
      .join(' union all ')}) b
      on b.statement = w.statement and b.territory = te.code and b.income_type = w.income_type
    group by all
    order by all`);
  return rows.map(({ statement, territory, income_type, base, positive_base }) => ({
    statement,
    base: {
      territory,
      incomeType: income_type,
      base: amountOf(base),
      positiveBase: amountOf(positive_base),
    },
  }));
}
