/**
 * Where royalty records are in the files of published statements. Newest first: by publication, then by position. Without a
 * filter on records, a range is a file; with one, it is a section that matches.
 */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RecordPosition, RoyaltyRange } from '../domain/royalty-range.ts';
import type { Artifact } from '../domain/run-statement.ts';
import type { UsageMonths } from '../domain/usage-months.ts';

const rowsAtOnce = 5_000;

/** In the transaction that publishes the statement. */
export function insertSections(
  tx: Tx,
  statementId: StatementId,
  artifacts: readonly Artifact[],
): void {
  const placed = artifacts.flatMap(({ sections = [], firstPosition }) => {
    let position = firstPosition;
    return sections.map((section) => {
      const first = position;
      position += section[3];
      return { first, section };
    });
  });
  for (let start = 0; start < placed.length; start += rowsAtOnce) {
    const chunk = placed.slice(start, start + rowsAtOnce);
    const column = (index: 0 | 1 | 2 | 3) => chunk.map(({ section }) => section[index]);
    tx.write(sql`
      insert into royalty_sections (org_id, statement_id, first_position, record_count, store_id, territory, usage_month)
      select ${toUuid(tx.orgId)}, ${toUuid(statementId)}, *
        from unnest(${chunk.map(({ first }) => first)}::bigint[], ${column(3)}::bigint[], ${column(0)}::text[],
                    ${column(1)}::text[], ${column(2)}::text[])
    `);
  }
}

export type RoyaltyFilters = {
  readonly statementId?: StatementId | undefined;
  readonly storeId?: string | undefined;
  readonly territory?: string | undefined;
  /** A section with the ISRC has it in some records only. */
  readonly isrc?: Isrc | undefined;
  readonly months: UsageMonths;
};

type RangeRow = {
  readonly id: string;
  readonly currency: Currency;
  readonly published_at: Date;
  readonly published_text: string;
  readonly first_position: string;
  readonly record_count: string;
};

const rangeOf = (row: RangeRow): RoyaltyRange => ({
  statementId: toWire('stm', row.id),
  currency: row.currency,
  publishedAt: row.published_at,
  publishedText: row.published_text,
  firstPosition: Number(row.first_position),
  recordCount: Number(row.record_count),
});

/** The first ranges after a record. The first one may begin before it. */
export async function findRanges(
  db: Db,
  orgId: OrgId,
  filters: RoyaltyFilters,
  after: RecordPosition | undefined,
  limit: number,
): Promise<RoyaltyRange[]> {
  const statements = statementsWhere(orgId, filters);
  const ranges = rangesWhere(orgId, filters);
  if (after !== undefined) {
    const id = toUuid(after.statementId);
    statements.push(sql`(published_at, id) <= (${after.publishedText}::timestamptz, ${id}::uuid)`);
    ranges.push(
      sql`(statement_id <> ${id} or first_position + record_count > ${after.position + 1})`,
    );
  }
  // Each statement by its primary key: at most `limit` rows of each are read.
  const rows = await db.query<RangeRow>(sql`
    select s.id, s.currency, s.published_at, s.published_at::text as published_text, r.first_position, r.record_count
      from (select id, currency, published_at from statements where ${allOf(statements)}) s
     cross join lateral (
       select first_position, record_count from ${sourceOf(filters)} where ${allOf(ranges)}
        order by first_position limit ${limit}) r
     order by s.published_at desc, s.id desc, r.first_position
     limit ${limit}
  `);
  return rows.map(rangeOf);
}

/** The ranges from a number of records on, for pages by number. The first one begins at that record. */
export async function findRangesFrom(
  db: Db,
  orgId: OrgId,
  filters: RoyaltyFilters,
  offset: number,
  limit: number,
): Promise<RoyaltyRange[]> {
  const rows = await db.query<RangeRow & { readonly skipped: string }>(sql`
    select id, currency, published_at, published_text, first_position, record_count,
           greatest(${offset}::bigint - (up_to - record_count), 0) as skipped
      from (
        select s.id, s.currency, s.published_at, s.published_at::text as published_text, r.first_position,
               r.record_count,
               sum(r.record_count) over (order by s.published_at desc, s.id desc, r.first_position)::bigint as up_to
          from (select id, currency, published_at from statements
                 where ${allOf(statementsWhere(orgId, filters))}) s
         cross join lateral (
           select first_position, record_count from ${sourceOf(filters)}
            where ${allOf(rangesWhere(orgId, filters))}) r
      ) counted
     where up_to > ${offset}
     order by up_to
     limit ${limit}
  `);
  return rows.map((row) => {
    const range = rangeOf(row);
    const skipped = Number(row.skipped);
    return {
      ...range,
      firstPosition: range.firstPosition + skipped,
      recordCount: range.recordCount - skipped,
    };
  });
}

function statementsWhere(orgId: OrgId, { statementId }: RoyaltyFilters): [Sql, ...Sql[]] {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`, sql`status = 'published'`];
  if (statementId !== undefined) where.push(sql`id = ${toUuid(statementId)}`);
  return where;
}

const hasRecordFilter = ({ storeId, territory, isrc, months }: RoyaltyFilters): boolean =>
  [storeId, territory, isrc, months.from, months.to].some((value) => value !== undefined);

const sourceOf = (filters: RoyaltyFilters): Sql =>
  hasRecordFilter(filters)
    ? sql`royalty_sections range`
    : sql`(select org_id, statement_id, first_position, row_count as record_count from statement_artifacts
            where kind = 'royalties' and row_count > 0) range`;

function rangesWhere(orgId: OrgId, filters: RoyaltyFilters): [Sql, ...Sql[]] {
  const { storeId, territory, isrc, months } = filters;
  const where: [Sql, ...Sql[]] = [
    sql`range.org_id = ${toUuid(orgId)}`,
    sql`range.statement_id = s.id`,
  ];
  if (storeId !== undefined) where.push(sql`store_id = ${storeId}`);
  if (territory !== undefined) where.push(sql`territory = ${territory}`);
  if (months.from !== undefined) where.push(sql`usage_month >= ${months.from}`);
  if (months.to !== undefined) where.push(sql`usage_month <= ${months.to}`);
  if (isrc !== undefined)
    where.push(sql`exists (
      select from royalty_track_totals total
       where total.org_id = range.org_id and total.isrc = ${isrc} and total.statement_id = range.statement_id
         and total.usage_month = range.usage_month)`);
  return where;
}
