/** Totals of a run, by bucket, and of published statements. Both have one table for each grain. */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RunId } from '../domain/run-plan.ts';
import type { Statement } from '../domain/statement.ts';
import {
  type BucketTotal,
  grainNames,
  type Total,
  totalAmounts,
  type TotalsGrain,
  totalsGrains,
  type TotalsOf,
} from '../domain/totals.ts';

type GrainTables = {
  readonly ofRun: Sql;
  readonly published: Sql;
  readonly keys: Sql;
  /** Of the published table. */
  readonly hasCurrency: boolean;
  readonly isUuid: readonly boolean[];
};

const isUuid = (grain: TotalsGrain): readonly boolean[] =>
  totalsGrains[grain].map((key) => key === 'release_id' || key === 'track_id');

const tables: Readonly<Record<TotalsGrain, GrainTables>> = {
  releases: {
    ofRun: sql`run_totals`,
    published: sql`royalty_totals`,
    keys: sql`store_id, territory, release_id, usage_month`,
    hasCurrency: false,
    isUuid: isUuid('releases'),
  },
  markets: {
    ofRun: sql`run_market_totals`,
    published: sql`royalty_market_totals`,
    keys: sql`store_id, territory, usage_month, use_type, accounting_month`,
    hasCurrency: true,
    isUuid: isUuid('markets'),
  },
  tracks: {
    ofRun: sql`run_track_totals`,
    published: sql`royalty_track_totals`,
    keys: sql`track_id, isrc, release_id, usage_month`,
    hasCurrency: true,
    isUuid: isUuid('tracks'),
  },
};

const amounts = sql`play_count, gross_amount, fee_amount, source_tax_amount, payee_tax_amount, net_amount`;
const rowsAtOnce = 5_000;

/** A list for each column: several times as fast as JSON. `first` is the place of the keys in a row. */
function listsOf(grain: TotalsGrain, rows: readonly (readonly string[])[], first: number): Sql {
  const column = (index: number) => rows.map((row) => row[index] ?? '');
  const keys = tables[grain].isUuid.map((isId, key) =>
    isId ? sql`${column(first + key)}::uuid[]` : sql`${column(first + key)}::text[]`,
  );
  const plays = first + keys.length;
  return [
    ...keys,
    sql`${column(plays)}::bigint[]`,
    ...totalAmounts.map((_, amount) => sql`${column(plays + 1 + amount)}::numeric[]`),
  ].reduce((all, list) => sql`${all}, ${list}`);
}

function* chunksOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += rowsAtOnce) {
    yield items.slice(start, start + rowsAtOnce);
  }
}

/** Replaces those of the bucket. */
export function replaceBucketTotals(
  tx: Tx,
  runId: RunId,
  bucket: number,
  totals: TotalsOf<BucketTotal>,
): void {
  const [org, run] = [toUuid(tx.orgId), toUuid(runId)];
  for (const grain of grainNames) {
    const { ofRun, keys } = tables[grain];
    tx.write(sql`
      delete from ${ofRun} where org_id = ${org} and run_id = ${run} and bucket = ${bucket}
    `);
    for (const chunk of chunksOf(totals[grain])) {
      const statementIds = chunk.map(([statement]) => statement);
      tx.write(sql`
        insert into ${ofRun} (org_id, run_id, bucket, statement_id, ${keys}, ${amounts})
        select ${org}, ${run}, ${bucket}, *
          from unnest(${statementIds}::uuid[], ${listsOf(grain, chunk, 1)})
      `);
    }
  }
}

/** Of one statement, over its buckets. */
export async function findStatementTotals(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  statementId: StatementId,
  grain: TotalsGrain,
): Promise<Total[]> {
  const { ofRun, keys } = tables[grain];
  const rows = await db.query<Readonly<Record<string, string>>>(sql`
    select ${keys}, sum(play_count)::text as play_count,
           sum(gross_amount) as gross_amount, sum(fee_amount) as fee_amount,
           sum(source_tax_amount) as source_tax_amount, sum(payee_tax_amount) as payee_tax_amount,
           sum(net_amount) as net_amount
      from ${ofRun}
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and statement_id = ${toUuid(statementId)}
     group by ${keys}
  `);
  const names = [...totalsGrains[grain], 'play_count', ...totalAmounts];
  return rows.map((row) => names.map((name) => row[name] ?? ''));
}

export type StoreGross = {
  readonly storeId: string;
  readonly currency: Currency;
  readonly grossAmount: string;
};

/**
 * The totals of each statement first, then its currency by the primary key: both tables were written moments ago, and
 * without statistics PostgreSQL would compare every total with every statement.
 */
export async function findStoreGross(db: Db, orgId: OrgId, runId: RunId): Promise<StoreGross[]> {
  const [org, run] = [toUuid(orgId), toUuid(runId)];
  const rows = await db.query<{ store_id: string; currency: Currency; gross_amount: string }>(sql`
    with of_statements as materialized (
      select statement_id, store_id, sum(gross_amount) as gross_amount
        from run_totals where org_id = ${org} and run_id = ${run} group by statement_id, store_id),
    with_currency as materialized (
      select store_id, gross_amount,
             (select currency from run_statements
               where org_id = ${org} and run_id = ${run} and statement_id = of_statements.statement_id) as currency
        from of_statements)
    select store_id, currency, sum(gross_amount) as gross_amount
      from with_currency where currency is not null
     group by store_id, currency order by store_id, currency
  `);
  return rows.map(({ store_id, currency, gross_amount }) => ({
    storeId: store_id,
    currency,
    grossAmount: gross_amount,
  }));
}

/** Of a published statement, in the transaction of its organization. */
export function insertRoyaltyTotals(
  tx: Tx,
  { id, currency }: Pick<Statement, 'id' | 'currency'>,
  totals: TotalsOf<Total>,
): void {
  const [org, statement] = [toUuid(tx.orgId), toUuid(id)];
  for (const grain of grainNames) {
    const { published, keys, hasCurrency } = tables[grain];
    const [names, values] = hasCurrency
      ? [sql`statement_id, currency`, sql`${statement}::uuid, ${currency}::text`]
      : [sql`statement_id`, sql`${statement}::uuid`];
    for (const chunk of chunksOf(totals[grain])) {
      tx.write(sql`
        insert into ${published} (org_id, ${names}, ${keys}, ${amounts})
        select ${org}, ${values}, * from unnest(${listsOf(grain, chunk, 0)})
      `);
    }
  }
  insertLabelTotals(tx, id);
}

/**
 * By the label that each release has now: a published statement does not change with the catalogue. A release that is gone has
 * no label.
 */
function insertLabelTotals(tx: Tx, statementId: StatementId): void {
  const [org, statement] = [toUuid(tx.orgId), toUuid(statementId)];
  tx.write(sql`
    insert into royalty_label_totals (org_id, statement_id, currency, label, usage_month, ${amounts})
    select total.org_id, total.statement_id, total.currency, coalesce(release.label, ''), total.usage_month, sum(play_count),
           sum(gross_amount), sum(fee_amount), sum(source_tax_amount), sum(payee_tax_amount), sum(net_amount)
      from royalty_track_totals total
      left join releases release on release.org_id = total.org_id and release.id = total.release_id
     where total.org_id = ${org} and total.statement_id = ${statement}
     group by total.org_id, total.statement_id, total.currency, coalesce(release.label, ''), total.usage_month
  `);
}

const removedAtOnce = 20_000;

/** Removes a bounded number of rows of a discarded run; true if it has none left. */
export async function removeRunRows(tx: Tx, runId: RunId): Promise<boolean> {
  const [org, run] = [toUuid(tx.orgId), toUuid(runId)];
  for (const grain of grainNames) {
    const { ofRun } = tables[grain];
    const removed = await tx.query(sql`
      delete from ${ofRun} where ctid = any (array(
        select ctid from ${ofRun} where org_id = ${org} and run_id = ${run} limit ${removedAtOnce})) returning 1
    `);
    if (removed.length > 0) return false;
  }
  tx.write(sql`delete from run_statements where org_id = ${org} and run_id = ${run}`);
  tx.write(sql`delete from run_buckets where org_id = ${org} and run_id = ${run}`);
  return true;
}

/** Whether every statement with line items has totals of each kind. Before migration 0032 a run wrote those of releases only. */
export async function hasAllTotals(tx: Tx, runId: RunId): Promise<boolean> {
  const [org, run] = [toUuid(tx.orgId), toUuid(runId)];
  const rows = await tx.query(sql`
    select from run_statements statement
     where org_id = ${org} and run_id = ${run} and line_item_count > 0
       and not (exists (select from run_market_totals total
                         where total.org_id = ${org} and total.run_id = ${run}
                           and total.statement_id = statement.statement_id)
            and exists (select from run_track_totals total
                         where total.org_id = ${org} and total.run_id = ${run}
                           and total.statement_id = statement.statement_id))
     limit 1
  `);
  return rows.length === 0;
}
