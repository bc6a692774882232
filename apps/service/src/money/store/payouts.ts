import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  type Column,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  nullable,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Payout, PayoutId, PayoutStatus } from '../domain/payout.ts';
import { fxRateColumn } from './fx-rate-column.ts';
import { microsColumn } from './micros-column.ts';

const statementIdsColumn: Column<Payout['statementIds']> = {
  read: (stored: readonly string[]) => stored.map((uuid) => toWire('stm', uuid)),
  write: (ids) => ids.map(toUuid),
};

const payouts = defineColumns<Payout>({
  id: idColumn('pay'),
  status: plain(),
  currency: plain(),
  amount: microsColumn,
  feeAmount: microsColumn,
  feeBearer: plain(),
  destinationCurrency: plain(),
  fxRate: nullable(fxRateColumn),
  destinationAmount: microsColumn,
  payoutMethodId: idColumn('pm'),
  destination: jsonb(),
  retryOf: nullable(idColumn('pay')),
  statementIds: statementIdsColumn,
  failureCode: plain(),
  railReference: plain(),
  arrivesOn: plain(),
  cutOffAt: plain(),
  expiresAt: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findPayout(db: Db, orgId: OrgId, id: PayoutId): Promise<Payout | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${payouts.names} from payouts where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && payouts.read(row);
}

/** FOR UPDATE: holds, cut-offs, cancellations and outcomes of one payout follow each other. */
export async function lockPayout(tx: Tx, id: PayoutId): Promise<Payout | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${payouts.names} from payouts
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && payouts.read(row);
}

/** The payout that retries this one, if there is one. */
export async function findRetryOf(tx: Tx, id: PayoutId): Promise<PayoutId | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from payouts where org_id = ${toUuid(tx.orgId)} and retry_of = ${toUuid(id)}
  `);
  return row && toWire('pay', row.id);
}

/** FOR UPDATE, in the order of their ids: two transactions that lock the same ones cannot deadlock. */
export async function lockPendingPayouts(tx: Tx): Promise<Payout[]> {
  const rows = await tx.query<Row>(sql`
    select ${payouts.names} from payouts
     where org_id = ${toUuid(tx.orgId)} and status = 'pending' order by id for update
  `);
  return rows.map(payouts.read);
}

/** The caller holds the lock of the ledger, so no payout of the organization is created meanwhile. */
export async function countOpenPayouts(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from payouts
     where org_id = ${toUuid(tx.orgId)} and status in ('pending', 'on_hold', 'processing', 'in_transit')
  `);
  return row?.count ?? 0;
}

export type PayoutFilters = {
  readonly status?: PayoutStatus | undefined;
  readonly currency?: string | undefined;
};

/** Newest first by (created_at, id). */
export function listPayouts(
  db: Db,
  orgId: OrgId,
  { status, currency }: PayoutFilters,
  page: PageRequest,
): Promise<Page<Payout>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`payouts`,
      columns: payouts.names,
      filters: [
        given(status, (value) => sql`status = ${value}`),
        given(currency, (value) => sql`currency = ${value}`),
      ],
      read: payouts.read,
    },
    page,
  );
}

/** How long the oldest payout has been processing, in business time; 0 if none is. */
export async function readProcessingSeconds(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ seconds: number | null }>(sql`
    select extract(epoch from ${tx.now}::timestamptz - min(updated_at))::float8 as seconds from payouts
     where org_id = ${toUuid(tx.orgId)} and status = 'processing'
  `);
  return Math.max(0, row?.seconds ?? 0);
}

export function insertPayout(tx: Tx, payout: Payout): void {
  tx.write(
    insertInto('payouts', {
      org_id: toUuid(tx.orgId),
      ...payouts.write(payout),
      ...actorColumns(tx),
    }),
  );
}

/** Writes what can change after the creation. */
export function updatePayout(tx: Tx, payout: Payout): void {
  const { id, status, failureCode, railReference, arrivesOn, cutOffAt, expiresAt, updatedAt } =
    payout;
  tx.write(
    updateWhere(
      'payouts',
      {
        status,
        failure_code: failureCode,
        rail_reference: railReference,
        arrives_on: arrivesOn,
        cut_off_at: cutOffAt,
        expires_at: expiresAt,
        updated_at: updatedAt,
        ...actorColumns(tx),
      },
      { org_id: toUuid(tx.orgId), id: toUuid(id) },
    ),
  );
}

export type PayoutTransition = {
  readonly number: number;
  readonly from: PayoutStatus | null;
  readonly to: PayoutStatus;
  readonly cause: string;
  readonly at: Date;
};

/** The caller holds the lock of the payout, so the numbers have no gap. */
export function insertTransition(
  tx: Tx,
  id: PayoutId,
  { from, to, cause }: Pick<PayoutTransition, 'from' | 'to' | 'cause'>,
): void {
  const { actor_type, actor_id } = actorColumns(tx);
  tx.write(sql`
    insert into payout_transitions (org_id, payout_id, number, from_status, to_status, cause, at, actor_type, actor_id)
    select ${toUuid(tx.orgId)}, ${toUuid(id)}, 1 + count(*), ${from}, ${to}, ${cause}, ${tx.now}, ${actor_type}, ${actor_id}
      from payout_transitions where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(id)}
  `);
}

export async function listTransitions(
  db: Db,
  orgId: OrgId,
  id: PayoutId,
): Promise<PayoutTransition[]> {
  return db.query<PayoutTransition>(sql`
    select number, from_status as "from", to_status as "to", cause, at from payout_transitions
     where org_id = ${toUuid(orgId)} and payout_id = ${toUuid(id)} order by number
  `);
}
