/** Primary genres, in our own words; each store has its own for them. */
export const genres: readonly string[] = [
  'Alternative',
  'Ambient',
  'Blues',
  "Children's Music",
  'Classical',
  'Country',
  'Dance',
  'Disco',
  'Drum & Bass',
  'Electronic',
  'Experimental',
  'Folk',
  'Funk',
  'Gospel',
  'Hip-Hop',
  'House',
  'Indie',
  'Jazz',
  'K-Pop',
  'Latin',
  'Metal',
  'New Age',
  'Pop',
  'Punk',
  'R&B',
  'Reggae',
  'Rock',
  'Singer-Songwriter',
  'Soul',
  'Soundtrack',
  'Spoken Word',
  'Techno',
  'Trance',
  'World Music',
];

const compact = (genre: string): string => genre.toLowerCase().replaceAll(/[\s\-‐‑–]/g, '');

const spellings: ReadonlyMap<string, string> = new Map(
  genres.map((genre) => [compact(genre), genre]),
);

/** The genre meant, where only case, spaces or hyphens differ. */
export const genreMeant = (text: string): string | undefined => spellings.get(compact(text));
