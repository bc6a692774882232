/** What an artist adds to the entries that name it: a snapshot freezes it, and stores find the artist's page by it. */

import type { ArtistId } from '../../kernel/ids.ts';
import { sortedPairs } from '../../kernel/pairs.ts';
import type { RegisteredArtist } from './artist.ts';
import type { Contributor } from './contributor.ts';
import { presentContributor } from './present-track.ts';
import type { Artist, Release } from './release.ts';
import type { Track } from './track.ts';

/** What stores need of an artist besides the name of the credit. */
export type CreditedArtist = Pick<
  RegisteredArtist,
  'id' | 'isni' | 'ipi' | 'localizedNames' | 'storeProfiles'
>;

/**
 * The artists with these ids as stores need them now, in the order of the ids. `found` has the artists and, for those
 * that were merged, the ones that remain.
 */
export function toCreditedArtists(
  ids: readonly ArtistId[],
  found: readonly RegisteredArtist[],
): readonly CreditedArtist[] {
  const byId = new Map<string, RegisteredArtist>(found.map((artist) => [artist.id, artist]));
  return ids.toSorted().flatMap((id) => {
    const artist = byId.get(id);
    const remaining = byId.get(artist?.mergedInto ?? '') ?? artist;
    if (remaining === undefined) return [];
    const { isni, ipi, localizedNames, storeProfiles } = remaining;
    return [{ id, isni, ipi, localizedNames, storeProfiles }];
  });
}

/** An entry of a release or a track, with what its artist adds to it. */
export type Credit = Omit<Artist, 'artistId'> &
  Partial<Pick<CreditedArtist, 'localizedNames'>> & { readonly ipi?: string };

export const byArtistId = (
  artists: readonly CreditedArtist[],
): ReadonlyMap<string, CreditedArtist> => new Map(artists.map((artist) => [artist.id, artist]));

/** The entry's own values come first. */
export function creditOf(
  { artistId, ...entry }: Artist,
  artists: ReadonlyMap<string, CreditedArtist>,
): Credit {
  const artist = artists.get(artistId ?? '');
  if (artist === undefined) return entry;
  const { isni, ipi, localizedNames } = artist;
  return {
    ...(isni !== null && { isni }),
    ...(ipi !== null && { ipi }),
    ...(Object.keys(localizedNames).length > 0 && { localizedNames }),
    ...entry,
    storeProfiles: { ...artist.storeProfiles, ...entry.storeProfiles },
  };
}

export const presentCredit = ({ name, role, ...credit }: Credit) => ({
  name,
  role,
  ...(credit.isni !== undefined && { isni: credit.isni }),
  ...(credit.ipi !== undefined && { ipi: credit.ipi }),
  ...(credit.localizedNames && { localized_names: sortedPairs(credit.localizedNames) }),
  ...(credit.storeProfiles && { store_profiles: sortedPairs(credit.storeProfiles) }),
});

/** A contributor's own IPI comes first. */
export function presentContributorCredit(
  { artistId, ...contributor }: Contributor,
  artists: ReadonlyMap<string, CreditedArtist>,
) {
  const artist = artists.get(artistId ?? '');
  return {
    ...presentContributor({ ...contributor, ipi: contributor.ipi ?? artist?.ipi ?? undefined }),
    ...(typeof artist?.isni === 'string' && { isni: artist.isni }),
  };
}

/** The artists that entries of the release and its tracks name. */
export const artistIdsOf = (
  { artists }: Pick<Release, 'artists'>,
  tracks: readonly Pick<Track, 'artists' | 'contributors'>[],
): readonly ArtistId[] => [
  ...new Set(
    [...artists, ...tracks.flatMap((track) => [...track.artists, ...track.contributors])].flatMap(
      ({ artistId }) => artistId ?? [],
    ),
  ),
];
