import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Tier } from '../../kernel/tier.ts';
import {
  actorColumns,
  defineColumns,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import {
  type Db,
  type OrganizationClock,
  businessTimeAt,
  type Tx,
} from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { Organization } from '../domain/organization.ts';
import type { Verification } from '../domain/verification.ts';

const organizations = defineColumns<Omit<Organization, 'id'>>({
  name: plain(),
  tier: plain(),
  defaultLabel: plain(),
  defaultMetadataLanguage: plain(),
  licensedTerritories: plain(),
  statementCurrency: plain(),
  manualReview: plain(),
});

export async function findOrganization(db: Db, orgId: OrgId): Promise<Organization | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${organizations.names} from organizations where org_id = ${toUuid(orgId)}`,
  );
  return row && { id: orgId, ...organizations.read(row) };
}

export function insertOrganization(
  tx: Tx,
  organization: Omit<Organization, 'id'>,
  { status, requirements }: Verification,
): void {
  tx.write(
    insertInto('organizations', {
      org_id: toUuid(tx.orgId),
      ...organizations.write(organization),
      verification_status: status,
      verification_requirements: json(requirements),
      created_at: tx.realNow,
      updated_at: tx.realNow,
      ...actorColumns(tx),
    }),
  );
}

/**
 * Business time now. `readClock` is called after the row was read, so the result is never before the row's
 * last change.
 */
export async function findBusinessTime(db: Db, orgId: OrgId, readClock: () => Date): Promise<Date> {
  const [row] = await db.query<OrganizationClock>(sql`
    select clock_offset_ms::float8 as offset_ms, clock_frozen_at as frozen_at
      from organizations where org_id = ${toUuid(orgId)}
  `);
  return row === undefined ? readClock() : businessTimeAt(row, readClock());
}

/** Freezes the sandbox's clock at a time. */
export function freezeClockAt(tx: Tx, at: Date): void {
  tx.write(
    sql`update organizations set clock_frozen_at = ${at} where org_id = ${toUuid(tx.orgId)}`,
  );
}

/** Sets the sandbox's clock to real time. */
export function resetClock(tx: Tx): void {
  tx.write(sql`
    update organizations set clock_frozen_at = null, clock_offset_ms = 0 where org_id = ${toUuid(tx.orgId)}
  `);
}

/** Lets the sandbox's clock run from a time on. */
export function resumeClockFrom(tx: Tx, from: Date): void {
  tx.write(sql`
    update organizations
       set clock_frozen_at = null, clock_offset_ms = ${from.getTime() - tx.readClock().getTime()}
     where org_id = ${toUuid(tx.orgId)}
  `);
}

/** Returns whether there was such an organization. */
export async function setManualReview(tx: Tx, manualReview: boolean): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations
       set manual_review = ${manualReview}, updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
    returning org_id
  `);
  return rows.length > 0;
}

/** Returns whether there was such an organization. One that is suspended already keeps its time. */
export async function setSuspended(tx: Tx, suspendedAt: Date | null): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations
       set suspended_at = case when ${suspendedAt}::timestamptz is not null then coalesce(suspended_at, ${suspendedAt}) end,
           updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
    returning org_id
  `);
  return rows.length > 0;
}

/** Whether no attempt may be made at a webhook, and no message may enter the inbox. */
export async function isSuspended(db: Db, orgId: OrgId): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from organizations where org_id = ${toUuid(orgId)} and suspended_at is not null
  `);
  return rows.length > 0;
}

/** Returns whether there was such an organization. */
export async function setTier(tx: Tx, tier: Tier): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations
       set tier = ${tier}, updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
    returning org_id
  `);
  return rows.length > 0;
}

/** Returns whether there was such an organization. */
export async function setStatementCurrency(tx: Tx, currency: Currency): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations
       set statement_currency = ${currency}, updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
    returning org_id
  `);
  return rows.length > 0;
}
