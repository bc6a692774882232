import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StoreCode } from './holdings.ts';

/** Keeps who holds these codes at these stores, for the operator who decides. */
export function openRightsReview(tx: Tx, releaseId: ReleaseId, held: readonly StoreCode[]): void {
  const org = toUuid(tx.orgId);
  tx.write(sql`
    insert into rights_reviews (org_id, release_id, store_id, code, holder_org_id, holder_release_id, opened_at)
    select distinct ${org}::uuid, ${toUuid(releaseId)}::uuid, held.store_id, held.code, held.org_id, held.release_id,
           ${tx.now}::timestamptz
      from store_holdings held
      join unnest(${held.map(({ storeId }) => storeId)}::text[], ${held.map(({ code }) => code)}::text[])
        as wanted (store_id, code) using (store_id, code)
     where held.held_to is null and held.org_id <> ${org}
    on conflict do nothing
  `);
}

/** Without `stillHeld`, which keeps the time since when it waits. */
export function closeRightsReview(
  tx: Tx,
  orgId: OrgId,
  releaseId: ReleaseId,
  stillHeld: readonly StoreCode[] = [],
): void {
  tx.write(sql`
    delete from rights_reviews review
     where org_id = ${toUuid(orgId)} and release_id = ${toUuid(releaseId)}
       and not exists (
         select from unnest(${stillHeld.map(({ storeId }) => storeId)}::text[],
                            ${stillHeld.map(({ code }) => code)}::text[]) as held (store_id, code)
          where held.store_id = review.store_id and held.code = review.code)
  `);
}

/** Null: nothing waits for a decision. */
export async function findOldestRightsReview(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ opened_at: Date }>(
    sql`select opened_at from rights_reviews order by opened_at limit 1`,
  );
  return row?.opened_at ?? null;
}

/** With these codes the release may be sent, whoever else holds them. */
export function grantCodes(tx: Tx, releaseId: ReleaseId, codes: readonly string[]): void {
  tx.write(sql`
    insert into rights_grants (org_id, release_id, code, granted_at, actor_type, actor_id)
    select ${toUuid(tx.orgId)}, ${toUuid(releaseId)}, code, ${tx.now}, ${tx.actor.type}, ${tx.actor.id}
      from unnest(${codes}::text[]) code
    on conflict do nothing
  `);
}

export type RightsReview = {
  readonly orgId: OrgId;
  readonly releaseId: ReleaseId;
  readonly storeId: string;
  readonly code: string;
  readonly holderOrgId: OrgId;
  readonly holderReleaseId: ReleaseId;
  readonly openedAt: Date;
};

const reviewsMax = 1_000;

/** The oldest first. With `releaseId`: of this release. */
export async function listRightsReviews(
  db: Db,
  releaseId: ReleaseId | undefined,
): Promise<readonly RightsReview[]> {
  const release = releaseId && toUuid(releaseId);
  const rows = await db.query<{
    org_id: string;
    release_id: string;
    store_id: string;
    code: string;
    holder_org_id: string;
    holder_release_id: string;
    opened_at: Date;
  }>(sql`
    select * from rights_reviews
     where ${release ?? null}::uuid is null or release_id = ${release ?? null}::uuid
     order by opened_at, org_id, release_id, store_id, code
     limit ${reviewsMax}
  `);
  return rows.map((row) => ({
    orgId: toWire('org', row.org_id),
    releaseId: toWire('rel', row.release_id),
    storeId: row.store_id,
    code: row.code,
    holderOrgId: toWire('org', row.holder_org_id),
    holderReleaseId: toWire('rel', row.holder_release_id),
    openedAt: row.opened_at,
  }));
}
