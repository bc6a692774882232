/** The decisions of operators about codes that two organizations bring to one store (ADR 0066). */

import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { setOfPacked } from '../../kernel/territory-set.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { type CodeConflict, conflictKey } from '../domain/code-conflicts.ts';

type HolderRow = {
  readonly store_id: string;
  readonly code: string;
  readonly org_id: string;
  readonly release_id: string;
  readonly territories: Buffer;
};

/**
 * Writes a row for each release of another organization that has one of the codes live, for the operator who decides, and
 * deletes the rows of those that have none any more. In the sandbox there are no rows.
 */
export async function openRightsReviews(
  tx: Tx,
  releaseId: ReleaseId,
  conflicts: readonly CodeConflict[],
): Promise<void> {
  const [org, release] = [toUuid(tx.orgId), toUuid(releaseId)];
  const stores = [...new Set(conflicts.map(({ storeId }) => storeId))];
  const codes = [...new Set(conflicts.map(({ code }) => code))];
  const holders = await tx.query<HolderRow>(sql`
    select store_id, code, org_id, release_id, territories from store_holdings
     where store_id = any(${stores}) and code = any(${codes})
       and held_to is null and org_id <> ${org} and (select name from environment) = 'live'
  `);
  const wanted = new Map(conflicts.map((each) => [conflictKey(each), each.territories]));
  const overlapping = holders.filter(({ store_id: storeId, code, territories }) => {
    const ofBoth = wanted.get(conflictKey({ storeId, code })) ?? 0n;
    return (ofBoth & setOfPacked(territories)) !== 0n;
  });
  const records = [
    ...Map.groupBy(overlapping, ({ store_id, org_id, release_id }) =>
      [store_id, org_id, release_id].join(' '),
    ).values(),
  ].map((ofRelease) => ({ ...ofRelease[0], codes: ofRelease.map(({ code }) => code) }));
  tx.write(sql`
    with held as materialized (
      select * from json_to_recordset(${json(records)}::json)
                 as held (store_id text, org_id uuid, release_id uuid, codes json)),
    over as (
      delete from rights_reviews review
       where org_id = ${org} and release_id = ${release} and store_id = any(${stores})
         and not exists (select from held
                          where held.store_id = review.store_id and held.org_id = review.holder_org_id
                            and held.release_id = review.holder_release_id))
    insert into rights_reviews (org_id, release_id, store_id, holder_org_id, holder_release_id, codes, opened_at)
    select ${org}, ${release}, store_id, org_id, release_id,
           array(select json_array_elements_text(codes)), ${tx.now}
      from held
    on conflict (org_id, release_id, store_id, holder_org_id, holder_release_id) do update set codes = excluded.codes
  `);
}

/** These stores of the release no longer wait. */
export function closeRightsReviews(
  tx: Tx,
  releaseId: ReleaseId,
  storeIds: readonly string[],
): void {
  tx.write(sql`select close_rights_reviews(${toUuid(releaseId)}, ${storeIds}::text[])`);
}

/** The release may be sent with these codes, although another organization holds them. */
export function grantCodes(
  tx: Tx,
  releaseId: ReleaseId,
  codes: readonly string[],
  reason: string,
): void {
  tx.write(sql`
    insert into rights_grants (org_id, release_id, code, reason, granted_at, actor_type, actor_id)
    select ${toUuid(tx.orgId)}, ${toUuid(releaseId)}, code, ${reason}, ${tx.now}, ${tx.actor.type}, ${tx.actor.id}
      from unnest(${codes}::text[]) code
    on conflict do nothing
  `);
}

/** Null: nothing waits for a decision. */
export async function findOldestRightsReview(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ opened_at: Date }>(
    sql`select opened_at from rights_reviews order by opened_at limit 1`,
  );
  return row?.opened_at ?? null;
}

export type RightsReview = {
  readonly orgId: OrgId;
  readonly releaseId: ReleaseId;
  readonly storeId: string;
  readonly holderOrgId: OrgId;
  readonly holderReleaseId: ReleaseId;
  readonly codes: readonly string[];
  readonly openedAt: Date;
};

type ReviewRow = {
  readonly org_id: string;
  readonly release_id: string;
  readonly store_id: string;
  readonly holder_org_id: string;
  readonly holder_release_id: string;
  readonly codes: readonly string[];
  readonly opened_at: Date;
};

const toReview = (row: ReviewRow): RightsReview => ({
  orgId: toWire('org', row.org_id),
  releaseId: toWire('rel', row.release_id),
  storeId: row.store_id,
  holderOrgId: toWire('org', row.holder_org_id),
  holderReleaseId: toWire('rel', row.holder_release_id),
  codes: row.codes,
  openedAt: row.opened_at,
});

export const listedReviewsMax = 1_000;

/** The oldest first. */
export async function listRightsReviews(db: Db): Promise<readonly RightsReview[]> {
  const rows = await db.query<ReviewRow>(sql`
    select * from rights_reviews order by opened_at, org_id, release_id, store_id limit ${listedReviewsMax}
  `);
  return rows.map(toReview);
}

/** All of one release, by store. */
export async function findRightsReviews(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
): Promise<readonly RightsReview[]> {
  const rows = await db.query<ReviewRow>(sql`
    select * from rights_reviews
     where org_id = ${toUuid(orgId)} and release_id = ${toUuid(releaseId)}
     order by store_id, holder_org_id, holder_release_id
  `);
  return rows.map(toReview);
}

/** Of these stores, those that have a release of the organization live now. */
export async function findStoresHolding(
  tx: Tx,
  releaseId: ReleaseId,
  storeIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ store_id: string }>(sql`
    select distinct store_id from store_holdings
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and held_to is null
       and store_id = any(${storeIds})
     order by store_id
  `);
  return rows.map(({ store_id }) => store_id);
}
