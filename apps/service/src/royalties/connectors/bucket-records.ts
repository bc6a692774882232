/** Royalty records of a bucket before taxes: line items, grouped, with their fees. */

import { toUuid } from '../../kernel/ids.ts';
import { useTypes } from '../../kernel/use-type.ts';
import { incomeTypeOf } from '../domain/calculation.ts';
import { rankFeeRules } from '../domain/rank-fee-rules.ts';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketInput } from './calculate-bucket.ts';
import type { DuckDb } from './duckdb.ts';
import { packKey } from './packed-key.ts';

const sortedUseTypes = useTypes.toSorted();
const saleCodes = sortedUseTypes.flatMap((useType, code) =>
  incomeTypeOf(useType) === 'sale' ? [code] : [],
);

const feeKey = (alias: string, codes: BucketCodes): string =>
  `((${alias}.statement::bigint * ${codes.storeIds.length} + ${alias}.store) * ${useTypes.length}
    + ${alias}.use_type) * ${codes.usageMonths.length} + ${alias}.usage_month`;

/**
 * Creates `fees`: basis points by statement, store, use type and usage month. Where no rule applies, there is no fee.
 */
export async function createFees(
  db: DuckDb,
  { bucket, feeRules }: BucketInput,
  codes: BucketCodes,
): Promise<void> {
  await db.load(
    'fee_rules',
    {
      org_id: 'UUID',
      store: 'INTEGER',
      use_type: 'INTEGER',
      basis_points: 'INTEGER',
      valid_from: 'VARCHAR',
      valid_to: 'VARCHAR',
      rank: 'INTEGER',
    },
    rankFeeRules(feeRules, new Set(bucket.statements.map(({ orgId }) => orgId))).map(
      ({ orgId, storeId, useType, basisPoints, validFrom, validTo }, rank) => ({
        org_id: toUuid(orgId),
        // −1: a store without rows in the bucket.
        store: storeId === null ? null : codes.storeIds.indexOf(storeId),
        use_type: useType === null ? null : sortedUseTypes.indexOf(useType),
        basis_points: basisPoints,
        valid_from: validFrom,
        valid_to: validTo,
        rank,
      }),
    ),
  );
  await db.run(`create table fees as
    select ${feeKey('u', codes)} as fee_key,
      coalesce(arg_max(r.basis_points, r.rank), 0) as basis_points
    from (select distinct statement, store, use_type, usage_month from items) u
    join statements s on s.statement = u.statement
    join usage_months m on m.code = u.usage_month
    left join fee_rules r on r.org_id = s.org_id
      and (r.store is null or r.store = u.store)
      and (r.use_type is null or r.use_type = u.use_type)
      and r.valid_from <= m.text::varchar
      and (r.valid_to is null or r.valid_to >= m.text::varchar)
    group by all`);
}

/**
 * Creates `records`, and `record_sources` with their gross from each report and currency. The fee is rounded once per
 * record; the sales have their rounded part of it, and the royalties the rest.
 */
export async function createRecords(
  db: DuckDb,
  statementCount: number,
  codes: BucketCodes,
): Promise<void> {
  const { pack, columns, unpack } = packKey([
    { name: 'statement', value: 'i.statement', size: statementCount },
    { name: 'store', value: 'i.store', size: codes.storeIds.length },
    { name: 'territory', value: 'i.territory', size: codes.territories.length },
    { name: 'usage_month', value: 'i.usage_month', size: codes.usageMonths.length },
    { name: 'record_track', value: 't.record_track', size: codes.trackCount },
  ]);
  const key = columns.join(', ');
  // One word is in the order of the records by itself; to number them takes a sort.
  const position = columns.length === 1 ? key : `(row_number() over (order by ${key}) - 1)::bigint`;
  const source = `i.report * ${codes.currencies.length} + i.currency as source`;
  await db.run(`create view record_items as
    select ${pack.join(', ')}, ${source}, i.plays, i.earnings,
      i.earnings::hugeint * f.basis_points as fee_numerator, i.use_type in (${saleCodes.join(', ')}) as is_sale
    from items i
    join tracks t on t.track = i.track
    join fees f on f.fee_key = ${feeKey('i', codes)}`);
  await db.run(`create table records as
    select ${position} as position, ${key},
      ${[...unpack].map(([name, expression]) => `${expression}::integer as ${name}`).join(', ')},
      plays, gross, fee, first_source, last_source,
      gross - sale_gross - (fee - sale_fee) as royalty_base, sale_gross - sale_fee as sale_base
    from (
      select ${key}, plays::bigint as plays, gross::bigint as gross, first_source, last_source,
        half_even(fee_numerator, 10000) as fee,
        sale_gross::bigint as sale_gross,
        half_even(sale_fee_numerator, 10000) as sale_fee
      from (
        select ${key}, sum(plays) as plays, sum(earnings) as gross,
          sum(fee_numerator) as fee_numerator,
          coalesce(sum(earnings) filter (is_sale), 0) as sale_gross,
          coalesce(sum(fee_numerator) filter (is_sale), 0) as sale_fee_numerator,
          min(source) as first_source, max(source) as last_source
        from record_items group by ${key}
      )
    )`);
  await db.run(`create table record_sources as
    select r.position, r.statement, i.source, sum(i.earnings)::bigint as gross
    from record_items i join records r using (${key})
    where r.first_source <> r.last_source
    group by all
    union all
    select position, statement, first_source, gross from records
    where first_source = last_source`);
}

/** The records for the second pass, in the order of the final file; of equal remainders the first position comes first. */
export const recordFileStatement = `
  select r.position, r.statement, st.text::varchar as store_id,
    te.text::varchar as territory, um.text::varchar as usage_month, t.track_id, t.isrc::varchar as isrc, t.release_id, r.plays as play_count, r.gross,
    r.fee, r.royalty_base, r.sale_base
  from records r
  join record_tracks t on t.record_track = r.record_track
  join stores st on st.code = r.store
  join territories te on te.code = r.territory
  join usage_months um on um.code = r.usage_month
  order by r.position`;

export const sourceFileStatement = (currencyCount: number): string => `
  select s.position, s.statement, re.text as report_id, cu.text::varchar as currency, s.gross
  from record_sources s
  join reports re on re.code = s.source // ${currencyCount}
  join currencies cu on cu.code = s.source % ${currencyCount}
  order by s.position, s.source`;
