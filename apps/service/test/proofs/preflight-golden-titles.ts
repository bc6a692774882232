/** Golden fixtures: titles and versions. */

import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { base, single, withRelease, withTrack } from './preflight-base.ts';
import {
  type GoldenCase,
  type GoldenRules,
  expectNothing,
  expectFinding,
} from './preflight-golden.ts';

/** The base release with this title of its first track. */
const titled = (title: string): PreflightInput => withTrack({ title });
const at = '/tracks/0/title';

/** Expects a finding about the title, and `fixed` as its fix. */
const title = (text: string, limit: string, fixed?: string): GoldenCase =>
  expectFinding(
    titled(text),
    at,
    [text, limit],
    fixed === undefined ? {} : { fix: { tracks: { trk_0: { title: fixed } } } },
  );

const version = (text: string, fixed: string, moved: string): GoldenCase =>
  expectFinding(titled(text), at, [text, 'version'], {
    fix: { tracks: { trk_0: { title: fixed, version: moved } } },
  });

const feature = '(feat. X)';
const brackets = '( ) [ ]';
const volume = 'Vol. 1, Pt. 1';
const forbidden = 'not in a title';

export const titleFormGolden: GoldenRules = {
  title_featuring: {
    severity: 'warning',
    pass: expectNothing(titled('Night Drive (feat. Tove Lind)')),
    fail: title('Night Drive feat. Tove Lind', feature, 'Night Drive (feat. Tove Lind)'),
    edge: expectNothing(titled('Six ft Under a Feat of Strength')),
    more: [
      title('Night Drive (Ft Tove)', feature, 'Night Drive (feat. Tove)'),
      title('Night Drive [featuring Tove]', feature, 'Night Drive (feat. Tove)'),
      title('Night Drive (With Tove)', feature, 'Night Drive (with Tove)'),
      title('Night ft. Tove (Acoustic Tale)', feature, 'Night (feat. Tove) [Acoustic Tale]'),
      expectNothing(titled('Dance With Tove')),
      expectNothing(titled('Featuring Nobody')),
      expectFinding(
        withRelease({ title: 'Drive ft. Tove' }),
        '/title',
        ['Drive ft. Tove', feature],
        {
          fix: { release: { title: 'Drive (feat. Tove)' } },
        },
      ),
    ],
  },
  title_brackets: {
    severity: 'warning',
    pass: expectNothing(titled('Night (feat. Tove) [Part of It]')),
    fail: title('Night (Dusk) (Dawn)', brackets, 'Night (Dusk) [Dawn]'),
    edge: expectNothing(titled('Night (Dusk (Dawn))')),
    more: [
      title('Night [Dusk]', brackets, 'Night (Dusk)'),
      expectNothing(titled('Night (Dusk) (Dawn')),
      expectNothing(titled('Night :-) (Dusk) (Dawn)')),
    ],
  },
  title_volume: {
    severity: 'warning',
    pass: expectNothing(titled('Night Drives, Vol. 1, Pt. 2')),
    fail: title('Night Drives Volume 2', volume, 'Night Drives Vol. 2'),
    edge: expectNothing(titled('The Best Part I Know, Party 2, Part 1980s')),
    more: [
      title('Night Drives vol.2', volume, 'Night Drives Vol. 2'),
      title('Night Drives (Part II)', volume, 'Night Drives (Pt. II)'),
      title('Night Drives pt 3', volume, 'Night Drives Pt. 3'),
    ],
  },
  title_of_only_track: {
    severity: 'warning',
    pass: expectNothing(single),
    fail: expectFinding(
      withRelease({ title: 'Other' }, single),
      '/title',
      ['Other', 'Night Drive'],
      {
        fix: { release: { title: 'Night Drive' } },
      },
    ),
    // The fix changes the track, because the title of the release follows the casing rule.
    edge: expectFinding(
      withTrack({ title: 'NIGHT DRIVE' }, 0, single),
      '/title',
      ['Night Drive', 'NIGHT DRIVE'],
      {
        fix: { tracks: { trk_0: { title: 'Night Drive' } } },
      },
    ),
    more: [expectNothing(withRelease({ title: 'Other' }))],
  },
  title_repeated: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(withTrack({ title: 'night  DRIVE' }, 1), '/tracks/1/title', [
      'night  DRIVE',
      'unique',
    ]),
    edge: expectNothing(withTrack({ title: 'Night Drive', version: 'Live' }, 1)),
  },
};

export const titleVersionGolden: GoldenRules = {
  title_version: {
    severity: 'warning',
    pass: expectNothing(withTrack({ version: 'Radio Edit' })),
    fail: version('Night Drive (Radio Edit)', 'Night Drive', 'Radio Edit'),
    edge: expectNothing(titled('Night Drive (Live and Let Die)')),
    more: [
      version('Night (feat. Tove) [Live at Wembley]', 'Night (feat. Tove)', 'Live at Wembley'),
      version('Night (Live) [2011 Remaster]', 'Night', 'Live [2011 Remaster]'),
      expectNothing(withTrack({ title: 'Night (Live)', version: 'Acoustic' })),
      expectNothing(titled('(Live)')),
      expectFinding(
        withRelease({ title: 'Night (Deluxe Edition)' }),
        '/title',
        ['Night (Deluxe Edition)', 'version'],
        { fix: { release: { title: 'Night', version: 'Deluxe Edition' } } },
      ),
    ],
  },
  title_forbidden_word: {
    severity: 'warning',
    pass: expectNothing(titled('Night Drive (feat. Tove)')),
    fail: title('Night Drive (Original Mix)', forbidden, 'Night Drive'),
    edge: expectNothing(titled('Explicit Vinyl (Keep It Clean)')),
    more: [
      title('Night (feat. Tove) [Explicit Version]', forbidden, 'Night (feat. Tove)'),
      title('Night [CD] [Dusk]', forbidden, 'Night (Dusk)'),
      // No fix: without the word both tracks would have the same title.
      title('Day Off (Exclusive)', forbidden),
      expectNothing(titled('(Clean)')),
    ],
  },
  version_forbidden_word: {
    severity: 'warning',
    pass: expectNothing(withTrack({ version: 'Club Mix' })),
    fail: expectFinding(
      withTrack({ version: 'Album Version' }),
      '/tracks/0/version',
      ['Album Version', 'not in a version'],
      { fix: { tracks: { trk_0: { version: null } } } },
    ),
    edge: expectNothing(withTrack({ version: 'Original Cast Mix' })),
    more: [
      expectFinding(
        withRelease({ version: 'Limited Edition' }),
        '/version',
        ['Limited Edition', 'not in a version'],
        {
          fix: { release: { version: null } },
        },
      ),
    ],
  },
  title_address: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: title('Night Drive www.idaberg.example', 'no URL'),
    edge: expectNothing(titled('Night... Commotion, Mr.Fmri')),
    more: [title('Idaberg.COM', 'no URL'), title('ftp://night', 'no URL')],
  },
  title_artist_name: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: title('ida berg - Night Drive', 'no artist name'),
    // A title may consist of the artist's name.
    edge: expectNothing(titled('Ida Berg')),
    more: [
      title('Night Drive (Ida Berg)', 'no artist name'),
      title('Night Drive - Ida Berg', 'no artist name'),
      expectNothing(titled('Ida Berg Drives')),
      expectNothing(titled('Night Drive (Tove Lind)')),
    ],
  },
  title_track_number: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: title('Track 1', 'a title'),
    edge: expectNothing(titled('Track 1 to Track 2')),
    more: [title('track  #07', 'a title'), title('Track no. 7', 'a title')],
  },
};

const inLanguage = (language: string, text: string): PreflightInput =>
  withTrack({ language, title: text });
const cased = (language: string, text: string, style: string, fixed?: string): GoldenCase =>
  expectFinding(
    inLanguage(language, text),
    at,
    [text, style],
    fixed === undefined ? {} : { fix: { tracks: { trk_0: { title: fixed } } } },
  );

/** Both titles have a finding, and each fix changes both. */
const sharedTitle = withRelease({ title: 'night' }, withTrack({ title: 'night' }, 0, single));
const sharedFix = { release: { title: 'Night' }, tracks: { trk_0: { title: 'Night' } } };

export const titleCasingGolden: GoldenRules = {
  title_casing: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: title('DRIVE INTO THE NIGHT', 'title case', 'Drive into the Night'),
    edge: expectNothing(titled('MGMT')),
    more: [
      title('off the road', 'title case', 'Off the Road'),
      title('NIGHT (feat. TOVE)', 'title case', 'Night (feat. TOVE)'),
      title('NIGHT (SIDE A)', 'title case', 'Night (Side A)'),
      cased('fr-CA', 'LA NUIT D’ÉTÉ', 'sentence case', 'La nuit d’été'),
      cased('ru', 'песня дня', 'sentence case', 'Песня дня'),
      cased('es', 'LA NOCHE', 'title case', 'La Noche'),
      cased('de', 'DIE NACHT', 'as the language writes it'),
      expectNothing(titled('夜のドライブ')),
      expectNothing(titled('ღამე')),
      expectNothing(titled('1999')),
      {
        input: sharedTitle,
        expectedFindings: ['/title', at].flatMap(
          (pointer) =>
            expectFinding(sharedTitle, pointer, ['night', 'title case'], { fix: sharedFix })
              .expectedFindings,
        ),
      },
    ],
  },
};
