import type { Actor } from '../../kernel/actor.ts';
import { type OrgId, type ReleaseId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { RevisedField, Release } from '../domain/release.ts';

export type Revision = {
  readonly releaseId: ReleaseId;
  readonly revision: number;
  readonly changedFields: readonly RevisedField[];
  readonly actor: Actor;
  readonly createdAt: Date;
};

type Row = {
  readonly revision: number;
  readonly changed_fields: RevisedField[];
  readonly actor_type: Actor['type'];
  readonly actor_id: string;
  readonly created_at: Date;
};

const toRevision = (releaseId: ReleaseId, row: Row): Revision => ({
  releaseId,
  revision: row.revision,
  changedFields: row.changed_fields,
  // The database holds what an Actor was written as.
  actor: { type: row.actor_type, id: row.actor_id } as Actor,
  createdAt: row.created_at,
});

export function insertRevision(tx: Tx, release: Release, changed: readonly RevisedField[]): void {
  tx.write(sql`
    insert into release_revisions (org_id, release_id, revision, changed_fields, release, created_at, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(release.id)}, ${release.revision}, ${changed}, ${json(release)},
            ${release.updatedAt}, ${tx.actor.type}, ${tx.actor.id})
  `);
}

/** Newest first. Undefined when there is no such release: every release has a first revision. */
export async function listRevisions(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  { limit, after }: PageRequest,
): Promise<Page<Revision> | undefined> {
  const before = after === undefined ? null : Number(after.id);
  const rows = await db.query<Row & { position: string }>(sql`
    select revision, changed_fields, actor_type, actor_id, created_at, created_at::text as position
      from release_revisions
     where org_id = ${toUuid(orgId)}
       and release_id = ${toUuid(releaseId)}
       and (${before}::integer is null or revision < ${before})
     order by revision desc
     limit ${limit + 1}
  `);
  if (rows.length === 0) return undefined;
  return toPage(rows, limit, {
    item: (row) => toRevision(releaseId, row),
    position: ({ position, revision }) => ({ at: position, id: String(revision) }),
  });
}

export async function findRevision(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  revision: number,
): Promise<(Revision & { readonly release: Release }) | undefined> {
  const [row] = await db.query<Row & { release: Release }>(sql`
    select revision, changed_fields, actor_type, actor_id, created_at, release
      from release_revisions
     where org_id = ${toUuid(orgId)}
       and release_id = ${toUuid(releaseId)}
       and revision = ${revision}
  `);
  if (row === undefined) return undefined;
  const release = parseStoredRelease(row.release);
  return { ...toRevision(releaseId, row), release };
}

/** A release as it was stored: dates are text there, and what was added to releases later is missing. */
export const parseStoredRelease = (
  stored: Omit<Release, 'submission'> & Partial<Release>,
): Release => ({
  ...stored,
  submission: stored.submission ?? null,
  createdAt: new Date(stored.createdAt),
  updatedAt: new Date(stored.updatedAt),
});
