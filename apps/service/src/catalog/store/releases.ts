import { type LabelId, type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, pageBytesMax, type PageRequest, toBoundedPage } from '../../kernel/page.ts';
import { comparableCode, eanOf, type ProductCode } from '../../kernel/product-code.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  nullable,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, listLimit, type Sql, sql } from '../../platform/db/sql.ts';
import { contentBytesOf } from '../domain/release-size.ts';
import type { Release, ReleaseStatus } from '../domain/release.ts';
import type { TrackId } from '../domain/track.ts';
import {
  linkArtists,
  type MergedArtists,
  selectMergedArtists,
  withMergedArtists,
} from './release-artists.ts';

const releases = defineColumns<Release>({
  id: idColumn('rel'),
  reference: plain(),
  metadata: { read: (stored: Release['metadata'] | null) => stored ?? {}, write: json },
  title: plain(),
  version: plain(),
  artists: jsonb(),
  releaseDate: plain(),
  originalReleaseDate: plain(),
  label: plain(),
  metadataLanguage: plain(),
  labelId: nullable(idColumn('lbl')),
  upc: plain(),
  territories: plain(),
  excludedTerritories: plain(),
  useTypes: plain(),
  releaseAt: nullable({ read: (stored: Date) => stored.toISOString(), write: (at) => at }),
  preOrderDate: plain(),
  status: plain(),
  type: plain(),
  genre: plain(),
  language: plain(),
  pLine: plain(),
  cLine: plain(),
  catalogNumber: plain(),
  explicit: plain(),
  artworkAssetId: nullable(idColumn('ast')),
  aiUse: jsonb(),
  ean: plain(),
  priceTier: plain(),
  localizedTitles: jsonb(),
  subgenre: plain(),
  trackCount: plain(),
  submission: jsonb(),
  revision: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

/** The columns of a release with its merged artists. */
const view = sql`
  ${releases.names},
  ${selectMergedArtists({ orgId: sql`releases.org_id`, releaseId: sql`releases.id` })}
`;

const toRelease = (row: Row): Release =>
  // selectMergedArtists made this column.
  withMergedArtists(releases.read(row), row['merged_artists'] as MergedArtists);

const toRow = (tx: Tx, release: Release): Row => ({
  ...releases.write(release),
  content_bytes: contentBytesOf(release),
  ...actorColumns(tx),
});

export async function findRelease(
  db: Db,
  orgId: OrgId,
  id: ReleaseId,
): Promise<Release | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${view} from releases where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toRelease(row);
}

export async function findReleaseByReference(
  tx: Tx,
  reference: string,
): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${view} from releases where org_id = ${toUuid(tx.orgId)} and reference = ${reference}
  `);
  return row && toRelease(row);
}

/** FOR UPDATE, so that concurrent changes of one release run one after the other. */
export async function lockRelease(tx: Tx, id: ReleaseId): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${view} from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toRelease(row);
}

/**
 * Locks the code in the organization until the transaction ends. Without the lock, two ERN messages about one new release
 * would both find none, and create it twice. The seed 30 separates it from other advisory locks.
 */
export const lockProductCode = (tx: Tx, code: ProductCode): void =>
  tx.write(sql`
    select pg_advisory_xact_lock(hashtextextended(${`${tx.orgId} ${comparableCode(code)}`}, 30))
  `);

/** Releases that have this UPC or EAN, or had the EAN in a snapshot. Several may have the same. */
export async function findReleasesByProductCode(tx: Tx, code: ProductCode): Promise<ReleaseId[]> {
  const orgId = toUuid(tx.orgId);
  const [upc, ean] = [comparableCode(code), eanOf(code)];
  const rows = await tx.query<{ id: string }>(sql`
    select id from releases where org_id = ${orgId} and upc = ${upc}
    union
    select id from releases where org_id = ${orgId} and ean = ${ean}
    union
    select release_id from release_snapshots where org_id = ${orgId} and ean = ${ean}
    order by id
  `);
  return rows.map(({ id }) => toWire('rel', id));
}

/** Those of the ids that name a release of the organization. */
export async function findExistingReleases(
  tx: Tx,
  ids: readonly ReleaseId[],
): Promise<ReadonlySet<ReleaseId>> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from releases where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})
  `);
  return new Set(rows.map(({ id }) => toWire('rel', id)));
}

export type ReleaseName = { readonly title: string; readonly upc: string };

/** For a list that names releases. Those that are not there any more are left out. */
export async function findReleaseNames(
  db: Db,
  orgId: OrgId,
  ids: readonly ReleaseId[],
): Promise<ReadonlyMap<ReleaseId, ReleaseName>> {
  const rows = await db.query<{ id: string; title: string; upc: string }>(sql`
    select id, title, upc from releases
     where org_id = ${toUuid(orgId)} and id = any(${ids.map(toUuid)}::uuid[])
  `);
  return new Map(rows.map(({ id, title, upc }) => [toWire('rel', id), { title, upc }]));
}

/** FOR SHARE, so that a transaction that reads the release and then its tracks sees one revision of both. */
export async function shareLockRelease(tx: Tx, id: ReleaseId): Promise<Release | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${view} from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for share
  `);
  return row && toRelease(row);
}

/** Locks in the order of the ids, so that two transactions with the same releases do not deadlock. */
export async function lockReleases(tx: Tx, ids: readonly ReleaseId[]): Promise<Release[]> {
  const rows = await tx.query<Row>(sql`
    select ${view} from releases
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})
     order by id for update
  `);
  return rows.map(toRelease);
}

/** Every change of a track locks its release first; in the order of the ids, as `lockReleases` does. */
export async function lockReleasesOfTracks(tx: Tx, ids: readonly TrackId[]): Promise<Release[]> {
  const rows = await tx.query<Row>(sql`
    select ${view} from releases
     where org_id = ${toUuid(tx.orgId)}
       and id = any(array(select distinct release_id from tracks
                           where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)})))
     order by id for update
  `);
  return rows.map(toRelease);
}

export type ReleaseFilters = {
  readonly status?: ReleaseStatus | undefined;
  readonly upc?: string | undefined;
  readonly ean?: string | undefined;
  readonly reference?: string | undefined;
  readonly label?: string | undefined;
  readonly labelId?: LabelId | undefined;
  readonly updatedSince?: Date | undefined;
};

/** Newest first by (created_at, id); the cursor keeps created_at as text, with its microseconds. */
export async function listReleases(
  db: Db,
  orgId: OrgId,
  filters: ReleaseFilters,
  { limit, after }: PageRequest,
): Promise<Page<Release>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (filters.status !== undefined) where.push(sql`status = ${filters.status}`);
  if (filters.upc !== undefined) where.push(sql`upc = ${filters.upc}`);
  if (filters.ean !== undefined) where.push(sql`ean = ${filters.ean}`);
  if (filters.reference !== undefined) where.push(sql`reference = ${filters.reference}`);
  if (filters.label !== undefined) where.push(sql`label = ${filters.label}`);
  if (filters.labelId !== undefined) where.push(sql`label_id = ${toUuid(filters.labelId)}`);
  if (filters.updatedSince !== undefined) where.push(sql`updated_at >= ${filters.updatedSince}`);
  const isFiltered = where.length > 1;
  if (after !== undefined) {
    where.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { id: string; position: string; has_next: boolean }>(sql`
    select *
      from (select ${view}, created_at::text as position, lead(id) over newest is not null as has_next,
                   sum(content_bytes) over newest - content_bytes as bytes_before
              from releases
             where ${allOf(where)}
            window newest as (order by created_at desc, id desc rows unbounded preceding)
             order by created_at desc, id desc
             ${listLimit(limit, isFiltered)}) page
     where bytes_before < ${pageBytesMax}
     order by created_at desc, id desc
     limit ${limit}
  `);
  return toBoundedPage(rows, {
    item: toRelease,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

export function insertRelease(tx: Tx, release: Release): void {
  tx.write(insertInto('releases', { org_id: toUuid(tx.orgId), ...toRow(tx, release) }));
  linkArtists(tx, [{ releaseId: release.id, artists: release.artists }]);
}

/** Writes every column but the key and the two that never change. */
export function updateRelease(tx: Tx, release: Release): void {
  const { id, upc: _upc, created_at: _createdAt, ...changes } = toRow(tx, release);
  tx.write(updateWhere('releases', changes, { org_id: toUuid(tx.orgId), id }));
  linkArtists(tx, [{ releaseId: release.id, artists: release.artists }]);
}

/** Writes only the columns that the worker and the operator may update. */
export function updateReleaseStatus(tx: Tx, { id, status, submission, updatedAt }: Release): void {
  tx.write(sql`
    update releases
       set status = ${status}, submission = ${json(submission)}, updated_at = ${updatedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(id)}
  `);
}

/** Writes only the columns that the worker may update: the content is the same, what its artists mean has changed. */
export function updateReleaseRevision(tx: Tx, { id, revision, updatedAt }: Release): void {
  const changes = { revision, updated_at: updatedAt, ...actorColumns(tx) };
  tx.write(updateWhere('releases', changes, { org_id: toUuid(tx.orgId), id: toUuid(id) }));
}

/** Deletes its revisions and tracks too (on delete cascade). */
export function removeRelease(tx: Tx, id: ReleaseId): void {
  tx.write(sql`delete from releases where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`);
}
