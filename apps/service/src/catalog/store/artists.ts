import { type ArtistId, type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
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
import { given, listPage } from '../../platform/db/list-page.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type { RegisteredArtist } from '../domain/artist.ts';
import { foldCase } from '../domain/preflight/text/words.ts';

/** The columns of `artists`; store profiles are rows of `artist_profiles`. */
const artists = defineColumns<Omit<RegisteredArtist, 'storeProfiles'>>({
  id: idColumn('art'),
  reference: plain(),
  metadata: jsonb(),
  name: plain(),
  isni: plain(),
  ipi: plain(),
  localizedNames: jsonb(),
  mergedInto: nullable(idColumn('art')),
  createdAt: plain(),
  updatedAt: plain(),
});

/** The columns of an artist with its store profiles. */
const view = sql`
  ${artists.names},
  (select jsonb_object_agg(p.store_id, p.profile) from artist_profiles p
    where p.org_id = a.org_id and p.artist_id = a.id) as store_profiles
`;

const toArtist = (row: Row): RegisteredArtist => ({
  ...artists.read(row),
  // Null if the artist has no profiles; jsonb_object_agg made it of texts.
  storeProfiles: (row['store_profiles'] as RegisteredArtist['storeProfiles'] | null) ?? {},
});

export async function findArtist(
  db: Db,
  orgId: OrgId,
  id: ArtistId,
): Promise<RegisteredArtist | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${view} from artists a where a.org_id = ${toUuid(orgId)} and a.id = ${toUuid(id)}
  `);
  return row && toArtist(row);
}

/**
 * These artists, and those that they were merged into. FOR KEY SHARE: until the commit no other transaction can delete
 * one of them, but it can merge them, because reads of the release that is written now show the remaining artist.
 */
export const keyShareLockArtists = (
  tx: Tx,
  ids: readonly ArtistId[],
): Promise<RegisteredArtist[]> => selectWithSurvivors(tx, ids, sql`for key share of a`);

/** These artists, and those that they were merged into. */
export const findArtistsAndSurvivors = (
  tx: Tx,
  ids: readonly ArtistId[],
): Promise<RegisteredArtist[]> => selectWithSurvivors(tx, ids, sql``);

async function selectWithSurvivors(
  tx: Tx,
  ids: readonly ArtistId[],
  lock: Sql,
): Promise<RegisteredArtist[]> {
  if (ids.length === 0) return [];
  const [orgId, uuids] = [toUuid(tx.orgId), ids.map(toUuid)];
  const rows = await tx.query<Row>(sql`
    select ${view} from artists a
     where a.org_id = ${orgId}
       and a.id = any(array(select unnest(${uuids}::uuid[])
                            union
                            select m.merged_into from artists m
                             where m.org_id = ${orgId} and m.id = any(${uuids}) and m.merged_into is not null))
     order by a.id ${lock}
  `);
  return rows.map(toArtist);
}

/**
 * Locks artists that are about to change, in the order of their ids, against deadlocks. Not FOR UPDATE: transactions that
 * write releases of these artists need not wait.
 */
export async function lockArtists(
  tx: Tx,
  ids: readonly ArtistId[],
): Promise<ReadonlyMap<string, RegisteredArtist>> {
  const rows = await tx.query<Row>(sql`
    select ${view} from artists a
     where a.org_id = ${toUuid(tx.orgId)} and a.id = any(${ids.map(toUuid)})
     order by a.id for no key update of a
  `);
  return new Map(rows.map(toArtist).map((artist) => [artist.id, artist]));
}

/**
 * An artist that is to be deleted, and those merged into it, which are deleted too. FOR UPDATE waits for transactions
 * that write a release of one of them (`keyShareLockArtists`).
 */
export async function lockArtistsForDelete(tx: Tx, id: ArtistId): Promise<RegisteredArtist[]> {
  const rows = await tx.query<Row>(sql`
    select ${view} from artists a
     where a.org_id = ${toUuid(tx.orgId)} and (a.id = ${toUuid(id)} or a.merged_into = ${toUuid(id)})
     order by a.id for update of a
  `);
  return rows.map(toArtist);
}

export type ArtistFilters = {
  /** A prefix, in any case. */
  readonly name?: string | undefined;
  readonly isni?: string | undefined;
  readonly reference?: string | undefined;
};

/** After every text with the same prefix: the column has the order of code points, and no stored text has this one. */
const lastCodePoint = '\u{10FFFF}';

function named(name: string): Sql {
  const prefix = foldCase(name);
  return sql`folded_name >= ${prefix} and folded_name < ${prefix + lastCodePoint}`;
}

/** Newest first by (created_at, id). */
export function listArtists(
  db: Db,
  orgId: OrgId,
  { name, isni, reference }: ArtistFilters,
  page: PageRequest,
): Promise<Page<RegisteredArtist>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`artists a`,
      columns: view,
      filters: [
        given(name, named),
        given(isni, (value) => sql`isni = ${value}`),
        given(reference, (value) => sql`reference = ${value}`),
      ],
      read: toArtist,
    },
    page,
  );
}

export type IdentifiedArtist = Pick<RegisteredArtist, 'id' | 'reference' | 'isni' | 'mergedInto'>;

const identified = defineColumns<IdentifiedArtist>({
  id: idColumn('art'),
  reference: plain(),
  isni: plain(),
  mergedInto: nullable(idColumn('art')),
});

/** Other artists with this reference or this ISNI. */
export async function findConflictingArtists(
  tx: Tx,
  id: ArtistId,
  { reference, isni }: { readonly reference?: string | null; readonly isni?: string | null },
): Promise<IdentifiedArtist[]> {
  const rows = await tx.query<Row>(sql`
    select ${identified.names} from artists
     where org_id = ${toUuid(tx.orgId)} and reference = ${reference ?? null} and id <> ${toUuid(id)}
    union all
    select ${identified.names} from artists
     where org_id = ${toUuid(tx.orgId)} and isni = ${isni ?? null} and merged_into is null and id <> ${toUuid(id)}
  `);
  return rows.map(identified.read);
}

const toRow = (tx: Tx, artist: RegisteredArtist): Row => ({
  ...artists.write(artist),
  folded_name: foldCase(artist.name),
  ...actorColumns(tx),
});

export function insertArtist(tx: Tx, artist: RegisteredArtist): void {
  tx.write(insertInto('artists', { org_id: toUuid(tx.orgId), ...toRow(tx, artist) }));
  insertProfiles(tx, artist);
}

/** Writes every column but the key and the one that never changes. */
export function updateArtist(tx: Tx, artist: RegisteredArtist): void {
  const { id, created_at: _createdAt, ...changes } = toRow(tx, artist);
  tx.write(updateWhere('artists', changes, { org_id: toUuid(tx.orgId), id }));
  tx.write(sql`
    delete from artist_profiles where org_id = ${toUuid(tx.orgId)} and artist_id = ${toUuid(artist.id)}
  `);
  insertProfiles(tx, artist);
}

function insertProfiles(tx: Tx, { id, storeProfiles }: RegisteredArtist): void {
  if (Object.keys(storeProfiles).length === 0) return;
  tx.write(sql`
    insert into artist_profiles (org_id, artist_id, store_id, profile)
    select ${toUuid(tx.orgId)}, ${toUuid(id)}, key, value from jsonb_each_text(${json(storeProfiles)}::jsonb)
  `);
}

/** Points the artist, and every artist that was merged into it before, to the one that remains. */
export function markMerged(tx: Tx, id: ArtistId, into: ArtistId, updatedAt: Date): void {
  tx.write(sql`
    update artists
       set merged_into = ${toUuid(into)}, updated_at = greatest(updated_at, ${updatedAt}),
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and (id = ${toUuid(id)} or merged_into = ${toUuid(id)})
  `);
}

/** A release that names one of the artists, itself or on a track; undefined if there is none. */
export async function findReleaseOfArtists(
  tx: Tx,
  ids: readonly ArtistId[],
): Promise<ReleaseId | undefined> {
  const names = (entries: Sql): Sql =>
    sql`exists (select from jsonb_array_elements(${entries}) entry where entry ->> 'artistId' = any(${ids}))`;
  const [row] = await tx.query<{ id: string }>(sql`
    select r.id
      from release_artists l join releases r on r.org_id = l.org_id and r.id = l.release_id
     where l.org_id = ${toUuid(tx.orgId)} and l.artist_id = any(${ids.map(toUuid)})
       and (${names(sql`r.artists`)}
            or exists (select from tracks t
                        where t.org_id = r.org_id and t.release_id = r.id
                          and (${names(sql`t.artists`)} or ${names(sql`t.contributors`)})))
     limit 1
  `);
  return row && toWire('rel', row.id);
}

/** The caller has locked them for this, and found no release that names one. */
export function removeArtists(tx: Tx, ids: readonly ArtistId[]): void {
  const [orgId, uuids] = [toUuid(tx.orgId), ids.map(toUuid)];
  tx.write(sql`delete from release_artists where org_id = ${orgId} and artist_id = any(${uuids})`);
  tx.write(sql`delete from artists where org_id = ${orgId} and id = any(${uuids})`);
}
