/** The writers of a track, and instrumentals. */

import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import { languageOf } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { parseTitle } from '../text/bracket-groups.ts';
import { splitWords } from '../text/words.ts';

/** ISO 639-2: no linguistic content. */
const instrumental = 'zxx';
const source = 'Music Gateway';
const prevents = 'metadata_missing';

const isSung = (track: PreflightTrack, input: PreflightInput): boolean =>
  languageOf(track, input) !== instrumental;

function checkWriters(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const roles = new Set(track.artists.map(({ role }) => role));
  const missing = (['composer', 'lyricist'] as const).filter((role) => !roles.has(role));
  if (!isSung(track, input) || missing.length === 0) return [];
  return [
    {
      track,
      field: 'artists',
      message: `The track names no ${missing.join(' and no ')}.`,
      measured: missing.length === 2 ? null : [...roles].filter(isWriter).join(', '),
      limit: 'composer, lyricist',
    },
  ];
}

const isWriter = (role: string): boolean => role === 'composer' || role === 'lyricist';

function checkLyricist(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const lyricist = track.artists.find(({ role }) => role === 'lyricist');
  if (isSung(track, input) || lyricist === undefined) return [];
  const artists = track.artists.filter(({ role }) => role !== 'lyricist');
  return [
    {
      track,
      field: 'artists',
      message: 'An instrumental has no lyricist.',
      measured: lyricist.name,
      limit: 'no lyricist',
      fixes: () => [{ tracks: { [track.id]: { artists } } }],
    },
  ];
}

function checkLanguage(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const additions = [
    track.version ?? '',
    ...parseTitle(track.title).groups.map(({ text }) => text),
  ];
  const isCalledInstrumental = additions.some((text) => splitWords(text).includes('instrumental'));
  if (!isSung(track, input) || !isCalledInstrumental) return [];
  return [
    {
      track,
      field: 'language',
      message: `An instrumental has the language ${instrumental}.`,
      measured: languageOf(track, input),
      limit: instrumental,
      fixes: () => [{ tracks: { [track.id]: { language: instrumental } } }],
    },
  ];
}

export const creditRules = {
  credits_missing: {
    description:
      'A track with words should name a composer and a lyricist; stores show the credits and collecting societies need them.',
    severity: 'warning',
    readsFields: ['artists', 'language'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkWriters,
  } satisfies Rule,
  credits_instrumental: {
    description: 'An instrumental should not name a lyricist; it has no words.',
    severity: 'warning',
    readsFields: ['artists', 'language'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkLyricist,
  } satisfies Rule,
  language_instrumental: {
    description:
      'A track that is called instrumental should have the language zxx; otherwise stores ask for its lyrics and writers.',
    severity: 'warning',
    readsFields: ['title', 'version', 'language'],
    inheritedFields: ['language'],
    source,
    prevents,
    track: checkLanguage,
  } satisfies Rule,
};
