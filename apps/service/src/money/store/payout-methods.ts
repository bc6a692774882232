import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import type { MethodStatus, PayoutMethod } from '../domain/payout-method.ts';
import type { PayoutMethodId } from '../domain/payout.ts';

const methods = defineColumns<PayoutMethod>({
  id: idColumn('pm'),
  type: plain(),
  country: plain(),
  currency: plain(),
  lastFour: plain(),
  sealedDetails: plain(),
  status: plain(),
  usableFrom: plain(),
  requestedBy: plain(),
  approvedBy: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findPayoutMethod(
  db: Db,
  orgId: OrgId,
  id: PayoutMethodId,
): Promise<PayoutMethod | undefined> {
  return (await findPayoutMethods(db, orgId, [id])).get(id);
}

/** Also removed ones: payouts name the method that they were created with. */
export async function findPayoutMethods(
  db: Db,
  orgId: OrgId,
  ids: readonly PayoutMethodId[],
): Promise<ReadonlyMap<PayoutMethodId, PayoutMethod>> {
  const rows = await db.query<Row>(sql`
    select ${methods.names} from payout_methods
     where org_id = ${toUuid(orgId)} and id = any(${ids.map(toUuid)}::uuid[])
  `);
  return new Map(rows.map(methods.read).map((method) => [method.id, method]));
}

/** Newest first. There are at most `methodsMax`. */
export async function findActiveMethods(db: Db, orgId: OrgId): Promise<PayoutMethod[]> {
  const rows = await db.query<Row>(sql`
    select ${methods.names} from payout_methods
     where org_id = ${toUuid(orgId)} and status = 'active'
     order by created_at desc, id desc
  `);
  return rows.map(methods.read);
}

/** The advisory lock serializes changes of an organization's methods: two that count at once would both be allowed. */
export async function countMethods(tx: Tx): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 26))`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from payout_methods
     where org_id = ${toUuid(tx.orgId)} and status <> 'removed'
  `);
  return row?.count ?? 0;
}

/** FOR UPDATE: an approval and a removal of one method follow each other. */
export async function lockPayoutMethod(
  tx: Tx,
  id: PayoutMethodId,
): Promise<PayoutMethod | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${methods.names} from payout_methods
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && methods.read(row);
}

/** Newest first by (created_at, id). */
export function listPayoutMethods(
  db: Db,
  orgId: OrgId,
  status: MethodStatus | undefined,
  page: PageRequest,
): Promise<Page<PayoutMethod>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`payout_methods`,
      columns: methods.names,
      filters: [given(status, (value) => sql`status = ${value}`)],
      read: methods.read,
    },
    page,
  );
}

export function insertPayoutMethod(tx: Tx, method: PayoutMethod): void {
  tx.write(
    insertInto('payout_methods', {
      org_id: toUuid(tx.orgId),
      ...methods.write(method),
      ...actorColumns(tx),
    }),
  );
}

/** Writes what can change after the creation. */
export function updatePayoutMethod(tx: Tx, method: PayoutMethod): void {
  const { id, status, usableFrom, approvedBy, updatedAt } = method;
  tx.write(
    updateWhere(
      'payout_methods',
      {
        status,
        usable_from: usableFrom,
        approved_by: approvedBy,
        updated_at: updatedAt,
        ...actorColumns(tx),
      },
      { org_id: toUuid(tx.orgId), id: toUuid(id) },
    ),
  );
}
