import type { Actor } from '../../kernel/actor.ts';
import { type OrgId, type ReleaseId, toUuid } from '../../kernel/ids.ts';
import { languageDefault } from '../../kernel/language.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { type Release, type RevisedField, unsetReleaseFields } from '../domain/release.ts';

export type Revision = {
  readonly releaseId: ReleaseId;
  readonly revision: number;
  readonly changedFields: readonly RevisedField[];
  readonly actor: Actor;
  readonly createdAt: Date;
};

const revisions = defineColumns<Omit<Revision, 'actor'>>({
  releaseId: idColumn('rel'),
  revision: plain(),
  changedFields: plain(),
  createdAt: plain(),
});

const names = sql`${revisions.names}, actor_type, actor_id`;

type RevisionRow = Row & { readonly actor_type: Actor['type']; readonly actor_id: string };

const toRevision = (row: RevisionRow): Revision => ({
  ...revisions.read(row),
  // insertRevision wrote the type and the id of one Actor.
  actor: { type: row.actor_type, id: row.actor_id } as Actor,
});

export function insertRevision(tx: Tx, release: Release, changed: readonly RevisedField[]): void {
  const { id: releaseId, revision, updatedAt: createdAt } = release;
  tx.write(
    insertInto('release_revisions', {
      org_id: toUuid(tx.orgId),
      ...revisions.write({ releaseId, revision, changedFields: changed, createdAt }),
      release: json(release),
      ...actorColumns(tx),
    }),
  );
}

/** Newest first. Undefined when the release does not exist: every release has revision 1. */
export async function listRevisions(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  { limit, after }: PageRequest,
): Promise<Page<Revision> | undefined> {
  const before = after === undefined ? null : Number(after.id);
  const rows = await db.query<RevisionRow & { position: string; revision: number }>(sql`
    select ${names}, created_at::text as position
      from release_revisions
     where org_id = ${toUuid(orgId)}
       and release_id = ${toUuid(releaseId)}
       and (${before}::integer is null or revision < ${before})
     order by revision desc
     limit ${limit + 1}
  `);
  if (rows.length === 0) return undefined;
  return toPage(rows, limit, {
    item: toRevision,
    position: ({ position, revision }) => ({ at: position, id: String(revision) }),
  });
}

export async function findRevision(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  revision: number,
): Promise<(Revision & { readonly release: Release }) | undefined> {
  const [row] = await db.query<RevisionRow & { release: Release }>(sql`
    select ${names}, release
      from release_revisions
     where org_id = ${toUuid(orgId)}
       and release_id = ${toUuid(releaseId)}
       and revision = ${revision}
  `);
  if (row === undefined) return undefined;
  const release = parseStoredRelease(row.release);
  return { ...toRevision(row), release };
}

/** In the stored JSON, dates are text, and fields that releases got later are missing. */
export const parseStoredRelease = (
  stored: Omit<Release, 'submission' | 'metadataLanguage'> & Partial<Release>,
): Release => ({
  ...unsetReleaseFields,
  metadataLanguage: languageDefault,
  ...stored,
  submission: stored.submission ?? null,
  createdAt: new Date(stored.createdAt),
  updatedAt: new Date(stored.updatedAt),
});
