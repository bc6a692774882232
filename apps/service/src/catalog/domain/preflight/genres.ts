/** The primary genres of the API. Each store has its own names for them. */
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

const normalizeGenre = (genre: string): string => genre.toLowerCase().replaceAll(/[\s\-‐‑–]/g, '');

const spellings: ReadonlyMap<string, string> = new Map(
  genres.map((genre) => [normalizeGenre(genre), genre]),
);

/** The listed genre that differs from the text only in case, spaces or hyphens. */
export const findGenreBySpelling = (text: string): string | undefined =>
  spellings.get(normalizeGenre(text));
