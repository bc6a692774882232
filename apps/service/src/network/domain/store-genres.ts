/**
 * How stores name genres. Each has a list of its own, shorter than ours: an operator sets its names, and stores of one rule
 * pack share the others. A genre that is not on it gets the general one, so that a message always has a genre.
 */

import type { Store } from './store.ts';

type GenreNames = {
  readonly general: string;
  /** By our name of the genre. */
  readonly names: Readonly<Record<string, string>>;
};

/** Broad genres, of which some have double names. */
const broad: GenreNames = {
  general: 'Music',
  names: {
    Alternative: 'Alternative',
    Ambient: 'Electronic',
    Blues: 'Blues',
    "Children's Music": "Children's Music",
    Classical: 'Classical',
    Country: 'Country',
    Dance: 'Dance',
    Disco: 'Dance',
    'Drum & Bass': 'Electronic',
    Electronic: 'Electronic',
    Folk: 'Singer/Songwriter',
    Funk: 'R&B/Soul',
    Gospel: 'Christian & Gospel',
    'Hip-Hop': 'Hip-Hop/Rap',
    House: 'Dance',
    Indie: 'Alternative',
    Jazz: 'Jazz',
    'K-Pop': 'K-Pop',
    Latin: 'Latin',
    Metal: 'Rock',
    'New Age': 'New Age',
    Pop: 'Pop',
    Punk: 'Alternative',
    'R&B': 'R&B/Soul',
    Reggae: 'Reggae',
    Rock: 'Rock',
    'Singer-Songwriter': 'Singer/Songwriter',
    Soul: 'R&B/Soul',
    Soundtrack: 'Soundtrack',
    'Spoken Word': 'Spoken Word',
    Techno: 'Dance',
    Trance: 'Dance',
    'World Music': 'Worldwide',
  },
};

/** Genres in small letters, with the styles of clubs as genres of their own. */
const detailed: GenreNames = {
  general: 'other',
  names: {
    Alternative: 'alternative',
    Ambient: 'ambient',
    Blues: 'blues',
    "Children's Music": 'children',
    Classical: 'classical',
    Country: 'country',
    Dance: 'dance',
    Disco: 'disco',
    'Drum & Bass': 'drum-and-bass',
    Electronic: 'electronic',
    Folk: 'folk',
    Funk: 'funk',
    Gospel: 'gospel',
    'Hip-Hop': 'hip-hop',
    House: 'house',
    Indie: 'indie',
    Jazz: 'jazz',
    'K-Pop': 'k-pop',
    Latin: 'latin',
    Metal: 'metal',
    'New Age': 'new-age',
    Pop: 'pop',
    Punk: 'punk',
    'R&B': 'r-n-b',
    Reggae: 'reggae',
    Rock: 'rock',
    'Singer-Songwriter': 'singer-songwriter',
    Soul: 'soul',
    Soundtrack: 'soundtracks',
    Techno: 'techno',
    Trance: 'trance',
    'World Music': 'world-music',
  },
};

/** The genres that every store has. */
const common: GenreNames = {
  general: 'Other',
  names: {
    Alternative: 'Rock',
    Ambient: 'Electronic',
    Classical: 'Classical',
    Country: 'Country',
    Dance: 'Electronic',
    Electronic: 'Electronic',
    'Hip-Hop': 'Hip Hop',
    House: 'Electronic',
    Indie: 'Rock',
    Jazz: 'Jazz',
    'K-Pop': 'Pop',
    Latin: 'Latin',
    Metal: 'Rock',
    Pop: 'Pop',
    Punk: 'Rock',
    'R&B': 'R&B',
    Reggae: 'Reggae',
    Rock: 'Rock',
    Soul: 'R&B',
    Techno: 'Electronic',
    Trance: 'Electronic',
    'World Music': 'World',
  },
};

const namesByRulePack: Readonly<Record<Store['rulePack'], GenreNames>> = {
  a: broad,
  b: detailed,
  base: common,
};

export function genreAtStore(
  { rulePack, genres }: Pick<Store, 'rulePack' | 'genres'>,
  genre: string,
): string {
  const { general, names } = namesByRulePack[rulePack];
  // A partner may send any text as a genre: `constructor` is a member of every object.
  const named = [genres, names].find((each) => Object.hasOwn(each, genre));
  return named?.[genre] ?? general;
}
