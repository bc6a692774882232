import { findGenreBySpelling, findSubgenreBySpelling, genres } from '../genres.ts';
import type { Fix, PreflightInput } from '../preflight-input.ts';
import { forReleaseAndTracks, type ReleaseOrTrack, buildFix } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';

const source = 'guides of several stores';
const prevents = 'metadata_missing';
const field = 'genre';

const listed: ReadonlySet<string> = new Set(genres);

function checkListed(entity: ReleaseOrTrack): RawFinding[] {
  const { track, genre } = entity;
  if (genre === null || listed.has(genre)) return [];
  const listedGenre = findGenreBySpelling(genre);
  const fixes = () => (listedGenre === undefined ? [] : [buildFix(entity, { genre: listedGenre })]);
  const message =
    'The genre is not in our list, so stores get a general genre. Send one that GET /v1/genres lists.';
  return [
    { track, field, message, measured: genre, limit: listedGenre ?? 'a listed genre', fixes },
  ];
}

/** Without a genre of its own, a track has that of its release. */
function checkSubgenre(entity: ReleaseOrTrack, { release }: PreflightInput): RawFinding[] {
  const { track, subgenre } = entity;
  const genre = entity.genre ?? release.genre;
  if (subgenre === null) return [];
  const listedGenre = findGenreBySpelling(genre ?? '');
  // `genre_unknown` reports a genre that is not listed: nothing can be said about its subgenres.
  if (genre !== null && listedGenre === undefined) return [];
  const spelled = findSubgenreBySpelling(listedGenre ?? '', subgenre);
  if (spelled === subgenre) return [];
  const fixes = (): Fix[] => [buildFix(entity, { subgenre: spelled ?? null })];
  const message =
    genre === null
      ? 'subgenre is sent without a genre. Send a genre that GET /v1/genres lists.'
      : `The subgenre does not belong to ${genre}, so it is not sent to stores. Send one that GET /v1/genres lists.`;
  const limit = spelled ?? (genre === null ? 'a genre' : `a subgenre of ${genre}`);
  return [{ track, field: 'subgenre', message, measured: subgenre, limit, fixes }];
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
        ? [
            {
              field,
              message:
                'genre is missing, so stores get a general genre. Send one that GET /v1/genres lists.',
              measured: null,
              limit: 'a listed genre',
            },
          ]
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
  subgenre_unknown: {
    description: 'The subgenre should be one of its genre; otherwise stores get only the genre.',
    severity: 'warning',
    readsFields: ['genre', 'subgenre'],
    inheritedFields: ['genre'],
    source,
    prevents,
    ...forReleaseAndTracks(checkSubgenre),
  } satisfies Rule,
};
