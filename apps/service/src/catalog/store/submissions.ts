import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import type { Ean } from '../../kernel/product-code.ts';
import type { Upc } from '../../kernel/upc.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { Submission, SubmissionId } from '../domain/submission.ts';
import { type TrackId, unsetTrackFields } from '../domain/track.ts';
import { parseStoredRelease } from './revisions.ts';

const submissions = defineColumns<Submission>({
  id: idColumn('sub'),
  releaseId: idColumn('rel'),
  revision: plain(),
  submittedAt: { read: (stored: Date) => stored.toISOString(), write: (at) => at },
  reviewStatus: plain(),
  findings: jsonb(),
});

const toRow = (tx: Tx, submission: Submission): Row => ({
  ...submissions.write(submission),
  ...actorColumns(tx),
});

export function insertSubmission(tx: Tx, submission: Submission): void {
  tx.write(insertInto('submissions', { org_id: toUuid(tx.orgId), ...toRow(tx, submission) }));
}

/** Writes only the columns that the role of the worker may update. */
export function markSubmissionReviewed(tx: Tx, submission: Submission): void {
  const {
    id,
    release_id: _releaseId,
    revision: _revision,
    submitted_at: _submittedAt,
    ...decision
  } = toRow(tx, submission);
  const changes = { ...decision, decided_at: tx.now };
  tx.write(updateWhere('submissions', changes, { org_id: toUuid(tx.orgId), id }));
}

export async function findReleaseIdOfSubmission(
  tx: Tx,
  id: SubmissionId,
): Promise<ReleaseId | undefined> {
  const [row] = await tx.query<{ release_id: string }>(sql`
    select release_id from submissions where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
  return row && toWire('rel', row.release_id);
}

const pendingMax = 100;

export type PendingReview = {
  readonly submissionId: SubmissionId;
  readonly releaseId: ReleaseId;
  readonly submittedAt: Date;
};

/** Oldest first. */
export async function listPendingReviews(tx: Tx): Promise<PendingReview[]> {
  const rows = await tx.query<{ id: string; release_id: string; submitted_at: Date }>(sql`
    select id, release_id, submitted_at from submissions
     where org_id = ${toUuid(tx.orgId)} and review_status = 'pending'
     order by id limit ${pendingMax}
  `);
  return rows.map((row) => ({
    submissionId: toWire('sub', row.id),
    releaseId: toWire('rel', row.release_id),
    submittedAt: row.submitted_at,
  }));
}

/**
 * One row per revision: a second submission of the same revision keeps the first snapshot. A trigger of the table
 * records the ISRCs in `release_isrcs`.
 */
export function insertSnapshot(tx: Tx, snapshot: Snapshot): void {
  const { release } = snapshot;
  tx.write(sql`
    insert into release_snapshots (org_id, release_id, revision, snapshot, created_at)
    values (${toUuid(tx.orgId)}, ${toUuid(release.id)}, ${release.revision}, ${json(snapshot)}, ${tx.now})
    on conflict do nothing
  `);
}

export type SnapshotCodes = {
  readonly upc: Upc;
  readonly ean: Ean | null;
  readonly tracks: readonly { readonly id: TrackId; readonly isrc: Isrc }[];
};

/** The codes of a snapshot alone, which may have a megabyte. */
export async function findSnapshotCodes(
  tx: Tx,
  releaseId: ReleaseId,
  revision: number,
): Promise<SnapshotCodes | undefined> {
  const [row] = await tx.query<SnapshotCodes>(sql`
    select snapshot -> 'release' ->> 'upc' as upc, ean,
           (select jsonb_agg(jsonb_build_object('id', track -> 'id', 'isrc', track -> 'isrc'))
              from jsonb_array_elements(snapshot -> 'tracks') track) as tracks
      from release_snapshots
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and revision = ${revision}
  `);
  return row;
}

/** In the stored JSON, fields that tracks got later are missing. */
const emptyTrackFields = { ...unsetTrackFields, contributors: [] };

export async function findSnapshot(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  revision: number,
): Promise<Snapshot | undefined> {
  // Snapshots from before there were artists have none.
  type Stored = Omit<Snapshot, 'artists'> & Partial<Snapshot>;
  const [row] = await db.query<{ snapshot: Stored }>(sql`
    select snapshot from release_snapshots
     where org_id = ${toUuid(orgId)} and release_id = ${toUuid(releaseId)} and revision = ${revision}
  `);
  if (row === undefined) return undefined;
  const { release, tracks, assets, artists } = row.snapshot;
  return {
    release: parseStoredRelease(release),
    tracks: tracks.map((track) => ({
      ...emptyTrackFields,
      ...track,
      createdAt: new Date(track.createdAt),
      updatedAt: new Date(track.updatedAt),
    })),
    assets,
    artists: artists ?? [],
  };
}
