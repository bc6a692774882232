import { addMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { sql, type Statement, toStatement } from './sql.ts';

/** The sandbox clock of an organization. In live both are null or 0: business time is real time. */
export type OrganizationClock = {
  readonly offset_ms: number | null;
  readonly frozen_at: Date | null;
};

/** Sets the organization that row-level security lets through until the transaction ends; returns its clock. */
export const openOrganization = (orgId: OrgId): Statement =>
  toStatement(sql`select offset_ms::float8, frozen_at from open_organization(${toUuid(orgId)})`);

/**
 * The same for one statement that only reads: both travel in one batch, which is a transaction of its own without `begin`
 * and `commit`. It does not read the clock, which costs as much as the statement of a small read.
 */
export const openOrganizationReadOnly = (orgId: OrgId): Statement =>
  toStatement(sql`
    select set_config('app.org_id', ${toUuid(orgId)}, true), set_config('transaction_read_only', 'on', true)
  `);

/** Business time. */
export const businessTimeAt = ({ offset_ms, frozen_at }: OrganizationClock, realNow: Date): Date =>
  frozen_at ?? addMs(realNow, offset_ms ?? 0);
