/** Names of artists: which are main, and several in one entry taken apart. */

import type { Artist } from '../../release.ts';
import { collapseSpaces, foldCase } from './words.ts';

const featuring = / (?:feat\.?|ft\.|featuring) /i;
/** "Tyler, The Creator" and "Sammy Davis, Jr." are one person each. */
const nameSeparators = / (?:&|x|×) |, (?![Tt]he |[JS]r(?:\.|$))/;
/** As many as the door accepts; also the bound for what hostile names grow into. */
const artistsMax = 100;

const namesIn = (text: string): string[] =>
  text.split(nameSeparators).flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));

/** Who has an ISNI or a page at a store is one party, whatever the name: Simon & Garfunkel. */
const isIdentified = ({ isni, storeProfiles = {} }: Artist): boolean =>
  isni !== undefined || Object.keys(storeProfiles).length > 0;

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

/** Each of them once, guests who are also main artists left out; undefined where there are too many. */
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
  for (const part of entries) {
    const isMainToo = part.role === 'featured' && mains.has(foldCase(part.name));
    // What identifies an artist is never lost, even if no fix can be offered then.
    if (isIdentified(part) || (!isMainToo && !kept.has(keyOf(part)))) kept.set(keyOf(part), part);
  }
  return [...kept.values()];
}

/** Remembered by list: a fix is verified against all other tracks, and hostile ones have long names. */
const mainNamesByArtists = new WeakMap<readonly Artist[], ReadonlySet<string>>();

export function mainArtistNames(artists: readonly Artist[]): ReadonlySet<string> {
  const names =
    mainNamesByArtists.get(artists) ??
    new Set(artists.filter(({ role }) => role === 'main').map(({ name }) => foldCase(name)));
  mainNamesByArtists.set(artists, names);
  return names;
}
