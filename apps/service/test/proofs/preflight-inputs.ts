/** Generates random releases with defects in nearly every field. */

import fc, { type Arbitrary } from 'fast-check';
import { aiUses } from '../../src/catalog/domain/ai-use.ts';
import type { ContributorRole } from '../../src/catalog/domain/contributor-roles.ts';
import type { Contributor } from '../../src/catalog/domain/contributor.ts';
import type {
  PreflightInput,
  PreflightTrack,
  RelatedTrack,
  SimilarArtist,
} from '../../src/catalog/domain/preflight/preflight-input.ts';
import {
  type Artist,
  artistRoles,
  explicitMarks,
  priceTiers,
  releaseTypes,
} from '../../src/catalog/domain/release.ts';
import { compositions, sampleUses, ugcPolicies } from '../../src/catalog/domain/track.ts';
import type { ArtistId } from '../../src/kernel/ids.ts';
import type { Pairs } from '../../src/kernel/pairs.ts';
import { useTypes } from '../../src/kernel/use-type.ts';
import { base, stores, trackAt, wav } from './preflight-base.ts';

const pick = <T>(...values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values);
const orNull = <T>(values: Arbitrary<T>): Arbitrary<T | null> => fc.option(values, { freq: 2 });

const fragment = fc.oneof(
  pick('Night', 'Drive', 'night', 'DRIVE', 'Ida Berg', 'of the', 'Été', 'ß', 'İ', 'ǆ', 'MGMT', 'A'),
  pick('feat. Tove', 'ft. Mo', 'Featuring X', 'feat.', '(feat. Tove)', '(FT Mo)', '[With You]'),
  pick(
    '(Live)',
    '[Live]',
    '(Radio Edit)',
    '(Original Mix)',
    '(Explicit)',
    '[CD]',
    '(2011 Remaster)',
  ),
  pick('(Live', ')', '[', '((', '([)]', '()', '( )', '(Night (Live))', '(Instrumental)', '(Clean)'),
  pick(
    'Vol 1',
    'volume II',
    'Pt. 2',
    'PART',
    'part 3',
    'Part I',
    'Vol. 1',
    'Track 1',
    'Track',
    '1',
  ),
  pick('-', ' - ', '  ', '\t', '&', '.com', 'www.', 'x.com', '://', '夜', 'ღამე', 'ПЕСНЯ', 'песня'),
  pick(
    '(night)',
    '[DRIVE HOME]',
    '(with Tove)',
    '(Ida Berg)',
    'III',
    'i',
    'x',
    '🎵',
    '\u200b',
    "don't",
  ),
);
const title = fc
  .tuple(fc.array(fragment, { minLength: 1, maxLength: 5 }), pick(' ', ' ', ' ', ''))
  .map(([fragments, space]) => fragments.join(space))
  .filter((text) => text.trim() !== '');
const plainTitle = pick(
  'Night Drive',
  'Day Off',
  'Dawn',
  'night drive',
  'NIGHT DRIVE',
  'Dusk (Live)',
);
const anyTitle = fc.oneof(plainTitle, title);
const anyVersion = orNull(
  pick('Live', 'Radio Edit', 'Original Mix', 'explicit version', 'Instrumental', 'Clean', 'II'),
);

const name = fc.oneof(
  pick('Ida Berg', 'ida berg', 'Tove', 'Mo', 'Li', 'A', 'B', 'Various Artists', 'Night'),
  pick('Ida Berg & Tove', 'Mo x Li', 'A, B', 'Tove feat. Mo', 'A ft. A', 'Tyler, The Creator'),
  pick('A & B, C x D feat. E', ', ', ' & ', 'x', 'A &', 'feat. B', 'Ida Berg featuring Ida Berg'),
);
const artist: Arbitrary<Artist> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ name, role: pick(...artistRoles) }) },
  {
    weight: 1,
    arbitrary: fc.record({ name, role: pick(...artistRoles), isni: pick('0000000121032683') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      name,
      role: pick(...artistRoles),
      storeProfiles: pick({ zeta: '1', apex: '2' }, { apex: 'new', beat: '3' }, {}),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name,
      role: pick(...artistRoles),
      artistId: pick<ArtistId>('art_1', 'art_2', 'art_3'),
    }),
  },
);
const storeProfiles = pick<Pairs>({}, { apex: '2', beat: 'new' }, { apex: 'new' }, { beat: '3' });

/** Artists that entries may name, as the snapshot and the similar artists of one input have them. */
const registered = fc.record({
  first: fc.record({ name, storeProfiles }),
  second: fc.record({ name, storeProfiles }),
  other: fc.record({ name, storeProfiles }),
  isni: orNull(pick('0000000121032683')),
});
type RegisteredArtist = { readonly name: string; readonly storeProfiles: Pairs };
type RegisteredArtists = {
  readonly first: RegisteredArtist;
  readonly second: RegisteredArtist;
  readonly other: RegisteredArtist;
  readonly isni: string | null;
};
const artistsOf = ({ first, second, other, isni }: RegisteredArtists) => {
  const similarArtists: readonly SimilarArtist[] = [
    { id: 'art_1', isni, ...first },
    { id: 'art_2', isni: null, ...second },
    { id: 'art_9', isni: null, ...other },
  ];
  const artists = similarArtists
    .slice(0, 2)
    .map(({ name: _name, ...rest }) => ({ ...rest, ipi: null, localizedNames: {} }));
  return { artists, similarArtists };
};
const artists = fc
  .tuple(name, fc.array(artist, { maxLength: 5 }))
  .map(([first, others]): Artist[] => [{ name: first, role: 'main' }, ...others]);

const contributor: Arbitrary<Contributor> = fc.record(
  {
    name,
    roles: fc.uniqueArray(
      pick<ContributorRole>(
        'vocalist',
        'music_group',
        'composer',
        'lyricist',
        'composer_lyricist',
        'producer',
        'mastering_engineer',
      ),
      { minLength: 1, maxLength: 3 },
    ),
    instruments: fc.uniqueArray(pick('piano', 'drum_kit'), { maxLength: 2 }),
    ipi: pick('00045620792'),
  },
  { requiredKeys: ['name', 'roles'] },
);
const contributors = fc.array(contributor, { maxLength: 4 });
const declaration = orNull(pick(...aiUses));

const codes = pick<readonly string[]>(['DE'], ['DE', 'AT'], ['US', 'JP'], ['JP'], ['FR']);
const exclusions = orNull(pick<readonly string[]>(['DE'], ['JP', 'DE'], ['FR', 'US'], ['AT']));

/** Codes without exclusions, or the world with or without; as the API accepts them. */
const rights = fc.oneof(
  fc.record({ territories: codes, excludedTerritories: fc.constant(null) }),
  fc.record({ territories: fc.constant(['WORLD']), excludedTerritories: exclusions }),
);
const trackRights = fc.oneof(
  rights.map(({ territories, excludedTerritories }) => ({
    territory: territories,
    excludedTerritories,
  })),
  fc.record({ territory: fc.constant(null), excludedTerritories: exclusions }),
);
const someUseTypes = (minLength: number) => fc.subarray([...useTypes], { minLength });
const day = pick(
  '2025-12-31',
  '2026-11-15',
  '2026-11-16',
  '2026-11-20',
  '2027-01-15',
  '2030-06-01',
);
const line = pick(
  '2027 Northern Lights',
  '℗ 2027 A',
  '(C) 2040 B',
  '(p) Ida',
  '2026',
  '©©2026 X',
  ' ',
);
const language = pick('en', 'fr', 'it', 'de', 'es', 'ru', 'tr', 'zxx', 'sv-SE');
const genre = pick('Pop', 'pop', 'hip hop', 'HIP-HOP', 'Yacht Core', 'drum&bass', 'k pop');
const subgenre = pick('Synth Pop', 'synth-pop', 'Trap', 'Jungle', 'Yacht Core', 'K Indie');
const metadataLanguage = pick('en', 'de', 'pt-BR', 'ja');
const localizedTitles = fc.dictionary(
  pick('en', 'de', 'pt-BR', 'ja', 'ja-Latn', 'zh-Hant'),
  fc.record({ title: anyTitle, version: anyVersion }),
  // As by `JSON.parse`: an object of a body has a prototype.
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);
const durationMs = pick(1_000, 29_999, 30_000, 59_000, 180_000, 700_000);

const audio: Arbitrary<PreflightTrack['audio']> = orNull(
  fc.record({
    sha256: pick('a', 'b', 'c', 'd'),
    facts: fc
      .record(
        {
          durationMs,
          bitDepth: pick(16, 32),
          formatTag: pick(1, 65_534),
          pcmSha256: pick('a', 'e'),
        },
        { requiredKeys: ['durationMs', 'bitDepth', 'formatTag'] },
      )
      .map((facts) => ({ ...wav, ...facts })),
  }),
);

const isrc = pick('QZTNA2700001', 'QZTNA2700002', 'QZTNA2700003', 'QZ-TNA');

const relatedTracks: Arbitrary<readonly RelatedTrack[]> = fc.array(
  fc.record({ id: pick('trk_8', 'trk_9'), releaseId: pick('rel_8', 'rel_9'), isrc, audio }),
  { maxLength: 2 },
);

const trackFields = fc.record({
  title: anyTitle,
  version: anyVersion,
  artists,
  contributors,
  aiUse: orNull(
    fc.record({ recording: declaration, composition: declaration }, { requiredKeys: [] }),
  ),
  isrc,
  useTypes: orNull(someUseTypes(0)),
  previewStartMs: orNull(pick(0, 29_999, 30_000, 180_000)),
  explicit: orNull(pick(...explicitMarks)),
  language: orNull(language),
  genre: orNull(genre),
  pLine: orNull(line),
  audio,
  originalReleaseDate: orNull(day),
  iswc: orNull(pick('T0345246801', 'T0000000010')),
  recordingCountry: orNull(pick('SE', 'US')),
  composition: orNull(pick(...compositions)),
  samples: orNull(pick(...sampleUses)),
  mechanicalLicence: orNull(pick('HFA 123', 'x'.repeat(500))),
  lyricsLanguage: orNull(language),
  ugcPolicy: orNull(pick(...ugcPolicies)),
  localizedTitles: orNull(localizedTitles),
  subgenre: orNull(subgenre),
});
const track: Arbitrary<Partial<PreflightTrack>> = fc
  .tuple(trackFields, trackRights)
  .map(([fields, ofTrack]) => ({ ...fields, ...ofTrack }));

const releaseFields = fc.record({
  title: anyTitle,
  version: anyVersion,
  artists,
  aiUse: orNull(fc.record({ artwork: declaration }, { requiredKeys: [] })),
  releaseDate: day,
  originalReleaseDate: orNull(day),
  label: pick('Northern Lights', ' L', 'x'.repeat(500)),
  upc: pick('036000291452', '036000291453'),
  useTypes: orNull(someUseTypes(1)),
  preOrderDate: orNull(day),
  releaseAt: orNull(pick('2026-11-15T11:00:00.000Z', '2026-11-20T23:00:00.000Z')),
  type: orNull(pick(...releaseTypes)),
  genre: orNull(genre),
  language: orNull(language),
  pLine: orNull(line),
  cLine: orNull(line),
  explicit: orNull(pick(...explicitMarks)),
  metadataLanguage,
  ean: orNull(pick('4006381333931', '0036000291452')),
  priceTier: orNull(pick(...priceTiers)),
  localizedTitles: orNull(localizedTitles),
  subgenre: orNull(subgenre),
});
const release: Arbitrary<Partial<PreflightInput['release']>> = fc
  .tuple(releaseFields, rights)
  .map(([fields, ofRelease]) => ({ ...fields, ...ofRelease }));

export const preflightInputs: Arbitrary<PreflightInput> = fc
  .record({
    release,
    tracks: fc.array(track, { maxLength: 3 }),
    relatedTracks,
    registered,
    isTitleShared: fc.boolean(),
    stores: fc.subarray([...stores]),
    licensedTerritories: pick<readonly string[]>(['WORLD'], ['DE', 'AT', 'US'], ['JP']),
  })
  .map(({ isTitleShared, ...random }) => {
    const shared = isTitleShared && random.release.title ? { title: random.release.title } : {};
    return {
      ...base,
      relatedTracks: random.relatedTracks,
      ...artistsOf(random.registered),
      stores: random.stores,
      licensedTerritories: random.licensedTerritories,
      release: { ...base.release, ...random.release },
      tracks: random.tracks.map((edit, at) => ({
        ...trackAt(at, ''),
        ...edit,
        ...(at === 0 && shared),
      })),
    };
  });
