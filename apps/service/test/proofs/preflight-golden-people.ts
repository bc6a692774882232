/** Golden fixtures: artists, lines, explicit marks, genre and type. */

import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import type { Artist } from '../../src/catalog/domain/release.ts';
import { album, base, single, withRelease, withTrack } from './preflight-base.ts';
import {
  type GoldenCase,
  type GoldenRules,
  expectNothing,
  expectFinding,
} from './preflight-golden.ts';

const main = (name: string): Artist => ({ name, role: 'main' });
const featured = (name: string): Artist => ({ name, role: 'featured' });
const by = (...artists: readonly Artist[]): PreflightInput => withRelease({ artists });

const joined = (name: string, ...separated: readonly Artist[]): GoldenCase =>
  expectFinding(by(main(name)), '/artists', [name, 'one name per entry'], {
    fix: { release: { artists: separated } },
  });

/** The base release with these main artists on its second track. */
const mainArtists = (...names: readonly string[]): PreflightInput =>
  withTrack({ artists: names.map(main) }, 1);

export const artistGolden: GoldenRules = {
  artist_joined: {
    severity: 'warning',
    pass: expectNothing(by(main('Ida Berg'), main('Tove Lind'))),
    fail: joined('Ida Berg & Tove Lind', main('Ida Berg'), main('Tove Lind')),
    edge: expectNothing(
      by(main('Tyler, The Creator'), main('Davis, Jr.'), main('Lil Nas X'), main('R&B')),
    ),
    more: [
      joined('Ida x Tove', main('Ida'), main('Tove')),
      joined('Ida, Tove', main('Ida'), main('Tove')),
      joined('Ida feat. Tove & Mo', main('Ida'), featured('Tove'), featured('Mo')),
      // An ISNI shows that the name is of one party.
      expectNothing(by({ name: 'Simon & Garfunkel', role: 'main', isni: '0000000121032683' })),
      expectFinding(
        withTrack({ artists: [main('Ida Berg'), { name: 'A & B', role: 'remixer' }] }),
        '/tracks/0/artists',
        ['A & B', 'one name per entry'],
        {
          fix: {
            tracks: {
              trk_0: {
                artists: [
                  main('Ida Berg'),
                  { name: 'A', role: 'remixer' },
                  { name: 'B', role: 'remixer' },
                ],
              },
            },
          },
        },
      ),
    ],
  },
  artist_featured_and_main: {
    severity: 'warning',
    pass: expectNothing(by(main('Ida Berg'), featured('Tove Lind'))),
    fail: expectFinding(
      by(main('Ida Berg'), featured('ida  berg'), featured('Mo')),
      '/artists',
      ['ida  berg', 'main or featured'],
      { fix: { release: { artists: [main('Ida Berg'), featured('Mo')] } } },
    ),
    edge: expectNothing(
      by(main('Ida Berg'), { name: 'Ida Berg', role: 'remixer' }, featured('Ida')),
    ),
  },
  artist_various: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(mainArtists('A', 'B', 'C'), '/artists', [4, 3], {
      fix: { release: { artists: [main('Various Artists')] } },
    }),
    edge: expectNothing(mainArtists('A', 'B', 'IDA BERG')),
    more: [
      expectNothing(
        withRelease({ artists: [main('Various Artists')] }, mainArtists('A', 'B', 'C')),
      ),
      expectNothing(withTrack({ artists: ['A', 'B', 'C', 'D'].map(main) }, 0, single)),
    ],
  },
};

const form = 'YYYY Owner';

export const lineGolden: GoldenRules = {
  line_missing: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(withRelease({ pLine: null }), '/p_line', [null, form], {
      fix: { release: { pLine: '2027 Northern Lights' } },
    }),
    edge: expectNothing(withTrack({ pLine: null })),
    more: [
      expectFinding(withRelease({ cLine: null }), '/c_line', [null, form], {
        fix: { release: { cLine: '2027 Northern Lights' } },
      }),
    ],
  },
  line_form: {
    severity: 'warning',
    pass: expectNothing(withTrack({ pLine: '2026 Ida Berg' })),
    fail: expectFinding(withRelease({ pLine: '℗ 2027 Ida' }), '/p_line', ['℗ 2027 Ida', form], {
      fix: { release: { pLine: '2027 Ida' } },
    }),
    edge: expectFinding(withRelease({ cLine: '2027' }), '/c_line', ['2027', form]),
    more: [
      expectFinding(
        withTrack({ pLine: '(P)2027 Ida' }),
        '/tracks/0/p_line',
        ['(P)2027 Ida', form],
        {
          fix: { tracks: { trk_0: { pLine: '2027 Ida' } } },
        },
      ),
      expectFinding(withRelease({ cLine: 'Ida Berg' }), '/c_line', ['Ida Berg', form]),
    ],
  },
  line_year: {
    severity: 'warning',
    pass: expectNothing(withRelease({ pLine: '1999 Ida' })),
    fail: expectFinding(withRelease({ pLine: '2028 Ida' }), '/p_line', [2028, 2027]),
    edge: expectNothing(withRelease({ pLine: '2027 Ida', cLine: '2027 Ida' })),
    more: [
      expectFinding(withTrack({ pLine: '© 2028 Ida' }), '/tracks/0/p_line', [2028, 2027]),
      expectNothing(
        withRelease({ pLine: '2026 Ida', cLine: '2026 Ida', releaseDate: '2025-01-01' }),
      ),
    ],
  },
};

export const explicitGolden: GoldenRules = {
  explicit_missing: {
    severity: 'warning',
    pass: expectNothing(withTrack({ explicit: 'clean' })),
    fail: expectFinding(withTrack({ explicit: null }, 1), '/tracks/1/explicit', [
      null,
      'explicit, clean, none',
    ]),
    edge: expectNothing(withTrack({ explicit: 'none' })),
  },
  explicit_release: {
    severity: 'warning',
    pass: expectNothing(withRelease({ explicit: 'explicit' }, withTrack({ explicit: 'explicit' }))),
    fail: expectFinding(withTrack({ explicit: 'explicit' }), '/explicit', ['none', 'explicit'], {
      fix: { release: { explicit: 'explicit' } },
    }),
    edge: expectNothing(withRelease({ explicit: null }, withTrack({ explicit: 'clean' }))),
    more: [
      expectFinding(
        withRelease({ explicit: null }, withTrack({ explicit: 'explicit' })),
        '/explicit',
        [null, 'explicit'],
        { fix: { release: { explicit: 'explicit' } } },
      ),
    ],
  },
};

export const genreGolden: GoldenRules = {
  genre_missing: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(withRelease({ genre: null }), '/genre', [null, 'a listed genre']),
    edge: expectNothing(withTrack({ genre: null })),
  },
  genre_unknown: {
    severity: 'warning',
    pass: expectNothing(withRelease({ genre: 'Hip-Hop' })),
    fail: expectFinding(withRelease({ genre: 'Yacht Core' }), '/genre', [
      'Yacht Core',
      'a listed genre',
    ]),
    edge: expectFinding(withRelease({ genre: 'hip hop' }), '/genre', ['hip hop', 'Hip-Hop'], {
      fix: { release: { genre: 'Hip-Hop' } },
    }),
    more: [
      expectFinding(withTrack({ genre: 'POP' }), '/tracks/0/genre', ['POP', 'Pop'], {
        fix: { tracks: { trk_0: { genre: 'Pop' } } },
      }),
    ],
  },
};

const typed = (
  type: 'single' | 'ep' | 'album' | 'compilation' | null,
  input: PreflightInput,
): PreflightInput => withRelease({ type }, input);
const minutes = (count: number): number => count * 60_000;
const toType = (type: 'single' | 'ep' | 'album') => ({ fix: { release: { type } } });

export const typeGolden: GoldenRules = {
  type_by_content: {
    severity: 'warning',
    pass: expectNothing(typed('ep', album(4, minutes(3)))),
    fail: expectFinding(
      typed('album', album(4, minutes(3))),
      '/type',
      ['album', 'ep'],
      toType('ep'),
    ),
    // Exactly thirty minutes.
    edge: expectFinding(
      typed('single', album(3, minutes(10))),
      '/type',
      ['single', 'album'],
      toType('album'),
    ),
    more: [
      expectNothing(typed('single', album(3, minutes(10) - 1))),
      expectFinding(typed('ep', album(3, minutes(3))), '/type', ['ep', 'single'], toType('single')),
      expectFinding(
        typed('single', album(7, minutes(1))),
        '/type',
        ['single', 'album'],
        toType('album'),
      ),
      expectNothing(typed('ep', album(6, minutes(3)))),
      expectNothing(typed('compilation', album(2, minutes(3)))),
      expectNothing(typed(null, album(2, minutes(3)))),
      expectNothing(withTrack({ audio: null }, 0, typed('album', album(4, minutes(3))))),
      expectNothing(typed('album', { ...base, tracks: [] })),
    ],
  },
};
