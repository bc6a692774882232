/** Line items of a bucket: matched rows, grouped, with earnings in the currency of their statement. */

import { toUuid } from '../../kernel/ids.ts';
import { useTypes } from '../../kernel/use-type.ts';
import { TaskRefused } from '../../platform/process/child-task.ts';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketInput, MissingRate } from './calculate-bucket.ts';
import type { DuckDb } from './duckdb.ts';
import { type KeyField, packKey } from './packed-key.ts';

/** Amounts below this in DECIMAL(18,10) are four times as fast as in the wide DECIMAL. */
const narrowAmountMax = 100_000_000;
const narrowAmount = 'decimal(18,10)';
const wideAmount = 'decimal(38,10)';

/** Micros. A unit rate is informational: above this it might not fit, and is left out. */
const unitRateEarningsMax = 90_000_000_000_000n;

const enumCode = (column: string): string => `enum_code(m.${column}::${column}_code)`;

/** In the order of items in a file. The number of a track stands for its ISRC, release and track id. */
const keyFields = (codes: BucketCodes, statementCount: number): readonly KeyField[] => [
  { name: 'statement', value: 'm.statement', size: statementCount },
  { name: 'store', value: 'm.store', size: codes.storeIds.length },
  { name: 'territory', value: enumCode('territory'), size: codes.territories.length },
  { name: 'usage_month', value: enumCode('usage_month'), size: codes.usageMonths.length },
  { name: 'track', value: 't.track', size: codes.trackCount },
  { name: 'use_type', value: enumCode('use_type'), size: useTypes.length },
  { name: 'transaction_type', value: enumCode('transaction_type'), size: 2 },
  { name: 'report', value: 'm.report', size: codes.reportIds.length },
  {
    name: 'accounting_month',
    value: enumCode('accounting_month'),
    size: codes.accountingMonths.length,
  },
  { name: 'allocated', value: 'm.allocated::integer', size: 2 },
  {
    name: 'currency',
    value: `enum_code(m.currency::currency_code)`,
    size: codes.currencies.length,
  },
  {
    name: 'period_start',
    value: `m.period_start - date '${codes.periodStart.first}'`,
    size: codes.periodStart.dayCount,
  },
  {
    name: 'period_end',
    value: `m.period_end - date '${codes.periodEnd.first}'`,
    size: codes.periodEnd.dayCount,
  },
];

/** Creates `items`, sorted by nothing: the packed key, its fields, plays, the source amount and the earnings in micros. */
export async function createItems(
  db: DuckDb,
  input: BucketInput,
  codes: BucketCodes,
): Promise<readonly string[]> {
  const key = packKey(keyFields(codes, input.bucket.statements.length));
  await db.run(`create table grouped as
    select ${key.columns.join(', ')}, sum(play_count)::bigint as plays, sum(amount) as amount
    from (
      select ${key.pack.join(', ')}, m.play_count, m.amount
      from matched m join tracks t using (track_id, release_id, isrc)
    )
    group by ${key.columns.join(', ')}`);
  await requireRates(db, input, codes, (name) => unpacked(key.unpack, name));
  const isNarrow = `abs(amount) < ${narrowAmountMax}`;
  const narrow = itemsQuery(key.columns, key.unpack, codes, narrowAmount);
  const wide = itemsQuery(key.columns, key.unpack, codes, wideAmount);
  await db.run(`create table items as ${narrow(isNarrow)}`);
  await db.run(`insert into items ${wide(`not (${isNarrow})`)}`);
  await db.run('drop table grouped');
  return key.columns;
}

function unpacked(unpack: ReadonlyMap<string, string>, name: string): string {
  const expression = unpack.get(name);
  if (expression === undefined) throw new Error(`${name} is not in the key`);
  return expression;
}

const rateKey = (alias: string, { reportIds, currencies }: BucketCodes): string =>
  `(${alias}.statement::bigint * ${reportIds.length} + ${alias}.report) * ${currencies.length}
    + ${alias}.currency`;

/** Creates `rates`: by statement, report and source currency; also in units of 10^-10. */
async function requireRates(
  db: DuckDb,
  { rates }: BucketInput,
  codes: BucketCodes,
  field: (name: string) => string,
): Promise<void> {
  await db.load(
    'known_rates',
    { report: 'UUID', source_currency: 'VARCHAR', currency: 'VARCHAR', rate: 'DECIMAL(20,10)' },
    rates.map(({ reportId, sourceCurrency, currency, rate }) => ({
      report: toUuid(reportId),
      source_currency: sourceCurrency,
      currency,
      rate,
    })),
  );
  await db.run(`create table rates as
    select ${rateKey('u', codes)} as rate_key, u.report, u.currency,
      s.currency as statement_currency,
      coalesce(k.rate, case when c.text::varchar = s.currency then 1 end) as rate,
      replace(coalesce(k.rate, 1)::decimal(20,10)::varchar, '.', '')::hugeint as rate_units
    from (
      select distinct ${field('statement')} as statement, ${field('report')} as report,
        ${field('currency')} as currency
      from grouped
    ) u
    join statements s on s.statement = u.statement
    join currencies c on c.code = u.currency
    join reports r on r.code = u.report
    left join known_rates k on k.report = r.text and k.source_currency = c.text::varchar
      and k.currency = s.currency`);
  type Missing = {
    readonly report: number;
    readonly source_currency: MissingRate['sourceCurrency'];
    readonly currency: MissingRate['currency'];
  };
  const missing = await db.rows<Missing>(`
    select distinct report::integer as report, c.text::varchar as source_currency,
      statement_currency as currency
    from rates join currencies c on c.code = rates.currency
    where rate is null order by all`);
  if (missing.length === 0) return;
  const details = missing.map(({ report, source_currency, currency }) => ({
    reportId: codes.reportIds[report],
    sourceCurrency: source_currency,
    currency,
  }));
  throw new TaskRefused(`${missing.length} rates are missing`, details);
}

/**
 * The source amount has ten decimals, the rate too: their product is in units of 10^-20, and a micro is 10^14 of them.
 * The amount becomes a whole number of units in steps that stay inside its type: whole, thousandths, rest.
 */
const itemsQuery =
  (
    columns: readonly string[],
    unpack: ReadonlyMap<string, string>,
    codes: BucketCodes,
    amountType: string,
  ) =>
  (condition: string): string =>
    `
  select * exclude (product), half_even(product, 100000000000000) as earnings
  from (
    select * exclude (amount, thousandths, rate_units), amount::${wideAmount} as amount,
      (trunc(amount)::hugeint * 10000000000 + trunc(thousandths)::bigint * 10000000
        + ((thousandths - trunc(thousandths))::decimal(10,10) * 10000000::decimal(8,0))::bigint)
        * rate_units as product
    from (
      select g.* exclude (amount), amount::${amountType} as amount,
        (amount::${amountType} - trunc(amount::${amountType}))::decimal(10,10)
          * 1000::decimal(4,0) as thousandths,
        r.rate, r.rate_units
      from (
        select ${columns.join(', ')}, plays, amount,
          ${[...unpack].map(([name, expression]) => `${expression}::integer as ${name}`).join(', ')}
        from grouped where ${condition}
      ) g
      join rates r on r.rate_key = ${rateKey('g', codes)}
    )
  )`;

/** The order of columns and rows of a file with line items. */
export const itemFileStatement = (codes: BucketCodes, keyColumns: readonly string[]): string => `
  select i.statement, t.isrc, n.title, t.release_id, t.track_id, st.text as store_id,
    te.text as territory, ut.text as use_type,
    i.transaction_type, um.text as usage_month, am.text as accounting_month, re.text as report_id,
    i.allocated = 1 as allocated, i.plays as play_count,
    (half_even(i.unit_numerator, i.unit_denominator)::decimal(18,0)
      * 0.0000000001::decimal(10,10))::decimal(20,10) as unit_rate,
    i.earnings::decimal(18,0) * 0.000001::decimal(6,6) as earnings,
    cu.text as source_currency, i.amount::decimal(28,10) as source_amount,
    i.rate::decimal(20,10) as fx_rate,
    date '${codes.periodStart.first}' + i.period_start as period_start,
    date '${codes.periodEnd.first}' + i.period_end as period_end
  from (
    select *, case when abs(earnings) < ${unitRateEarningsMax}
      then earnings::hugeint * 10000 * sign(plays) end as unit_numerator,
      abs(nullif(plays, 0)) as unit_denominator
    from items
  ) i
  join tracks t on t.track = i.track
  join titles n on n.track = i.track and n.report = i.report
  join stores st on st.code = i.store
  join territories te on te.code = i.territory
  join use_types ut on ut.code = i.use_type
  join usage_months um on um.code = i.usage_month
  join accounting_months am on am.code = i.accounting_month
  join reports re on re.code = i.report
  join currencies cu on cu.code = i.currency
  order by ${keyColumns.map((column) => `i.${column}`).join(', ')}`;

/** The columns of a file with line items. An enum column would be written with all of its values in every row group. */
export const itemFileColumns = `isrc::varchar as isrc, title::varchar as title, release_id,
  track_id, store_id::varchar as store_id, territory::varchar as territory,
  use_type::varchar as use_type,
  case transaction_type when 0 then 'return' else 'usage' end as transaction_type,
  usage_month::varchar as usage_month, accounting_month::varchar as accounting_month, report_id,
  allocated, play_count, unit_rate, earnings, source_currency::varchar as source_currency,
  source_amount, fx_rate, period_start, period_end`;
