/** The artists and contributors of a request, and what they become once the artists that they name are found. */

import { type ArtistId, parseId } from '../../kernel/ids.ts';
import { invalidField, type Refusal, type Violation } from '../../kernel/problem.ts';
import { refuseUnknownStores, type RegisteredArtist } from './artist.ts';
import { type Contributor, refuseContributors } from './contributor.ts';
import { type Artist, refuseArtists } from './release.ts';

/** With an artist, whose id is not parsed yet, or with a name, or both. */
type NamesArtist = {
  readonly artistId?: string | undefined;
  readonly name?: string | undefined;
};

/** Entries of a request. */
export type ArtistEntry = Omit<Artist, keyof NamesArtist> & NamesArtist;
export type ContributorEntry = Omit<Contributor, keyof NamesArtist> & NamesArtist;

/** What the entries of a request name, as far as it exists. */
export type NamedArtists = {
  readonly artists: ReadonlyMap<string, Pick<RegisteredArtist, 'id' | 'name' | 'mergedInto'>>;
  readonly storeIds: ReadonlySet<string>;
};

export const artistIdsIn = (entries: readonly NamesArtist[]): readonly ArtistId[] =>
  entries.flatMap(({ artistId }) => parseId('art', artistId ?? '') ?? []);

/** Contract §1, §5: unknown, malformed and another organization's are the same. */
function refuseUnknownArtists(
  entries: readonly NamesArtist[],
  { artists }: NamedArtists,
  field: string,
): Refusal | undefined {
  const issue = 'must be the id of an artist of yours; GET /v1/artists lists them';
  const details: Violation[] = entries.flatMap(({ artistId }, i) =>
    artistId === undefined || artists.has(artistId)
      ? []
      : [{ field: `${field}[${i}].artist_id`, issue }],
  );
  const [first] = details;
  return first && { code: 'invalid_field', message: `${first.field} ${issue}.`, details };
}

/** Names that entries leave out count too. No entries: the request does not name the list. */
export function refuseNamedArtists(
  entries: readonly ArtistEntry[],
  named: NamedArtists,
  field: string,
): Refusal | undefined {
  if (entries.length === 0) return undefined;
  const unknownStores = entries.map(({ storeProfiles }, i) =>
    refuseUnknownStores(storeProfiles, named.storeIds, `${field}[${i}].store_profiles`),
  );
  return (
    refuseUnknownArtists(entries, named, field) ??
    unknownStores.find((refusal) => refusal !== undefined) ??
    refuseArtists(toArtists(entries, named), field)
  );
}

export const refuseNamedContributors = (
  entries: readonly ContributorEntry[],
  named: NamedArtists,
  field: string,
): Refusal | undefined =>
  refuseUnknownArtists(entries, named, field) ??
  refuseContributors(toContributors(entries, named), field);

export const toArtists = (
  entries: readonly ArtistEntry[],
  named: FoundArtists,
): readonly Artist[] => withFoundArtists(entries, named);

export const toContributors = (
  entries: readonly ContributorEntry[],
  named: FoundArtists,
): readonly Contributor[] => withFoundArtists(entries, named);

type FoundArtists = Pick<NamedArtists, 'artists'>;

/** With the artist that remains, and its name where the entry has none. The entries were not refused. */
const withFoundArtists = <Entry extends NamesArtist>(
  entries: readonly Entry[],
  { artists }: FoundArtists,
) =>
  entries.map(({ artistId, name, ...entry }) => {
    const named = artists.get(artistId ?? '');
    const artist = artists.get(named?.mergedInto ?? '') ?? named;
    return {
      ...(artist && { artistId: artist.id }),
      name: name ?? artist?.name ?? '',
      ...entry,
    };
  });

/** Bounded, because each snapshot of a release has what stores need of every artist. */
const artistsPerReleaseMax = 500;

/** `linked`: the artists that the release and its tracks name or named. */
export function refuseTooManyArtists(
  added: readonly NamesArtist[],
  linked: readonly ArtistId[],
  field: string,
): Refusal | undefined {
  const ids = new Set([...linked, ...artistIdsIn(added)]);
  if (ids.size <= artistsPerReleaseMax) return undefined;
  return invalidField(
    field,
    `has too many artists: a release names at most ${artistsPerReleaseMax}, and those that it named before count too`,
  );
}
