/** Golden fixtures: contributors and the use of AI. */

import type { Contributor } from '../../src/catalog/domain/contributor.ts';
import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import {
  base,
  lyricist,
  producer,
  singer,
  stores,
  withRelease,
  withTrack,
} from './preflight-base.ts';
import {
  type GoldenCase,
  type GoldenRules,
  expectNothing,
  expectFinding,
} from './preflight-golden.ts';

const people = '/tracks/0/contributors';
const both = 'composer, lyricist';

const crediting = (...contributors: readonly Contributor[]): PreflightInput =>
  withTrack({ contributors });

const credited = (name: string, ...roles: Contributor['roles']): Contributor => ({ name, roles });
const composer = credited('Ida Berg', 'composer');
const vocalist = credited('Ida Berg', 'vocalist');
const composerLyricist = credited('Ida Berg', 'composer_lyricist', 'vocalist');

const storesOf = (...rulePacks: readonly string[]) => ({
  stores: stores.flatMap(({ storeId, rulePack }) =>
    rulePacks.includes(rulePack) ? [storeId] : [],
  ),
});
/** Rule pack A alone asks for credits. */
const missing = (input: PreflightInput, limit: string): GoldenCase =>
  expectFinding(input, people, [null, limit], storesOf('a'));
const withoutPackA = (input: PreflightInput): PreflightInput => ({
  ...input,
  stores: stores.filter(({ rulePack }) => rulePack !== 'a'),
});

const joined = (contributor: Contributor, ...separated: readonly Contributor[]): GoldenCase =>
  expectFinding(
    crediting(singer, lyricist, producer, contributor),
    people,
    [contributor.name, 'one name per entry'],
    { fix: { tracks: { trk_0: { contributors: [singer, lyricist, ...separated] } } } },
  );

export const creditGolden: GoldenRules = {
  credits_performer: {
    severity: 'error',
    pass: expectNothing(base),
    fail: missing(crediting(composer, lyricist, producer), 'performer'),
    edge: expectNothing(crediting(credited('A', 'conductor'), composer, lyricist, producer)),
    more: [
      missing(crediting(), 'performer'),
      expectNothing(withoutPackA(crediting())),
      // A displayed artist is not a credit.
      missing(
        withTrack({ artists: [{ name: 'A', role: 'main' }], contributors: [producer] }),
        'performer',
      ),
      expectNothing(
        withTrack({ contributors: [composer, lyricist, producer], aiUse: { recording: 'all' } }),
      ),
    ],
  },
  credits_writer: {
    severity: 'error',
    pass: expectNothing(base),
    fail: missing(crediting(vocalist, producer), 'writer'),
    edge: expectNothing(crediting(vocalist, producer, credited('A', 'arranger'))),
    more: [
      missing(withTrack({ contributors: [vocalist, producer], language: 'zxx' }), 'writer'),
      expectNothing(withoutPackA(crediting())),
    ],
  },
  credits_production: {
    severity: 'error',
    pass: expectNothing(base),
    fail: missing(crediting(singer, lyricist), 'production, engineering'),
    edge: expectNothing(crediting(singer, lyricist, credited('A', 'mastering_engineer'))),
    more: [
      expectNothing(crediting(singer, lyricist, credited('A', 'executive_producer'))),
      expectNothing(withoutPackA(crediting())),
    ],
  },
  credits_missing: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(crediting(vocalist), people, [null, both]),
    edge: expectFinding(crediting(singer), people, ['composer', both]),
    more: [
      expectFinding(crediting(lyricist), people, ['lyricist', both]),
      expectNothing(crediting(composerLyricist)),
      expectNothing(withTrack({ contributors: [vocalist], language: 'zxx' })),
      expectNothing(withRelease({ language: 'zxx' }, crediting(vocalist))),
    ],
  },
  credits_instrumental: {
    severity: 'warning',
    pass: expectNothing(withTrack({ language: 'zxx', contributors: [singer, producer] })),
    fail: expectFinding(withTrack({ language: 'zxx' }), people, ['Tove Lind', 'no lyricist'], {
      fix: { tracks: { trk_0: { contributors: [singer, producer] } } },
    }),
    edge: expectNothing(withTrack({ language: 'sv', contributors: [lyricist, singer, producer] })),
    more: [
      // What is sung is lyrics_language, if the track has it.
      expectFinding(withTrack({ lyricsLanguage: 'zxx' }), people, ['Tove Lind', 'no lyricist'], {
        fix: { tracks: { trk_0: { contributors: [singer, producer] } } },
      }),
      expectNothing(withTrack({ language: 'zxx', lyricsLanguage: 'sv' })),
      // The other roles stay.
      expectFinding(
        withTrack({ language: 'zxx', contributors: [composerLyricist, producer] }),
        people,
        ['Ida Berg', 'no lyricist'],
        {
          fix: {
            tracks: {
              trk_0: { contributors: [credited('Ida Berg', 'composer', 'vocalist'), producer] },
            },
          },
        },
      ),
      // The lyricist is the only writer: without them rule pack A would refuse the track.
      expectFinding(
        withTrack({ language: 'zxx', contributors: [vocalist, lyricist, producer] }),
        people,
        ['Tove Lind', 'no lyricist'],
      ),
    ],
  },
  language_instrumental: {
    severity: 'warning',
    pass: expectNothing(withTrack({ version: 'Instrumental', language: 'zxx' })),
    fail: expectFinding(
      withTrack({ version: 'Instrumental', contributors: [singer, producer] }),
      '/tracks/0/language',
      ['en', 'zxx'],
      { fix: { tracks: { trk_0: { language: 'zxx' } } } },
    ),
    edge: expectNothing(withTrack({ title: 'Instrumental Illness', version: 'Live' })),
    more: [
      expectFinding(
        withTrack({
          version: 'Instrumental',
          contributors: [singer, producer],
          lyricsLanguage: 'sv',
        }),
        '/tracks/0/lyrics_language',
        ['sv', 'zxx'],
        { fix: { tracks: { trk_0: { lyricsLanguage: 'zxx' } } } },
      ),
      expectNothing(withTrack({ version: 'Instrumental', lyricsLanguage: 'zxx' })),
      // With a lyricist no fix is offered: either the version or the language may be wrong.
      expectFinding(withTrack({ title: 'Night (Instrumental)' }), '/tracks/0/language', [
        'en',
        'zxx',
      ]),
    ],
  },
  contributor_joined: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: joined(
      credited('A & B', 'engineer'),
      producer,
      credited('A', 'engineer'),
      credited('B', 'engineer'),
    ),
    edge: expectNothing(
      crediting(
        singer,
        lyricist,
        producer,
        credited('Tyler, The Creator', 'vocalist'),
        // Names of groups, and of one party with an IPI.
        credited('Earth, Wind & Fire', 'music_group'),
        { ...credited('Rodgers & Hammerstein', 'composer'), ipi: '00045620792' },
      ),
    ),
    more: [
      // A name that is listed gets the roles and instruments too.
      joined(
        {
          name: 'Mo Falk feat. Kim',
          roles: ['musician'],
          instruments: ['piano'],
        },
        { ...producer, roles: [...producer.roles, 'musician'], instruments: ['piano'] },
        { name: 'Kim', roles: ['musician'], instruments: ['piano'] },
      ),
    ],
  },
};

const declarations = 'none, partly, all';
const undeclared = (input: PreflightInput, pointer: string): GoldenCase =>
  expectFinding(input, pointer, [null, declarations], storesOf('a', 'b'));

export const aiUseGolden: GoldenRules = {
  ai_use_undeclared: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: undeclared(withTrack({ aiUse: null }, 1), '/tracks/1/ai_use'),
    edge: undeclared(
      withTrack({ aiUse: { recording: 'none', composition: null } }),
      '/tracks/0/ai_use',
    ),
    more: [
      undeclared(withTrack({ aiUse: { composition: 'none' } }), '/tracks/0/ai_use'),
      undeclared(withRelease({ aiUse: null }), '/ai_use'),
      undeclared(withRelease({ aiUse: {} }), '/ai_use'),
      expectNothing({
        ...withRelease({ aiUse: null }),
        stores: stores.filter(({ rulePack }) => rulePack === 'base'),
      }),
    ],
  },
  ai_use_performers: {
    severity: 'error',
    pass: expectNothing(
      withTrack({
        aiUse: { recording: 'all', composition: 'all' },
        contributors: [composer, lyricist, producer],
      }),
    ),
    fail: expectFinding(
      withTrack({ aiUse: { recording: 'all', composition: 'none' } }),
      '/tracks/0/ai_use',
      ['Ida Berg', 'no performers'],
      { fix: { tracks: { trk_0: { aiUse: { recording: 'partly', composition: 'none' } } } } },
    ),
    edge: expectNothing(withTrack({ aiUse: { recording: 'partly', composition: 'all' } })),
  },
};
