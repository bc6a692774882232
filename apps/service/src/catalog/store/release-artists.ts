/** Which artists a release and its tracks name (`release_artists`), and which of them were merged since. */

import { type ArtistId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Contributor } from '../domain/contributor.ts';
import type { Artist } from '../domain/release.ts';

/** The artists of a release or a track, and the contributors of a track. */
type Credits = {
  readonly artists: readonly Artist[];
  readonly contributors?: readonly Contributor[];
};

/** Every statement that stores artist entries is followed by this one. In one order, against deadlocks. */
export function linkArtists(
  tx: Tx,
  written: readonly (Credits & { readonly releaseId: ReleaseId })[],
): void {
  const links = written.flatMap(({ releaseId, artists, contributors = [] }) =>
    [...artists, ...contributors].flatMap(({ artistId }) =>
      artistId === undefined ? [] : [{ releaseId, artistId }],
    ),
  );
  if (links.length === 0) return;
  tx.write(sql`
    insert into release_artists (org_id, artist_id, release_id)
    select distinct ${toUuid(tx.orgId)}::uuid, artist_id, release_id
      from unnest(${links.map(({ artistId }) => toUuid(artistId))}::uuid[],
                  ${links.map(({ releaseId }) => toUuid(releaseId))}::uuid[]) as link (artist_id, release_id)
     order by artist_id, release_id
    on conflict do nothing
  `);
}

/** The artists that the release and its tracks name or named. */
export async function findLinkedArtists(tx: Tx, releaseId: ReleaseId): Promise<ArtistId[]> {
  const rows = await tx.query<{ artist_id: string }>(sql`
    select artist_id from release_artists
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
  `);
  return rows.map(({ artist_id }) => toWire('art', artist_id));
}

/**
 * A column of a statement that reads a release or its tracks: the artists of the release that were merged, with those
 * they were merged into; null if there are none. `exists` is evaluated once for a statement, so an organization that has
 * merged no artists pays for one look into an index, however many releases it lists.
 */
export const selectMergedArtists = (of: {
  readonly orgId: Sql;
  readonly releaseId: Sql;
}): Sql => sql`
  case when exists (select from artists where org_id = app_org_id() and merged_into is not null) then
    (select jsonb_object_agg(merged.id, merged.merged_into)
       from release_artists link
            join artists merged on merged.org_id = link.org_id and merged.id = link.artist_id
      where link.org_id = ${of.orgId} and link.release_id = ${of.releaseId} and merged.merged_into is not null)
  end as merged_artists
`;

/** The value of `selectMergedArtists`. */
export type MergedArtists = Readonly<Record<string, string>> | null;

/** The entries with the artists that remain: what was stored before a merge is not rewritten. */
export function withMergedArtists<T extends Credits>(content: T, merged: MergedArtists): T {
  if (merged === null) return content;
  const survivors = new Map(
    Object.entries(merged).map(([id, into]) => [toWire('art', id), toWire('art', into)]),
  );
  const withSurvivor = <Entry extends Artist | Contributor>(entry: Entry): Entry => {
    const survivor = entry.artistId && survivors.get(entry.artistId);
    return survivor === undefined ? entry : { ...entry, artistId: survivor };
  };
  const { artists, contributors } = content;
  return {
    ...content,
    artists: artists.map(withSurvivor),
    ...(contributors && { contributors: contributors.map(withSurvivor) }),
  };
}
