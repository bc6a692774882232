import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, pageBytesMax, type PageRequest, toBoundedPage } from '../../kernel/page.ts';
import type { Upc } from '../../kernel/upc.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
import { contentBytesOf } from '../domain/release-size.ts';
import type { Release, ReleaseStatus, ConflictingRelease } from '../domain/release.ts';
import type { TrackId } from '../domain/track.ts';

const columns = sql`
  id, reference, metadata, title, version, artists, release_date, original_release_date, label, upc,
  territories, status, type, genre, language, p_line, c_line, catalog_number, explicit,
  artwork_asset_id, track_count, submission, revision, created_at, updated_at
`;

type Row = {
  readonly id: string;
  readonly reference: string | null;
  readonly metadata: Record<string, string> | null;
  readonly title: string;
  readonly version: string | null;
  readonly artists: Release['artists'];
  readonly release_date: CalendarDate;
  readonly original_release_date: CalendarDate | null;
  readonly label: string;
  readonly upc: string;
  readonly territories: string[];
  readonly status: ReleaseStatus;
  readonly type: Release['type'];
  readonly genre: string | null;
  readonly language: string | null;
  readonly p_line: string | null;
  readonly c_line: string | null;
  readonly catalog_number: string | null;
  readonly explicit: Release['explicit'];
  readonly artwork_asset_id: string | null;
  readonly track_count: number;
  readonly submission: Release['submission'];
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const toRelease = (row: Row): Release => ({
  id: toWire('rel', row.id),
  reference: row.reference,
  metadata: row.metadata ?? {},
  title: row.title,
  version: row.version,
  artists: row.artists,
  releaseDate: row.release_date,
  originalReleaseDate: row.original_release_date,
  label: row.label,
  upc: row.upc,
  territories: row.territories,
  status: row.status,
  type: row.type,
  genre: row.genre,
  language: row.language,
  pLine: row.p_line,
  cLine: row.c_line,
  catalogNumber: row.catalog_number,
  explicit: row.explicit,
  artworkAssetId: row.artwork_asset_id === null ? null : toWire('ast', row.artwork_asset_id),
  trackCount: row.track_count,
  submission: row.submission,
  revision: row.revision,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

export async function findRelease(
  db: Db,
  orgId: OrgId,
  id: ReleaseId,
): Promise<Release | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from releases where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toRelease(row);
}

/** A partner's own name for it. */
export async function findReleaseByReference(
  tx: Tx,
  reference: string,
): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from releases where org_id = ${toUuid(tx.orgId)} and reference = ${reference}
  `);
  return row && toRelease(row);
}

/** Locks the release, so that two changes at once are decided one after the other. */
export async function lockRelease(tx: Tx, id: ReleaseId): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toRelease(row);
}

/** One UPC may have been used for several. */
export async function findReleasesByUpc(tx: Tx, upc: Upc): Promise<ReleaseId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from releases where org_id = ${toUuid(tx.orgId)} and upc = ${upc} order by id
  `);
  return rows.map(({ id }) => toWire('rel', id));
}

/** Shared: whoever only reads it, with its tracks, sees one revision of both. */
export async function shareLockRelease(tx: Tx, id: ReleaseId): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for share
  `);
  return row && toRelease(row);
}

/** Of several releases, locked in one order, so that two who want the same ones do not wait for each other. */
export async function lockReleases(tx: Tx, ids: readonly ReleaseId[]): Promise<Release[]> {
  const rows = await tx.query<Row>(sql`
    select ${columns} from releases
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})
     order by id for update
  `);
  return rows.map(toRelease);
}

/** The release a track is of, locked: whoever changes a track holds its release. */
export async function lockReleaseOfTrack(tx: Tx, id: TrackId): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from releases
     where org_id = ${toUuid(tx.orgId)}
       and id = (select release_id from tracks where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)})
       for update
  `);
  return row && toRelease(row);
}

export type ReleaseFilters = {
  readonly status?: ReleaseStatus | undefined;
  readonly upc?: string | undefined;
  readonly reference?: string | undefined;
  readonly label?: string | undefined;
  readonly updatedSince?: Date | undefined;
};

/** Newest first by (created_at, id); the position is text with all of its microseconds. */
export async function listReleases(
  db: Db,
  orgId: OrgId,
  filters: ReleaseFilters,
  { limit, after }: PageRequest,
): Promise<Page<Release>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (filters.status !== undefined) where.push(sql`status = ${filters.status}`);
  if (filters.upc !== undefined) where.push(sql`upc = ${filters.upc}`);
  if (filters.reference !== undefined) where.push(sql`reference = ${filters.reference}`);
  if (filters.label !== undefined) where.push(sql`label = ${filters.label}`);
  if (filters.updatedSince !== undefined) where.push(sql`updated_at >= ${filters.updatedSince}`);
  if (after !== undefined) {
    where.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { position: string; has_next: boolean }>(sql`
    select *
      from (select ${columns}, created_at::text as position, lead(id) over newest is not null as has_next,
                   sum(content_bytes) over newest - content_bytes as bytes_before
              from releases
             where ${allOf(where)}
            window newest as (order by created_at desc, id desc rows unbounded preceding)
             order by created_at desc, id desc
             limit ${limit}) page
     where bytes_before < ${pageBytesMax}
     order by created_at desc, id desc
  `);
  return toBoundedPage(rows, {
    item: toRelease,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

const conflictsMax = 1_000;

type ConflictQuery = {
  readonly upc: { readonly is: Upc } | 'own' | 'any';
  readonly reference: string | null | undefined;
};

/**
 * Releases that may stand in the way of this one: submitted under its UPC, or with the reference it
 * is to have. `own` means the UPC the release already has, so that the question can travel together
 * with the one that reads the release; with `any` only the reference counts.
 */
export async function findConflictingReleases(
  tx: Tx,
  id: ReleaseId,
  { upc, reference }: ConflictQuery,
): Promise<ConflictingRelease[]> {
  const [orgId, releaseId] = [toUuid(tx.orgId), toUuid(id)];
  const sameUpc = {
    own: () => sql`upc = (select upc from releases where org_id = ${orgId} and id = ${releaseId})`,
    any: () => sql`false`,
  };
  const isSame = typeof upc === 'string' ? sameUpc[upc]() : sql`upc = ${upc.is}`;
  const rows = await tx.query<
    Pick<Row, 'id' | 'status' | 'upc' | 'label' | 'release_date' | 'reference'>
  >(sql`
    select id, status, upc, label, release_date, reference
      from releases
     where org_id = ${orgId}
       and id <> ${releaseId}
       and ((${isSame} and status <> 'draft')
            or reference = ${reference ?? null})
     limit ${conflictsMax}
  `);
  return rows.map((row) => ({
    id: toWire('rel', row.id),
    status: row.status,
    upc: row.upc,
    label: row.label,
    releaseDate: row.release_date,
    reference: row.reference,
  }));
}

export function insertRelease(tx: Tx, release: Release): void {
  tx.write(sql`
    insert into releases (org_id, ${columns}, content_bytes, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(release.id)}, ${release.reference}, ${json(release.metadata)},
            ${release.title}, ${release.version}, ${json(release.artists)}, ${release.releaseDate},
            ${release.originalReleaseDate}, ${release.label}, ${release.upc}, ${release.territories},
            ${release.status}, ${release.type}, ${release.genre}, ${release.language}, ${release.pLine},
            ${release.cLine}, ${release.catalogNumber}, ${release.explicit},
            ${release.artworkAssetId === null ? null : toUuid(release.artworkAssetId)},
            ${release.trackCount}, ${json(release.submission)}, ${release.revision}, ${release.createdAt}, ${release.updatedAt},
            ${contentBytesOf(release)}, ${tx.actor.type}, ${tx.actor.id})
  `);
}

/** Everything a change can touch; what never changes (upc, created_at) is not named. */
export function updateRelease(tx: Tx, release: Release): void {
  tx.write(sql`
    update releases
       set reference = ${release.reference}, metadata = ${json(release.metadata)}, title = ${release.title},
           version = ${release.version}, artists = ${json(release.artists)},
           release_date = ${release.releaseDate}, original_release_date = ${release.originalReleaseDate},
           label = ${release.label}, territories = ${release.territories}, status = ${release.status},
           type = ${release.type}, genre = ${release.genre}, language = ${release.language},
           p_line = ${release.pLine}, c_line = ${release.cLine},
           catalog_number = ${release.catalogNumber}, explicit = ${release.explicit},
           artwork_asset_id = ${release.artworkAssetId === null ? null : toUuid(release.artworkAssetId)},
           track_count = ${release.trackCount}, submission = ${json(release.submission)},
           revision = ${release.revision}, updated_at = ${release.updatedAt},
           content_bytes = ${contentBytesOf(release)},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(release.id)}
  `);
}

/** What a review decides, and nothing else of the release. */
export function updateReleaseStatus(tx: Tx, { id, status, submission, updatedAt }: Release): void {
  tx.write(sql`
    update releases
       set status = ${status}, submission = ${json(submission)}, updated_at = ${updatedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(id)}
  `);
}

/** Its revisions and tracks go with it (on delete cascade). */
export function removeRelease(tx: Tx, id: ReleaseId): void {
  tx.write(sql`delete from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`);
}
