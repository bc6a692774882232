/** Golden fixtures: titles and versions. */
import type { PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { base, single, withRelease, withTrack } from './preflight-base.ts';
import { type Case, type GoldenRules, silent, told } from './preflight-golden.ts';

/** Of the first of two tracks. */
const titled = (title: string): PreflightInput => withTrack({ title });
const at = '/tracks/0/title';

/** A complaint about that title, and the title that mends it. */
const title = (text: string, limit: string, mended?: string): Case =>
  told(
    titled(text),
    at,
    [text, limit],
    mended === undefined ? {} : { fix: { tracks: { trk_0: { title: mended } } } },
  );

const version = (text: string, mended: string, moved: string): Case =>
  told(titled(text), at, [text, 'version'], {
    fix: { tracks: { trk_0: { title: mended, version: moved } } },
  });

const feature = '(feat. X)';
const brackets = '( ) [ ]';
const volume = 'Vol. 1, Pt. 1';
const unwanted = 'not in a title';

export const titleFormGolden: GoldenRules = {
  title_featuring: {
    severity: 'warning',
    pass: silent(titled('Night Drive (feat. Tove Lind)')),
    fail: title('Night Drive feat. Tove Lind', feature, 'Night Drive (feat. Tove Lind)'),
    edge: silent(titled('Six ft Under a Feat of Strength')),
    more: [
      title('Night Drive (Ft Tove)', feature, 'Night Drive (feat. Tove)'),
      title('Night Drive [featuring Tove]', feature, 'Night Drive (feat. Tove)'),
      title('Night Drive (With Tove)', feature, 'Night Drive (with Tove)'),
      title('Night ft. Tove (Acoustic Tale)', feature, 'Night (feat. Tove) [Acoustic Tale]'),
      silent(titled('Dance With Tove')),
      silent(titled('Featuring Nobody')),
      told(withRelease({ title: 'Drive ft. Tove' }), '/title', ['Drive ft. Tove', feature], {
        fix: { release: { title: 'Drive (feat. Tove)' } },
      }),
    ],
  },
  title_brackets: {
    severity: 'warning',
    pass: silent(titled('Night (feat. Tove) [Part of It]')),
    fail: title('Night (Dusk) (Dawn)', brackets, 'Night (Dusk) [Dawn]'),
    edge: silent(titled('Night (Dusk (Dawn))')),
    more: [
      title('Night [Dusk]', brackets, 'Night (Dusk)'),
      silent(titled('Night (Dusk) (Dawn')),
      silent(titled('Night :-) (Dusk) (Dawn)')),
    ],
  },
  title_volume: {
    severity: 'warning',
    pass: silent(titled('Night Drives, Vol. 1, Pt. 2')),
    fail: title('Night Drives Volume 2', volume, 'Night Drives Vol. 2'),
    edge: silent(titled('The Best Part I Know, Party 2, Part 1980s')),
    more: [
      title('Night Drives vol.2', volume, 'Night Drives Vol. 2'),
      title('Night Drives (Part II)', volume, 'Night Drives (Pt. II)'),
      title('Night Drives pt 3', volume, 'Night Drives Pt. 3'),
    ],
  },
  title_of_only_track: {
    severity: 'warning',
    pass: silent(single),
    fail: told(withRelease({ title: 'Other' }, single), '/title', ['Other', 'Night Drive'], {
      fix: { release: { title: 'Night Drive' } },
    }),
    // The track's title must not spread: the release's is in order.
    edge: told(
      withTrack({ title: 'NIGHT DRIVE' }, 0, single),
      '/title',
      ['Night Drive', 'NIGHT DRIVE'],
      {
        fix: { tracks: { trk_0: { title: 'Night Drive' } } },
      },
    ),
    more: [silent(withRelease({ title: 'Other' }))],
  },
  title_repeated: {
    severity: 'warning',
    pass: silent(base),
    fail: told(withTrack({ title: 'night  DRIVE' }, 1), '/tracks/1/title', [
      'night  DRIVE',
      'unique',
    ]),
    edge: silent(withTrack({ title: 'Night Drive', version: 'Live' }, 1)),
  },
};

export const titleVersionGolden: GoldenRules = {
  title_version: {
    severity: 'warning',
    pass: silent(withTrack({ version: 'Radio Edit' })),
    fail: version('Night Drive (Radio Edit)', 'Night Drive', 'Radio Edit'),
    edge: silent(titled('Night Drive (Live and Let Die)')),
    more: [
      version('Night (feat. Tove) [Live at Wembley]', 'Night (feat. Tove)', 'Live at Wembley'),
      version('Night (Live) [2011 Remaster]', 'Night', 'Live [2011 Remaster]'),
      silent(withTrack({ title: 'Night (Live)', version: 'Acoustic' })),
      silent(titled('(Live)')),
      told(
        withRelease({ title: 'Night (Deluxe Edition)' }),
        '/title',
        ['Night (Deluxe Edition)', 'version'],
        { fix: { release: { title: 'Night', version: 'Deluxe Edition' } } },
      ),
    ],
  },
  title_forbidden_word: {
    severity: 'warning',
    pass: silent(titled('Night Drive (feat. Tove)')),
    fail: title('Night Drive (Original Mix)', unwanted, 'Night Drive'),
    edge: silent(titled('Explicit Vinyl (Keep It Clean)')),
    more: [
      title('Night (feat. Tove) [Explicit Version]', unwanted, 'Night (feat. Tove)'),
      title('Night [CD] [Dusk]', unwanted, 'Night (Dusk)'),
      // Without it, both tracks would bear one title.
      title('Day Off (Exclusive)', unwanted),
      silent(titled('(Clean)')),
    ],
  },
  version_forbidden_word: {
    severity: 'warning',
    pass: silent(withTrack({ version: 'Club Mix' })),
    fail: told(
      withTrack({ version: 'Album Version' }),
      '/tracks/0/version',
      ['Album Version', 'not in a version'],
      { fix: { tracks: { trk_0: { version: null } } } },
    ),
    edge: silent(withTrack({ version: 'Original Cast Mix' })),
    more: [
      told(
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
    pass: silent(base),
    fail: title('Night Drive www.idaberg.example', 'no URL'),
    edge: silent(titled('Night... Commotion, Mr.Fmri')),
    more: [title('Idaberg.COM', 'no URL'), title('ftp://night', 'no URL')],
  },
  title_artist_name: {
    severity: 'warning',
    pass: silent(base),
    fail: title('ida berg - Night Drive', 'no artist name'),
    // A title may be the artist's name, and name the artist.
    edge: silent(titled('Ida Berg')),
    more: [
      title('Night Drive (Ida Berg)', 'no artist name'),
      title('Night Drive - Ida Berg', 'no artist name'),
      silent(titled('Ida Berg Drives')),
      silent(titled('Night Drive (Tove Lind)')),
    ],
  },
  title_track_number: {
    severity: 'warning',
    pass: silent(base),
    fail: title('Track 1', 'a title'),
    edge: silent(titled('Track 1 to Track 2')),
    more: [title('track  #07', 'a title'), title('Track no. 7', 'a title')],
  },
};

const inLanguage = (language: string, text: string): PreflightInput =>
  withTrack({ language, title: text });
const cased = (language: string, text: string, style: string, mended?: string): Case =>
  told(
    inLanguage(language, text),
    at,
    [text, style],
    mended === undefined ? {} : { fix: { tracks: { trk_0: { title: mended } } } },
  );

/** Each of both is found, and each fix mends both. */
const sharedTitle = withRelease({ title: 'night' }, withTrack({ title: 'night' }, 0, single));
const sharedFix = { release: { title: 'Night' }, tracks: { trk_0: { title: 'Night' } } };

export const titleCasingGolden: GoldenRules = {
  title_casing: {
    severity: 'warning',
    pass: silent(base),
    fail: title('DRIVE INTO THE NIGHT', 'title case', 'Drive into the Night'),
    edge: silent(titled('MGMT')),
    more: [
      title('off the road', 'title case', 'Off the Road'),
      title('NIGHT (feat. TOVE)', 'title case', 'Night (feat. TOVE)'),
      title('NIGHT (SIDE A)', 'title case', 'Night (Side A)'),
      cased('fr-CA', 'LA NUIT D’ÉTÉ', 'sentence case', 'La nuit d’été'),
      cased('ru', 'песня дня', 'sentence case', 'Песня дня'),
      cased('es', 'LA NOCHE', 'title case', 'La Noche'),
      cased('de', 'DIE NACHT', 'as the language writes it'),
      silent(titled('夜のドライブ')),
      silent(titled('ღამე')),
      silent(titled('1999')),
      {
        subject: sharedTitle,
        told: ['/title', at].flatMap(
          (pointer) => told(sharedTitle, pointer, ['night', 'title case'], { fix: sharedFix }).told,
        ),
      },
    ],
  },
};
