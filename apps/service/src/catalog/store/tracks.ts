import { selectDurationMs } from '../../assets/face.ts';
import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { type Page, pageBytesMax, type PageRequest, toBoundedPage } from '../../kernel/page.ts';
import {
  defineColumns,
  idColumn,
  jsonb,
  nullable,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, listLimit, type Sql, sql } from '../../platform/db/sql.ts';
import { contentBytesOf } from '../domain/release-size.ts';
import type { TerritoryRights } from '../domain/rights.ts';
import { type DiscPosition, type Track, type TrackId, tracksMax } from '../domain/track.ts';
import {
  linkArtists,
  type MergedArtists,
  selectMergedArtists,
  withMergedArtists,
} from './release-artists.ts';

const tracks = defineColumns<Omit<Track, 'durationMs'>>({
  id: idColumn('trk'),
  releaseId: idColumn('rel'),
  reference: plain(),
  metadata: jsonb(),
  title: plain(),
  version: plain(),
  artists: jsonb(),
  contributors: jsonb(),
  isrc: plain(),
  audioAssetId: nullable(idColumn('ast')),
  territory: plain(),
  excludedTerritories: plain(),
  useTypes: plain(),
  previewStartMs: plain(),
  disc: plain(),
  position: plain(),
  explicit: plain(),
  language: plain(),
  genre: plain(),
  pLine: plain(),
  aiUse: jsonb(),
  originalReleaseDate: plain(),
  iswc: plain(),
  recordingCountry: plain(),
  composition: plain(),
  samples: plain(),
  mechanicalLicence: plain(),
  lyricsLanguage: plain(),
  ugcPolicy: plain(),
  localizedTitles: jsonb(),
  instantGratification: plain(),
  subgenre: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

/** A track, and the territories of its release. */
export type TrackView = Track & { readonly release: TerritoryRights };

const measured = sql`
  ${tracks.names},
  ${selectDurationMs({ orgId: sql`t.org_id`, id: sql`t.audio_asset_id` })} as duration_ms,
  ${selectMergedArtists({ orgId: sql`t.org_id`, releaseId: sql`t.release_id` })}
`;

/** The columns of a track with the duration of its audio, the merged artists and the territories of its release. */
const view = sql`
  ${measured},
  (select jsonb_build_object('territories', r.territories, 'excludedTerritories', r.excluded_territories)
     from releases r
    where r.org_id = t.org_id and r.id = t.release_id) as release
`;

type MeasuredRow = Row & {
  readonly duration_ms: number | null;
  readonly merged_artists: MergedArtists;
};
type ViewRow = MeasuredRow & { readonly release: TerritoryRights };

const toTrack = (row: MeasuredRow): Track => ({
  ...withMergedArtists(tracks.read(row), row.merged_artists),
  durationMs: row.duration_ms,
});

const toTrackView = (row: ViewRow): TrackView => ({ ...toTrack(row), release: row.release });

export async function findTrack(db: Db, orgId: OrgId, id: TrackId): Promise<TrackView | undefined> {
  const [row] = await db.query<ViewRow>(sql`
    select ${view} from tracks t where t.org_id = ${toUuid(orgId)} and t.id = ${toUuid(id)}
  `);
  return row && toTrackView(row);
}

/** Those of the ids that name a track of the organization. */
export async function findTracks(tx: Tx, ids: readonly TrackId[]): Promise<Track[]> {
  const rows = await tx.query<MeasuredRow>(sql`
    select ${measured} from tracks t
     where t.org_id = ${toUuid(tx.orgId)} and t.id = any(${ids.map(toUuid)})
  `);
  return rows.map(toTrack);
}

/** All tracks of a release, by disc and position. */
export async function listTracksOfRelease(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
): Promise<TrackView[]> {
  const rows = await db.query<ViewRow>(sql`
    select ${view} from tracks t
     where t.org_id = ${toUuid(orgId)} and t.release_id = ${toUuid(releaseId)}
     order by t.disc, t.position
     limit ${tracksMax}
  `);
  return rows.map(toTrackView);
}

export type TrackPosition = DiscPosition & Pick<Track, 'id' | 'releaseId'>;

type MeasuredPosition = TrackPosition & { readonly contentBytes: number };

const positions = defineColumns<MeasuredPosition>({
  id: idColumn('trk'),
  releaseId: idColumn('rel'),
  disc: plain(),
  position: plain(),
  contentBytes: plain(),
});

/** The positions and sizes of all tracks of these releases. */
export async function findTrackPositions(
  tx: Tx,
  releaseIds: readonly ReleaseId[],
): Promise<MeasuredPosition[]> {
  const rows = await tx.query<Row>(sql`
    select ${positions.names} from tracks
     where org_id = ${toUuid(tx.orgId)} and release_id = any(${releaseIds.map(toUuid)})
  `);
  return rows.map(positions.read);
}

/** The sum over all tracks of a release. */
export async function contentBytesOfTracks(tx: Tx, releaseId: ReleaseId): Promise<number> {
  const [row] = await tx.query<{ bytes: number }>(sql`
    select coalesce(sum(content_bytes), 0)::integer as bytes from tracks
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
  `);
  return row?.bytes ?? 0;
}

const sizes = defineColumns<Pick<MeasuredPosition, 'releaseId' | 'contentBytes'>>({
  releaseId: idColumn('rel'),
  contentBytes: plain(),
});

/** For each release that one of these tracks belongs to, the sum over all its tracks. An array, so that PostgreSQL uses the index by release. */
export async function findBytesOfReleasesWith(
  tx: Tx,
  ids: readonly TrackId[],
): Promise<Pick<MeasuredPosition, 'releaseId' | 'contentBytes'>[]> {
  const rows = await tx.query<Row>(sql`
    select release_id, sum(content_bytes)::integer as content_bytes from tracks
     where org_id = ${toUuid(tx.orgId)}
       and release_id = any(array(select distinct release_id from tracks
                                   where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})))
     group by release_id
  `);
  return rows.map(sizes.read);
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
  const isFiltered = where.length > 1;
  if (after !== undefined) {
    where.push(sql`(t.created_at, t.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<ViewRow & { id: string; place: string; has_next: boolean }>(sql`
    select *
      from (select ${view}, t.created_at::text as place, lead(t.id) over newest is not null as has_next,
                   sum(t.content_bytes) over newest - t.content_bytes as bytes_before
              from tracks t
             where ${allOf(where)}
            window newest as (order by t.created_at desc, t.id desc rows unbounded preceding)
             order by t.created_at desc, t.id desc
             ${listLimit(limit, isFiltered)}) page
     where bytes_before < ${pageBytesMax}
     order by created_at desc, id desc
     limit ${limit}
  `);
  return toBoundedPage(rows, {
    item: toTrackView,
    position: ({ place, id }) => ({ at: place, id }),
  });
}

/** By disc and position; undefined if there is no such release. */
export async function listTracksByPosition(
  db: Db,
  orgId: OrgId,
  releaseId: ReleaseId,
  { limit, after }: PageRequest,
): Promise<Page<TrackView> | undefined> {
  const where: [Sql, ...Sql[]] = [
    sql`t.org_id = ${toUuid(orgId)}`,
    sql`t.release_id = ${toUuid(releaseId)}`,
  ];
  if (after !== undefined)
    where.push(sql`(t.disc, t.position) > (${after.at}::integer, ${after.id}::integer)`);
  // A release without tracks is one row without a track.
  const rows = await db.query<ViewRow & { has_next: boolean }>(sql`
    select page.*
      from releases
      left join (select ${view}, lead(t.id) over placed is not null as has_next,
                        sum(t.content_bytes) over placed - t.content_bytes as bytes_before
                   from tracks t
                  where ${allOf(where)}
                 window placed as (order by t.disc, t.position rows unbounded preceding)
                  order by t.disc, t.position
                  limit ${limit}) page on bytes_before < ${pageBytesMax}
     where releases.org_id = ${toUuid(orgId)} and releases.id = ${toUuid(releaseId)}
     order by page.disc, page.position
  `);
  if (rows.length === 0) return undefined;
  return toBoundedPage(
    rows.filter(({ id }) => id !== null),
    {
      item: toTrackView,
      position: ({ disc, position }) => ({ at: String(disc), id: String(position) }),
    },
  );
}

/** The tracks that already have one of these references. */
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

/** The rows of many tracks: as one JSON document, whose types come from the table. */
function rowSet(set: readonly Track[]): Sql {
  const rows = set.map((track) => ({
    ...tracks.toJson(track),
    content_bytes: contentBytesOf(track),
  }));
  return sql`jsonb_populate_recordset(null::tracks, ${json(rows)})`;
}

/** All tracks in one statement. */
export function insertTracks(tx: Tx, added: readonly Track[]): void {
  tx.write(sql`
    insert into tracks (org_id, ${tracks.names}, content_bytes, actor_type, actor_id)
    select ${toUuid(tx.orgId)}, ${tracks.names}, content_bytes, ${tx.actor.type}, ${tx.actor.id}
      from ${rowSet(added)}
  `);
  linkArtists(tx, added);
}

const assignments = tracks.assignFrom('changed', ['id', 'releaseId', 'createdAt']);

/**
 * Writes every column but the key and the two that never change, in one statement: PostgreSQL checks positions and
 * references at its end, so tracks may exchange them. The list of ids is for the plan: PostgreSQL does not know how many
 * rows the JSON has, and would read all tracks of the organization.
 */
export function updateTracks(tx: Tx, changed: readonly Track[]): void {
  tx.write(sql`
    update tracks old
       set ${assignments}, content_bytes = changed.content_bytes,
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
      from ${rowSet(changed)} changed
     where old.org_id = ${toUuid(tx.orgId)} and old.id = changed.id
       and old.id = any(${changed.map(({ id }) => toUuid(id))})
  `);
  linkArtists(tx, changed);
}

export function removeTrack(tx: Tx, id: TrackId): void {
  tx.write(sql`delete from tracks where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`);
}

/** Releases that have this recording, or had it in a snapshot. Only the operator's role may read `release_isrcs`. */
export async function findReleasesByIsrc(tx: Tx, isrc: Isrc): Promise<ReleaseId[]> {
  const rows = await tx.query<{ release_id: string }>(sql`
    select release_id from tracks where org_id = ${toUuid(tx.orgId)} and isrc = ${isrc}
    union
    select release_id from release_isrcs where org_id = ${toUuid(tx.orgId)} and isrc = ${isrc}
    order by release_id
  `);
  return rows.map(({ release_id }) => toWire('rel', release_id));
}
