import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { type Page, pageBytesMax, type PageRequest, toBoundedPage } from '../../kernel/page.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
import { contentBytesOf } from '../domain/release-size.ts';
import { type DiscPosition, type Track, type TrackId, tracksMax } from '../domain/track.ts';

const columns = sql`
  id, release_id, reference, metadata, title, version, artists, isrc, audio_asset_id, territory, disc,
  position, explicit, language, genre, p_line, created_at, updated_at, content_bytes
`;

/** With what is not the track's own: the length of its audio, and where its release is. */
const view = sql`
  t.id, t.release_id, t.reference, t.metadata, t.title, t.version, t.artists, t.isrc, t.audio_asset_id,
  t.territory, t.disc, t.position, t.explicit, t.language, t.genre, t.p_line, t.created_at, t.updated_at,
  (select (a.facts ->> 'durationMs')::float8 from assets a
    where a.org_id = t.org_id and a.id = t.audio_asset_id) as duration_ms,
  (select r.territories from releases r
    where r.org_id = t.org_id and r.id = t.release_id) as release_territories
`;

type Row = {
  readonly id: string;
  readonly release_id: string;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly title: string;
  readonly version: string | null;
  readonly artists: Track['artists'];
  readonly isrc: Isrc;
  readonly audio_asset_id: string | null;
  readonly territory: string[] | null;
  readonly disc: number;
  readonly position: number;
  readonly explicit: Track['explicit'];
  readonly language: string | null;
  readonly genre: string | null;
  readonly p_line: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly duration_ms: number | null;
  readonly release_territories: string[];
};

/** A track, and the territories of its release. */
export type TrackView = Track & { readonly releaseTerritories: readonly TerritoryCode[] };

const toTrack = (row: Row): TrackView => ({
  id: toWire('trk', row.id),
  releaseId: toWire('rel', row.release_id),
  reference: row.reference,
  metadata: row.metadata,
  title: row.title,
  version: row.version,
  artists: row.artists,
  isrc: row.isrc,
  audioAssetId: row.audio_asset_id === null ? null : toWire('ast', row.audio_asset_id),
  territory: row.territory,
  disc: row.disc,
  position: row.position,
  explicit: row.explicit,
  language: row.language,
  genre: row.genre,
  pLine: row.p_line,
  durationMs: row.duration_ms,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  releaseTerritories: row.release_territories,
});

export async function findTrack(db: Db, orgId: OrgId, id: TrackId): Promise<TrackView | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${view} from tracks t where t.org_id = ${toUuid(orgId)} and t.id = ${toUuid(id)}
  `);
  return row && toTrack(row);
}

/** All of a release, by disc and position. */
export async function listTracksOfRelease(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
): Promise<TrackView[]> {
  const rows = await db.query<Row>(sql`
    select ${view} from tracks t
     where t.org_id = ${toUuid(orgId)} and t.release_id = ${toUuid(releaseId)}
     order by t.disc, t.position
     limit ${tracksMax}
  `);
  return rows.map(toTrack);
}

export type TrackPosition = DiscPosition & Pick<Track, 'id' | 'releaseId'>;

/** Where the tracks of these releases stand, and how large they are. */
export async function findTrackPositions(
  tx: Tx,
  releaseIds: readonly ReleaseId[],
): Promise<(TrackPosition & { readonly contentBytes: number })[]> {
  const rows = await tx.query<
    Pick<Row, 'id' | 'release_id' | 'disc' | 'position'> & { content_bytes: number }
  >(sql`
    select id, release_id, disc, position, content_bytes from tracks
     where org_id = ${toUuid(tx.orgId)} and release_id = any(${releaseIds.map(toUuid)})
  `);
  return rows.map((row) => ({
    id: toWire('trk', row.id),
    releaseId: toWire('rel', row.release_id),
    disc: row.disc,
    position: row.position,
    contentBytes: row.content_bytes,
  }));
}

/** Of all tracks of a release together. */
export async function contentBytesOfTracks(tx: Tx, releaseId: ReleaseId): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(sql`
    select coalesce(sum(content_bytes), 0)::integer as bytes from tracks
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
  `);
  return row?.bytes ?? 0;
}

export type TrackFilters = {
  readonly releaseId?: ReleaseId | undefined;
  readonly isrc?: Isrc | undefined;
};

/** Newest first by (created_at, id). */
export async function listTracks(
  db: Db,
  orgId: OrgId,
  { releaseId, isrc }: TrackFilters,
  { limit, after }: PageRequest,
): Promise<Page<TrackView>> {
  const where: [Sql, ...Sql[]] = [sql`t.org_id = ${toUuid(orgId)}`];
  if (releaseId !== undefined) where.push(sql`t.release_id = ${toUuid(releaseId)}`);
  if (isrc !== undefined) where.push(sql`t.isrc = ${isrc}`);
  if (after !== undefined) {
    where.push(sql`(t.created_at, t.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { place: string; has_next: boolean }>(sql`
    select *
      from (select ${view}, t.created_at::text as place, lead(t.id) over newest is not null as has_next,
                   sum(t.content_bytes) over newest - t.content_bytes as bytes_before
              from tracks t
             where ${allOf(where)}
            window newest as (order by t.created_at desc, t.id desc rows unbounded preceding)
             order by t.created_at desc, t.id desc
             limit ${limit}) page
     where bytes_before < ${pageBytesMax}
     order by created_at desc, id desc
  `);
  return toBoundedPage(rows, {
    item: toTrack,
    position: ({ place, id }) => ({ at: place, id }),
  });
}

/** Which of these references other tracks have. */
export async function findTakenReferences(
  tx: Tx,
  references: readonly string[],
): Promise<ReadonlyMap<string, TrackId>> {
  if (references.length === 0) return new Map();
  const rows = await tx.query<{ id: string; reference: string }>(sql`
    select id, reference from tracks
     where org_id = ${toUuid(tx.orgId)} and reference = any(${references})
  `);
  return new Map(rows.map(({ id, reference }) => [reference, toWire('trk', id)]));
}

/** Fresh codes of the organization's registrant, and none that is named; fewer when there are no more. */
export async function allocateIsrcs(
  tx: Tx,
  count: number,
  named: readonly Isrc[],
): Promise<readonly Isrc[]> {
  if (count + named.length === 0) return [];
  const year = tx.now.getUTCFullYear() % 100;
  const rows = await tx.query<{ isrc: string }>(
    sql`select allocate_isrcs(${toUuid(tx.orgId)}, ${year}, ${count}, ${named}) as isrc`,
  );
  return rows.map(({ isrc }) => isrc);
}

const toRow = (track: Track) => ({
  id: toUuid(track.id),
  release_id: toUuid(track.releaseId),
  reference: track.reference,
  metadata: track.metadata,
  title: track.title,
  version: track.version,
  artists: track.artists,
  isrc: track.isrc,
  audio_asset_id: track.audioAssetId === null ? null : toUuid(track.audioAssetId),
  territory: track.territory,
  disc: track.disc,
  position: track.position,
  explicit: track.explicit,
  language: track.language,
  genre: track.genre,
  p_line: track.pLine,
  created_at: track.createdAt,
  updated_at: track.updatedAt,
  content_bytes: contentBytesOf(track),
});

/** All in one statement, however many. */
export function insertTracks(tx: Tx, tracks: readonly Track[]): void {
  tx.write(sql`
    insert into tracks (org_id, ${columns}, actor_type, actor_id)
    select ${toUuid(tx.orgId)}, ${columns}, ${tx.actor.type}, ${tx.actor.id}
      from jsonb_to_recordset(${json(tracks.map(toRow))}) as given (
        id uuid, release_id uuid, reference text, metadata jsonb, title text, version text,
        artists jsonb, isrc text, audio_asset_id uuid, territory text[], disc integer, position integer,
        explicit text, language text, genre text, p_line text, created_at timestamptz,
        updated_at timestamptz, content_bytes integer)
  `);
}

/** Everything a change can touch; its release it never leaves. */
export function updateTrack(tx: Tx, track: Track): void {
  tx.write(sql`
    update tracks
       set reference = ${track.reference}, metadata = ${json(track.metadata)}, title = ${track.title},
           version = ${track.version}, artists = ${json(track.artists)}, isrc = ${track.isrc},
           audio_asset_id = ${track.audioAssetId === null ? null : toUuid(track.audioAssetId)},
           territory = ${track.territory}, disc = ${track.disc}, position = ${track.position},
           explicit = ${track.explicit}, language = ${track.language}, genre = ${track.genre},
           p_line = ${track.pLine}, updated_at = ${track.updatedAt},
           content_bytes = ${contentBytesOf(track)},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(track.id)}
  `);
}

export function removeTrack(tx: Tx, id: TrackId): void {
  tx.write(sql`delete from tracks where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`);
}

/** Which releases have this recording, or had it when they were submitted or sent. For the operator's role alone. */
export async function findReleasesByIsrc(tx: Tx, isrc: Isrc): Promise<ReleaseId[]> {
  const rows = await tx.query<{ release_id: string }>(sql`
    select release_id from tracks where org_id = ${toUuid(tx.orgId)} and isrc = ${isrc}
    union
    select release_id from release_isrcs where org_id = ${toUuid(tx.orgId)} and isrc = ${isrc}
    order by release_id
  `);
  return rows.map(({ release_id }) => toWire('rel', release_id));
}
