/** Sums of totals of published statements, by group and currency. */

import { createHash } from 'node:crypto';
import type { Currency } from '../../kernel/currency.ts';
import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PagePosition, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import {
  grainOf,
  type Summary,
  type SummaryDimension,
  type SummaryGrain,
} from '../domain/summary.ts';
import type { UsageMonths } from '../domain/usage-months.ts';

const tables: Readonly<Record<SummaryGrain, Sql>> = {
  markets: sql`royalty_market_totals`,
  tracks: sql`royalty_track_totals`,
  labels: sql`royalty_label_totals`,
};

const columns = {
  store_id: sql`store_id`,
  territory: sql`territory`,
  release_id: sql`release_id`,
  track_id: sql`track_id`,
  isrc: sql`isrc`,
  label: sql`label`,
  usage_month: sql`usage_month`,
  accounting_month: sql`accounting_month`,
  use_type: sql`use_type`,
} as const;
type KeyColumn = keyof typeof columns;

/** A track has its ISRC and its release beside it. */
const columnsOfDimension: Readonly<Record<SummaryDimension, readonly KeyColumn[]>> = {
  store: ['store_id'],
  territory: ['territory'],
  release: ['release_id'],
  track: ['track_id', 'isrc', 'release_id'],
  label: ['label'],
  usage_month: ['usage_month'],
  accounting_month: ['accounting_month'],
  use_type: ['use_type'],
};

export type SummaryFilters = {
  readonly statementId?: StatementId | undefined;
  readonly months: UsageMonths;
  readonly storeId?: string | undefined;
  readonly territory?: string | undefined;
  readonly releaseId?: Id<'rel'> | undefined;
};

type SummaryRow = Readonly<Record<string, string>> & { readonly currency: Currency };

/**
 * In the order of the group, then of the currency. A page of tracks or releases reads only those, by an index; other groups are
 * few, and each page sums them all.
 */
export async function summarizeRoyalties(
  db: Db,
  orgId: OrgId,
  dimensions: readonly SummaryDimension[],
  filters: SummaryFilters,
  { limit, after }: PageRequest,
): Promise<Page<Summary>> {
  const keys = [...new Set(dimensions.flatMap((each) => columnsOfDimension[each]))];
  const group = listed([...keys.map((key) => columns[key]), sql`currency`]);
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`, ...conditionsOf(filters)];
  if (after !== undefined) where.push(sql`(${group}) > (${positionOf(orgId, keys, after)})`);
  // Equal sums are computed once, and each takes a sixth of the time: taxes and net are made of the others.
  const rows = await db.query<SummaryRow>(sql`
    select ${group}, sum(play_count)::text as play_count, sum(gross_amount) as gross_amount, sum(fee_amount) as fee_amount,
           sum(source_tax_amount) as source_tax_amount, sum(payee_tax_amount) as payee_tax_amount,
           sum(source_tax_amount) + sum(payee_tax_amount) as tax_amount,
           sum(gross_amount) - sum(fee_amount) - sum(source_tax_amount) - sum(payee_tax_amount) as net_amount
      from ${tables[grainOf(dimensions)]}
     where ${allOf(where)}
     group by ${group}
     order by ${group}
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: (row) => summaryOf(row, keys),
    position: (row) => ({
      at: keys.map((key) => encodeURIComponent(cursorValue(key, row[key] ?? ''))).join(','),
      id: row.currency,
    }),
  });
}

const listed = (parts: readonly Sql[]): Sql => parts.reduce((all, part) => sql`${all}, ${part}`);

function conditionsOf({
  statementId,
  months,
  storeId,
  territory,
  releaseId,
}: SummaryFilters): Sql[] {
  const conditions: Sql[] = [];
  if (statementId !== undefined) conditions.push(sql`statement_id = ${toUuid(statementId)}`);
  if (months.from !== undefined) conditions.push(sql`usage_month >= ${months.from}`);
  if (months.to !== undefined) conditions.push(sql`usage_month <= ${months.to}`);
  if (storeId !== undefined) conditions.push(sql`store_id = ${storeId}`);
  if (territory !== undefined) conditions.push(sql`territory = ${territory}`);
  if (releaseId !== undefined) conditions.push(sql`release_id = ${toUuid(releaseId)}`);
  return conditions;
}

/** A label may be longer than a cursor: the cursor has its digest, and totals are never removed. */
const cursorValue = (key: KeyColumn, value: string): string =>
  key === 'label' ? createHash('sha256').update(value).digest('hex') : value;

function positionOf(orgId: OrgId, keys: readonly KeyColumn[], { at, id }: PagePosition): Sql {
  const values = at.split(',').map(decodeURIComponent);
  const parts = keys.map((key, index) => {
    const value = values[index] ?? '';
    if (key === 'track_id' || key === 'release_id') return sql`${value}::uuid`;
    if (key !== 'label') return sql`${value}::text`;
    return sql`(select max(label) from royalty_label_totals
                 where org_id = ${toUuid(orgId)} and encode(sha256(convert_to(label, 'UTF8')), 'hex') = ${value})`;
  });
  return listed([...parts, sql`${id}::text`]);
}

const summaryOf = (row: SummaryRow, keys: readonly KeyColumn[]): Summary => ({
  keys: Object.fromEntries(keys.map((key) => [key, row[key] ?? ''])),
  currency: row.currency,
  playCount: Number(row['play_count']),
  grossAmount: row['gross_amount'] ?? '',
  feeAmount: row['fee_amount'] ?? '',
  sourceTaxAmount: row['source_tax_amount'] ?? '',
  payeeTaxAmount: row['payee_tax_amount'] ?? '',
  taxAmount: row['tax_amount'] ?? '',
  netAmount: row['net_amount'] ?? '',
});
