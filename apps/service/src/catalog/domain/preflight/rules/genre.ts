import { findGenreBySpelling, genres } from '../genres.ts';
import { forReleaseAndTracks, type ReleaseOrTrack, buildFix } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';

const source = 'store guides';
const prevents = 'metadata_missing';
const field = 'genre';

const listed: ReadonlySet<string> = new Set(genres);

function checkListed(entity: ReleaseOrTrack): RawFinding[] {
  const { track, genre } = entity;
  if (genre === null || listed.has(genre)) return [];
  const listedGenre = findGenreBySpelling(genre);
  const fixes = () => (listedGenre === undefined ? [] : [buildFix(entity, { genre: listedGenre })]);
  const message = 'The genre is none of our primary genres, so stores are told a general one.';
  return [
    { track, field, message, measured: genre, limit: listedGenre ?? 'a listed genre', fixes },
  ];
}

export const genreRules = {
  genre_missing: {
    description: 'The release should have a genre; without one, stores get a general genre.',
    severity: 'warning',
    readsFields: ['genre'],
    source,
    prevents,
    release: ({ release: { genre } }) =>
      genre === null
        ? [{ field, message: 'The release has no genre.', measured: null, limit: 'a listed genre' }]
        : [],
  } satisfies Rule,
  genre_unknown: {
    description:
      'The genre should be one of our primary genres; otherwise stores get a general one.',
    severity: 'warning',
    readsFields: ['genre'],
    source,
    prevents,
    ...forReleaseAndTracks(checkListed),
  } satisfies Rule,
};
