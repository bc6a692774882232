/** The artists that preflight compares those of a release with. */

import { toUuid } from '../../kernel/ids.ts';
import { defineColumns, idColumn, plain, type Row } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { newProfile } from '../domain/artist.ts';
import type { SimilarArtist } from '../domain/preflight/preflight-input.ts';
import type { Snapshot } from '../domain/snapshot.ts';

/** A name may be that of any number of artists: the newest ones are compared. */
const artistsPerNameMax = 3;
/** Entries may have thousands of ISNIs and profiles of their own: the first ones are compared. */
const keysMax = 1_000;

const similar = defineColumns<SimilarArtist>({
  id: idColumn('art'),
  name: plain(),
  isni: plain(),
  storeProfiles: {
    read: (stored: SimilarArtist['storeProfiles'] | null) => stored ?? {},
    write: json,
  },
});

/**
 * The artists that the release names, and others that are not merged: with the name of one of them, or with an ISNI or
 * a page at a store that one of them or an entry has.
 */
export async function findSimilarArtists(
  tx: Tx,
  { release, tracks, artists }: Snapshot,
): Promise<SimilarArtist[]> {
  const entries = [release, ...tracks].flatMap((each) => each.artists);
  const isnis = unique(entries.flatMap(({ isni }) => isni ?? []));
  const pages = unique(
    [...artists, ...entries].flatMap(({ storeProfiles = {} }) =>
      Object.entries(storeProfiles)
        .filter(([, profile]) => profile !== newProfile)
        .map((pair) => JSON.stringify(pair)),
    ),
  ).map((pair) => JSON.parse(pair) as [string, string]);
  if (artists.length + isnis.length + pages.length === 0) return [];
  const orgId = sql`${toUuid(tx.orgId)}::uuid`;
  const rows = await tx.query<Row>(sql`
    with own as (
      select id, folded_name from artists
       where org_id = ${orgId} and id = any(${artists.map(({ id }) => toUuid(id))}) and merged_into is null
    ),
    found as (
      select id from own
      union
      select other.id
        from own cross join lateral (
          select a.id from artists a
           where a.org_id = ${orgId} and a.folded_name = own.folded_name and a.merged_into is null
           order by a.created_at desc, a.id desc
           limit ${artistsPerNameMax}) other
      union
      select a.id from artists a
       where a.org_id = ${orgId} and a.isni = any(${isnis}) and a.merged_into is null
      union
      select other.artist_id
        from unnest(${pages.map(([storeId]) => storeId)}::text[], ${pages.map(([, profile]) => profile)}::text[])
               as page (store_id, profile)
             cross join lateral (
               select p.artist_id from artist_profiles p
                where p.org_id = ${orgId} and p.store_id = page.store_id and p.profile = page.profile
                limit ${artistsPerNameMax}) other
    )
    select a.id, a.name, a.isni,
           (select jsonb_object_agg(p.store_id, p.profile) from artist_profiles p
             where p.org_id = a.org_id and p.artist_id = a.id) as store_profiles
      from artists a
     where a.org_id = ${orgId} and a.id in (select id from found) and a.merged_into is null
     order by a.id
  `);
  return rows.map(similar.read);
}

const unique = (keys: readonly string[]): readonly string[] => [...new Set(keys)].slice(0, keysMax);
