/** Names of artists: the main ones, and entries that join several names. */

import type { Artist } from '../../release.ts';
import { collapseSpaces, foldCase } from './words.ts';

export const featuring = / (?:feat\.?|ft\.|featuring) /i;
/** "Tyler, The Creator" and "Sammy Davis, Jr." are one person each. */
const nameSeparators = / (?:&|x|×) |, (?![Tt]he |[JS]r(?:\.|$))/;
/** The limit of the schema; it also bounds how many entries a hostile name is split into. */
const artistsMax = 100;

export const namesIn = (text: string): string[] =>
  text.split(nameSeparators).flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));

/** An entry with an artist, an ISNI or a store profile is one party under any name: Simon & Garfunkel. */
const isIdentified = ({ artistId, isni, storeProfiles = {} }: Artist): boolean =>
  artistId !== undefined || isni !== undefined || Object.keys(storeProfiles).length > 0;

function splitArtist(artist: Artist): readonly Artist[] {
  if (isIdentified(artist)) return [artist];
  const { role } = artist;
  const [own = '', ...guests] = collapseSpaces(artist.name).split(featuring);
  const entries: Artist[] = [
    ...namesIn(own).map((name): Artist => ({ name, role })),
    ...guests.flatMap(namesIn).map((name): Artist => ({ name, role: 'featured' })),
  ];
  return entries.length > 1 ? entries : [artist];
}

export const isJoined = (artist: Artist): boolean => splitArtist(artist).length > 1;

const keyOf = ({ name, role }: Artist): string => `${role}\n${foldCase(name)}`;

/** Each artist once, without featured artists who are also main; undefined when there are too many. */
export function splitJoinedArtists(artists: readonly Artist[]): readonly Artist[] | undefined {
  const entries: Artist[] = [];
  for (const artist of artists) {
    entries.push(...splitArtist(artist));
    if (entries.length > artistsMax) return undefined;
  }
  const mains = new Set(
    entries.filter(({ role }) => role === 'main').map(({ name }) => foldCase(name)),
  );
  const kept = new Map<string, Artist>();
  for (const entry of entries) {
    const isMainToo = entry.role === 'featured' && mains.has(foldCase(entry.name));
    // An entry with an ISNI or a store profile is always kept, even if no fix can be offered then.
    if (isIdentified(entry) || (!isMainToo && !kept.has(keyOf(entry))))
      kept.set(keyOf(entry), entry);
  }
  return [...kept.values()];
}

/** Cached by list, because each fix is verified against all other tracks, and hostile ones have long names. */
const mainNamesByArtists = new WeakMap<readonly Artist[], ReadonlySet<string>>();

export function mainArtistNames(artists: readonly Artist[]): ReadonlySet<string> {
  const names =
    mainNamesByArtists.get(artists) ??
    new Set(artists.filter(({ role }) => role === 'main').map(({ name }) => foldCase(name)));
  mainNamesByArtists.set(artists, names);
  return names;
}
