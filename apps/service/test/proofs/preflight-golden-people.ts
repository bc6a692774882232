/** Golden fixtures: artists, credits, lines, explicit marks, genre and type. */
import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import type { Artist } from '../../src/catalog/domain/release.ts';
import { album, base, single, withRelease, withTrack, writers } from './preflight-base.ts';
import { type Case, type GoldenRules, silent, told } from './preflight-golden.ts';

const main = (name: string): Artist => ({ name, role: 'main' });
const featured = (name: string): Artist => ({ name, role: 'featured' });
const by = (...artists: readonly Artist[]): PreflightInput => withRelease({ artists });

const joined = (name: string, ...apart: readonly Artist[]): Case =>
  told(by(main(name)), '/artists', [name, 'one name per entry'], {
    fix: { release: { artists: apart } },
  });

/** Two tracks by as many artists as are named. */
const mainArtists = (...names: readonly string[]): PreflightInput =>
  withTrack({ artists: [...names.map(main), ...writers.slice(1)] }, 1);

export const artistGolden: GoldenRules = {
  artist_joined: {
    severity: 'warning',
    pass: silent(by(main('Ida Berg'), main('Tove Lind'))),
    fail: joined('Ida Berg & Tove Lind', main('Ida Berg'), main('Tove Lind')),
    edge: silent(
      by(main('Tyler, The Creator'), main('Davis, Jr.'), main('Lil Nas X'), main('R&B')),
    ),
    more: [
      joined('Ida x Tove', main('Ida'), main('Tove')),
      joined('Ida, Tove', main('Ida'), main('Tove')),
      joined('Ida feat. Tove & Mo', main('Ida'), featured('Tove'), featured('Mo')),
      // An ISNI says that they are one party.
      silent(by({ name: 'Simon & Garfunkel', role: 'main', isni: '0000000121032683' })),
      told(
        withTrack({ artists: [...writers, { name: 'A & B', role: 'producer' }] }),
        '/tracks/0/artists',
        ['A & B', 'one name per entry'],
        {
          fix: {
            tracks: {
              trk_0: {
                artists: [
                  ...writers,
                  { name: 'A', role: 'producer' },
                  { name: 'B', role: 'producer' },
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
    pass: silent(by(main('Ida Berg'), featured('Tove Lind'))),
    fail: told(
      by(main('Ida Berg'), featured('ida  berg'), featured('Mo')),
      '/artists',
      ['ida  berg', 'main or featured'],
      { fix: { release: { artists: [main('Ida Berg'), featured('Mo')] } } },
    ),
    edge: silent(by(main('Ida Berg'), { name: 'Ida Berg', role: 'producer' }, featured('Ida'))),
  },
  artist_various: {
    severity: 'warning',
    pass: silent(base),
    fail: told(mainArtists('A', 'B', 'C'), '/artists', [4, 3], {
      fix: { release: { artists: [main('Various Artists')] } },
    }),
    edge: silent(mainArtists('A', 'B', 'IDA BERG')),
    more: [
      silent(withRelease({ artists: [main('Various Artists')] }, mainArtists('A', 'B', 'C'))),
      silent(
        withTrack({ artists: [...['A', 'B', 'C', 'D'].map(main), ...writers.slice(1)] }, 0, single),
      ),
    ],
  },
};

const [singer, composer, lyricist] = writers as [Artist, Artist, Artist];
const people = '/tracks/0/artists';
const both = 'composer, lyricist';

export const creditGolden: GoldenRules = {
  credits_missing: {
    severity: 'warning',
    pass: silent(base),
    fail: told(withTrack({ artists: [singer] }), people, [null, both]),
    edge: told(withTrack({ artists: [singer, composer] }), people, ['composer', both]),
    more: [
      silent(withTrack({ artists: [singer], language: 'zxx' })),
      silent(withRelease({ language: 'zxx' }, withTrack({ artists: [singer] }))),
    ],
  },
  credits_instrumental: {
    severity: 'warning',
    pass: silent(withTrack({ language: 'zxx', artists: [singer, composer] })),
    fail: told(withTrack({ language: 'zxx' }), people, ['Tove Lind', 'no lyricist'], {
      fix: { tracks: { trk_0: { artists: [singer, composer] } } },
    }),
    edge: silent(withTrack({ language: 'sv', artists: [singer, lyricist, composer] })),
  },
  language_instrumental: {
    severity: 'warning',
    pass: silent(withTrack({ version: 'Instrumental', language: 'zxx' })),
    fail: told(
      withTrack({ version: 'Instrumental', artists: [singer, composer] }),
      '/tracks/0/language',
      ['en', 'zxx'],
      { fix: { tracks: { trk_0: { language: 'zxx' } } } },
    ),
    edge: silent(withTrack({ title: 'Instrumental Illness', version: 'Live' })),
    more: [
      // With a lyricist it is for people to say which of both is wrong.
      told(withTrack({ title: 'Night (Instrumental)' }), '/tracks/0/language', ['en', 'zxx']),
    ],
  },
};

const form = 'YYYY Owner';

export const lineGolden: GoldenRules = {
  line_missing: {
    severity: 'warning',
    pass: silent(base),
    fail: told(withRelease({ pLine: null }), '/p_line', [null, form], {
      fix: { release: { pLine: '2027 Northern Lights' } },
    }),
    edge: silent(withTrack({ pLine: null })),
    more: [
      told(withRelease({ cLine: null }), '/c_line', [null, form], {
        fix: { release: { cLine: '2027 Northern Lights' } },
      }),
    ],
  },
  line_form: {
    severity: 'warning',
    pass: silent(withTrack({ pLine: '2026 Ida Berg' })),
    fail: told(withRelease({ pLine: '℗ 2027 Ida' }), '/p_line', ['℗ 2027 Ida', form], {
      fix: { release: { pLine: '2027 Ida' } },
    }),
    edge: told(withRelease({ cLine: '2027' }), '/c_line', ['2027', form]),
    more: [
      told(withTrack({ pLine: '(P)2027 Ida' }), '/tracks/0/p_line', ['(P)2027 Ida', form], {
        fix: { tracks: { trk_0: { pLine: '2027 Ida' } } },
      }),
      told(withRelease({ cLine: 'Ida Berg' }), '/c_line', ['Ida Berg', form]),
    ],
  },
  line_year: {
    severity: 'warning',
    pass: silent(withRelease({ pLine: '1999 Ida' })),
    fail: told(withRelease({ pLine: '2028 Ida' }), '/p_line', [2028, 2027]),
    edge: silent(withRelease({ pLine: '2027 Ida', cLine: '2027 Ida' })),
    more: [
      told(withTrack({ pLine: '© 2028 Ida' }), '/tracks/0/p_line', [2028, 2027]),
      silent(withRelease({ pLine: '2026 Ida', cLine: '2026 Ida', releaseDate: '2025-01-01' })),
    ],
  },
};

export const explicitGolden: GoldenRules = {
  explicit_missing: {
    severity: 'warning',
    pass: silent(withTrack({ explicit: 'clean' })),
    fail: told(withTrack({ explicit: null }, 1), '/tracks/1/explicit', [
      null,
      'explicit, clean, none',
    ]),
    edge: silent(withTrack({ explicit: 'none' })),
  },
  explicit_release: {
    severity: 'warning',
    pass: silent(withRelease({ explicit: 'explicit' }, withTrack({ explicit: 'explicit' }))),
    fail: told(withTrack({ explicit: 'explicit' }), '/explicit', ['none', 'explicit'], {
      fix: { release: { explicit: 'explicit' } },
    }),
    edge: silent(withRelease({ explicit: null }, withTrack({ explicit: 'clean' }))),
    more: [
      told(
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
    pass: silent(base),
    fail: told(withRelease({ genre: null }), '/genre', [null, 'a listed genre']),
    edge: silent(withTrack({ genre: null })),
  },
  genre_unknown: {
    severity: 'warning',
    pass: silent(withRelease({ genre: 'Hip-Hop' })),
    fail: told(withRelease({ genre: 'Yacht Core' }), '/genre', ['Yacht Core', 'a listed genre']),
    edge: told(withRelease({ genre: 'hip hop' }), '/genre', ['hip hop', 'Hip-Hop'], {
      fix: { release: { genre: 'Hip-Hop' } },
    }),
    more: [
      told(withTrack({ genre: 'POP' }), '/tracks/0/genre', ['POP', 'Pop'], {
        fix: { tracks: { trk_0: { genre: 'Pop' } } },
      }),
    ],
  },
};

const typed = (
  type: 'single' | 'ep' | 'album' | 'compilation' | null,
  subject: PreflightInput,
): PreflightInput => withRelease({ type }, subject);
const minutes = (count: number): number => count * 60_000;
const toType = (type: 'single' | 'ep' | 'album') => ({ fix: { release: { type } } });

export const typeGolden: GoldenRules = {
  type_by_content: {
    severity: 'warning',
    pass: silent(typed('ep', album(4, minutes(3)))),
    fail: told(typed('album', album(4, minutes(3))), '/type', ['album', 'ep'], toType('ep')),
    // Thirty minutes and not a millisecond less.
    edge: told(
      typed('single', album(3, minutes(10))),
      '/type',
      ['single', 'album'],
      toType('album'),
    ),
    more: [
      silent(typed('single', album(3, minutes(10) - 1))),
      told(typed('ep', album(3, minutes(3))), '/type', ['ep', 'single'], toType('single')),
      told(typed('single', album(7, minutes(1))), '/type', ['single', 'album'], toType('album')),
      silent(typed('ep', album(6, minutes(3)))),
      silent(typed('compilation', album(2, minutes(3)))),
      silent(typed(null, album(2, minutes(3)))),
      silent(withTrack({ audio: null }, 0, typed('album', album(4, minutes(3))))),
      silent(typed('album', { ...base, tracks: [] })),
    ],
  },
};
