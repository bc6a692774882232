import fc from 'fast-check';
import type { Deal, Edition, Party, Track } from '../src/index.ts';
import {
  aiUse,
  artistsOf,
  contributorsOf,
  file,
  genre,
  line,
  localizedTitles,
  parentalWarning,
  proprietaryId,
  rightsControllersOf,
  sender,
  sparse,
  title,
} from './random-descriptions.ts';
import { day, text } from './random-texts.ts';

const edition = (isrc: string): fc.Arbitrary<Edition> =>
  sparse<Omit<Edition, 'isrc' | 'type'>>({
    proprietaryIds: proprietaryId.map((id) => [id]),
    pLine: line,
    audio: fc.record({
      codec: fc.constantFrom('FLAC', 'PCM'),
      channels: fc.constantFrom(1, 2),
      sampleRateHz: fc.constantFrom(44_100, 96_000),
      bitsPerSample: fc.constantFrom(16, 24),
      file: file(`${isrc}.flac`),
      isProvided: fc.boolean(),
    }),
    preview: fc
      .tuple(
        fc.nat(200_000),
        sparse<{ durationMs: number }>({ durationMs: fc.integer({ min: 1, max: 90_000 }) }),
      )
      .map(([startMs, more]) => ({ startMs, ...more })),
  }).map((more) => ({ isrc, ...more }));

const editions = (isrc: string): fc.Arbitrary<Edition[]> =>
  fc.oneof(
    { weight: 5, arbitrary: edition(isrc).map((own) => [own]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(edition(isrc), edition(`ZZ${isrc.slice(2)}`))
        .map(([stereo, immersive]): Edition[] => [
          { type: 'NonImmersiveEdition', ...stereo },
          { type: 'ImmersiveEdition', ...immersive },
        ]),
    },
  );

type Slot = {
  readonly disc: number;
  readonly number: number;
  readonly isrc: string;
  readonly productCode: string;
  readonly deals: readonly Deal[];
  readonly parties: fc.Arbitrary<Party>;
};

export const track = ({
  disc,
  number,
  isrc,
  productCode,
  deals,
  parties,
}: Slot): fc.Arbitrary<Track> =>
  fc
    .tuple(
      fc.record({
        editions: editions(isrc),
        title,
        displayArtistName: text,
        artists: artistsOf(parties),
        durationMs: fc.integer({ min: 1, max: 8_000_000 }),
        parentalWarning,
        genre,
      }),
      sparse<
        Pick<
          Track,
          | 'iswc'
          | 'localizedTitles'
          | 'contributors'
          | 'rightsControllers'
          | 'firstPublicationDate'
          | 'recordingCountry'
          | 'aiUse'
          | 'isCover'
          | 'isInstrumental'
          | 'languageOfPerformance'
          | 'isClassical'
        >
      >({
        iswc: fc.constant('T0345246801'),
        localizedTitles,
        contributors: contributorsOf(parties),
        rightsControllers: rightsControllersOf(parties),
        firstPublicationDate: day,
        recordingCountry: fc.constantFrom('DE', 'US', 'JP'),
        aiUse,
        isCover: fc.boolean(),
        isInstrumental: fc.boolean(),
        languageOfPerformance: fc.constantFrom('en', 'ja', 'zxx', 'zh-Hant', 'de-1901'),
        isClassical: fc.constant(true),
      }),
    )
    .map(([{ genre: ownGenre, ...required }, more]) => ({
      disc,
      number,
      ...required,
      ...more,
      trackRelease: {
        ids: { proprietaryIds: [{ namespace: sender.dpid, value: `${productCode}_${isrc}` }] },
        genre: ownGenre,
        deals,
      },
    }));
