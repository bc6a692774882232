/** Totals per store, territory, release and usage month: of a run, and of published statements. */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RunId } from '../domain/run-plan.ts';

/** Amounts are decimal texts, as in the file that the calculation writes. */
export type RoyaltyTotal = {
  readonly storeId: string;
  readonly territory: string;
  /** A UUID: the totals of a large statement are many, and no one reads the id here. */
  readonly releaseId: string;
  readonly usageMonth: string;
  readonly playCount: string;
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly sourceTaxAmount: string;
  readonly payeeTaxAmount: string;
  readonly netAmount: string;
};

export type BucketTotal = RoyaltyTotal & { readonly statementId: StatementId };

const rowsAtOnce = 5_000;

/** A list for each column after the keys, in the order of both tables: several times as fast as JSON. */
const listsOf = (totals: readonly RoyaltyTotal[]) => sql`
  ${totals.map(({ storeId }) => storeId)}::text[], ${totals.map(({ territory }) => territory)}::text[],
  ${totals.map(({ releaseId }) => releaseId)}::uuid[], ${totals.map(({ usageMonth }) => usageMonth)}::text[],
  ${totals.map(({ playCount }) => playCount)}::bigint[], ${totals.map(({ grossAmount }) => grossAmount)}::numeric[],
  ${totals.map(({ feeAmount }) => feeAmount)}::numeric[],
  ${totals.map(({ sourceTaxAmount }) => sourceTaxAmount)}::numeric[],
  ${totals.map(({ payeeTaxAmount }) => payeeTaxAmount)}::numeric[],
  ${totals.map(({ netAmount }) => netAmount)}::numeric[]`;

const columns = sql`store_id, territory, release_id, usage_month, play_count, gross_amount, fee_amount,
  source_tax_amount, payee_tax_amount, net_amount`;

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
  totals: readonly BucketTotal[],
): void {
  const [org, run] = [toUuid(tx.orgId), toUuid(runId)];
  tx.write(sql`
    delete from run_totals where org_id = ${org} and run_id = ${run} and bucket = ${bucket}
  `);
  for (const chunk of chunksOf(totals)) {
    const statementIds = chunk.map(({ statementId }) => toUuid(statementId));
    tx.write(sql`
      insert into run_totals (org_id, run_id, bucket, statement_id, ${columns})
      select ${org}, ${run}, ${bucket}, * from unnest(${statementIds}::uuid[], ${listsOf(chunk)})
    `);
  }
}

/** Of one statement, over its buckets. */
export async function findStatementTotals(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  statementId: StatementId,
): Promise<RoyaltyTotal[]> {
  const rows = await db.query<Readonly<Record<string, string>>>(sql`
    select store_id, territory, release_id, usage_month, sum(play_count)::text as play_count,
           sum(gross_amount) as gross_amount, sum(fee_amount) as fee_amount,
           sum(source_tax_amount) as source_tax_amount, sum(payee_tax_amount) as payee_tax_amount,
           sum(net_amount) as net_amount
      from run_totals
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and statement_id = ${toUuid(statementId)}
     group by store_id, territory, release_id, usage_month
  `);
  return rows.map((row) => ({
    storeId: row['store_id'] ?? '',
    territory: row['territory'] ?? '',
    releaseId: row['release_id'] ?? '',
    usageMonth: row['usage_month'] ?? '',
    playCount: row['play_count'] ?? '',
    grossAmount: row['gross_amount'] ?? '',
    feeAmount: row['fee_amount'] ?? '',
    sourceTaxAmount: row['source_tax_amount'] ?? '',
    payeeTaxAmount: row['payee_tax_amount'] ?? '',
    netAmount: row['net_amount'] ?? '',
  }));
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
  statementId: StatementId,
  totals: readonly RoyaltyTotal[],
): void {
  for (const chunk of chunksOf(totals)) {
    tx.write(sql`
      insert into royalty_totals (org_id, statement_id, ${columns})
      select ${toUuid(tx.orgId)}, ${toUuid(statementId)}, * from unnest(${listsOf(chunk)})
    `);
  }
}

const removedAtOnce = 20_000;

/** Removes a bounded number of rows of a discarded run; true if it has none left. */
export async function removeRunRows(tx: Tx, runId: RunId): Promise<boolean> {
  const [org, run] = [toUuid(tx.orgId), toUuid(runId)];
  const removed = await tx.query(sql`
    delete from run_totals where ctid = any (array(
      select ctid from run_totals where org_id = ${org} and run_id = ${run} limit ${removedAtOnce})) returning 1
  `);
  if (removed.length > 0) return false;
  tx.write(sql`delete from run_statements where org_id = ${org} and run_id = ${run}`);
  tx.write(sql`delete from run_buckets where org_id = ${org} and run_id = ${run}`);
  return true;
}
