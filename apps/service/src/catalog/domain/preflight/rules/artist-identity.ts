/** Which page of a store a credit leads to. One finding of each rule names all artists of the release and its tracks. */

import { newProfile } from '../../artist.ts';
import { byArtistId, type Credit, creditOf } from '../../credited-artists.ts';
import type { Artist } from '../../release.ts';
import type { PreflightInput, SimilarArtist, RulePack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { foldCase } from '../text/words.ts';
import { variousArtists } from './artists.ts';
import { storeIdsWithRulePack } from './stores-with-rule-pack.ts';

const rulePacks: readonly RulePack[] = ['a', 'b'];

const field = 'artists';
/** A message names so many artists, and counts the others. */
const namesMax = 5;

type Entry = Credit & Pick<Artist, 'artistId'>;

/** Every entry of the release and its tracks once, with what its artist adds to it. */
function entriesOf({ release, tracks, artists }: PreflightInput): readonly Entry[] {
  const byId = byArtistId(artists);
  const seen = new Map<string, Entry>();
  for (const entity of [release, ...tracks]) {
    for (const entry of entity.artists) {
      const key = JSON.stringify([
        entry.artistId,
        foldCase(entry.name),
        entry.role,
        entry.isni,
        entry.storeProfiles,
      ]);
      if (seen.has(key)) continue;
      seen.set(key, { ...creditOf(entry, byId), artistId: entry.artistId });
    }
  }
  return [...seen.values()];
}

/** Stores have one page of this name for all. */
const hasPage = ({ role, name }: Entry): boolean =>
  (role === 'main' || role === 'featured') && foldCase(name) !== foldCase(variousArtists);

type LackingProfile = { readonly name: string; readonly storeIds: readonly string[] };

const lackingProfile = (entry: Entry, storeIds: readonly string[]): LackingProfile | undefined => {
  if (!hasPage(entry)) return undefined;
  const { name, storeProfiles = {} } = entry;
  const missing = storeIds.filter((storeId) => storeProfiles[storeId] === undefined);
  return missing.length === 0 ? undefined : { name, storeIds: missing };
};

function checkProfiles(input: PreflightInput): RawFinding[] {
  const storeIds = storeIdsWithRulePack(input, rulePacks);
  const lacking = entriesOf(input).flatMap((entry) => lackingProfile(entry, storeIds) ?? []);
  if (lacking.length === 0) return [];
  const names = [...new Set(lacking.map(({ name }) => name))];
  const stores = storeIds.filter((storeId) =>
    lacking.some((each) => each.storeIds.includes(storeId)),
  );
  const artists = listOf(names.map((name) => `"${name}"`));
  const message = `${artists}: no profile at ${stores.join(', ')}. Set store_profiles of the artist to the id of its page at the store, or to "${newProfile}" if it has no page there.`;
  return [{ field, message, measured: names.length, limit: 0, stores }];
}

type Pair = readonly [SimilarArtist, SimilarArtist];

/** Each artist that the release names, with the first other one that could be the same. */
function pairsOf(
  { artists, similarArtists }: PreflightInput,
  keysOf: (artist: SimilarArtist) => readonly string[],
): readonly Pair[] {
  const named = new Set<string>(artists.map(({ id }) => id));
  const byKey = Map.groupBy(
    similarArtists.flatMap((artist) => keysOf(artist).map((key) => ({ key, artist }))),
    ({ key }) => key,
  );
  const pairs = new Map<string, Pair>();
  for (const group of byKey.values()) {
    const [one, two] = group.map(({ artist }) => artist);
    if (one === undefined || two === undefined) continue;
    if (group.some(({ artist }) => named.has(artist.id)))
      pairs.set(`${one.id} ${two.id}`, [one, two]);
  }
  return [...pairs.values()];
}

const describePairs = (pairs: readonly Pair[]): string =>
  listOf(pairs.map(([one, two]) => `${one.id} and ${two.id} ("${one.name}")`));

function checkNames(input: PreflightInput): RawFinding[] {
  const pairs = pairsOf(input, ({ name, storeProfiles }) =>
    Object.keys(storeProfiles).length === 0 ? [foldCase(name)] : [],
  );
  if (pairs.length === 0) return [];
  const message = `${describePairs(pairs)} have the same name and no store_profiles, so stores cannot tell them apart. Merge them if they are one artist (POST /v1/artists/{artist_id}/merge), or set store_profiles of each.`;
  return [{ field, message, measured: pairs.length, limit: 0 }];
}

const pageKeys = (storeProfiles: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(storeProfiles)
    .filter(([, profile]) => profile !== newProfile)
    .map(([storeId, profile]) => JSON.stringify([storeId, profile]));

const identityKeys = ({ isni, storeProfiles }: SimilarArtist): readonly string[] => [
  ...(isni === null ? [] : [isni]),
  ...pageKeys(storeProfiles),
];

/** Two artists with one page, or an entry with the ISNI or the page of an artist that it does not name. */
function checkIdentities(input: PreflightInput): RawFinding[] {
  if (input.similarArtists.length === 0) return [];
  const pairs = pairsOf(input, identityKeys);
  const owners = new Map(
    input.similarArtists.flatMap((artist) => identityKeys(artist).map((key) => [key, artist])),
  );
  const unnamed = entriesOf(input).flatMap(({ artistId, name, isni, storeProfiles = {} }) => {
    const keys = [...(isni === undefined ? [] : [isni]), ...pageKeys(storeProfiles)];
    const owner = keys.map((key) => owners.get(key)).find((each) => each !== undefined);
    return owner === undefined || artistId !== undefined ? [] : [`"${name}" is ${owner.id}`];
  });
  const all = [...(pairs.length === 0 ? [] : [describePairs(pairs)]), ...unnamed];
  if (all.length === 0) return [];
  const message = `${listOf(all)}: the same ISNI or the same page at a store. Merge the artists if they are one (POST /v1/artists/{artist_id}/merge), and send artist_id in the entry.`;
  return [{ field, message, measured: pairs.length + unnamed.length, limit: 0 }];
}

const listOf = (names: readonly string[]): string => {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const source = 'DDEX ERN 4.3 PartyId';

export const artistIdentityRules = {
  artist_profile_unset: {
    description:
      'Every main and featured artist should have a profile at each store that asks for one, or "new"; otherwise the store guesses the page.',
    rulePacks,
    unit: 'artists',
    severity: 'warning',
    readsFields: ['artists'],
    source,
    prevents: 'metadata_missing',
    release: checkProfiles,
    mayFollowFix: true,
  } satisfies Rule,
  artist_name_shared: {
    description:
      'Two artists should not have the same name and no profiles; stores would show both on one page.',
    unit: 'artists',
    severity: 'warning',
    readsFields: ['artists'],
    source,
    prevents: 'identifier_invalid',
    release: checkNames,
  } satisfies Rule,
  artist_identity_shared: {
    description:
      'One ISNI, or one page at a store, should belong to one artist; otherwise the same artist exists twice.',
    unit: 'artists',
    severity: 'warning',
    readsFields: ['artists'],
    source,
    prevents: 'identifier_invalid',
    release: checkIdentities,
  } satisfies Rule,
};
