/** Releases as a catalogue has them, for properties that must hold for all of them. */

import fc from 'fast-check';
import type {
  CoverImage,
  Deal,
  NewReleaseMessage,
  Party,
  PurgeReleaseMessage,
  Release,
  Track,
} from '../src/index.ts';
import { offersFrom, visibilityFrom } from './random-deals.ts';
import {
  aiUse,
  artistsOf,
  file,
  genre,
  line,
  localizedTitles,
  parentalWarning,
  party,
  recipient,
  sender,
  sparse,
  title,
} from './random-descriptions.ts';
import { day, icpn, isrcPrefix, messageLanguage, text } from './random-texts.ts';
import { track } from './random-track.ts';

const cover: fc.Arbitrary<CoverImage> = sparse<Omit<CoverImage, 'proprietaryIds'>>({
  parentalWarning,
  aiUse,
  codec: fc.constantFrom('JPEG', 'PNG'),
  widthPx: fc.constant(3000),
  heightPx: fc.constant(3000),
  file: file('cover.jpg'),
  isProvided: fc.boolean(),
}).map((more) => ({
  proprietaryIds: [{ namespace: sender.dpid, value: 'ast_cover' }],
  ...more,
}));

const releaseOf = (
  productCode: string,
  releaseDay: string,
  deals: readonly Deal[],
  parties: fc.Arbitrary<Party>,
): fc.Arbitrary<Release> =>
  fc
    .tuple(
      fc.record({
        type: fc.constantFrom('Album', 'EP', 'Single'),
        title,
        displayArtistName: text,
        artists: artistsOf(parties),
        label: party,
        genre,
        parentalWarning,
      }),
      sparse<
        Pick<
          Release,
          | 'localizedTitles'
          | 'pLine'
          | 'cLine'
          | 'durationMs'
          | 'originalReleaseDate'
          | 'compilation'
          | 'aiUse'
          | 'cover'
          | 'visibility'
        > & { catalogNumber: string; grid: string }
      >({
        localizedTitles,
        pLine: line,
        cLine: line,
        durationMs: fc.nat(30_000_000),
        originalReleaseDate: fc.constant('1959-08-17'),
        compilation: fc.constantFrom('SingleArtist', 'MultiArtist'),
        aiUse,
        cover,
        visibility: visibilityFrom(releaseDay),
        catalogNumber: text,
        grid: fc.constant('A10302B0003989564F'),
      }),
    )
    .map(([required, { catalogNumber, grid, ...more }]) => ({
      ids: {
        icpn: productCode,
        ...(grid !== undefined && { grid }),
        ...(catalogNumber !== undefined && {
          catalogNumber: { namespace: sender.dpid, value: catalogNumber },
        }),
      },
      ...required,
      releaseDate: releaseDay,
      ...more,
      deals,
    }));

const header = fc
  .record({ id: fc.uuid(), isTest: fc.boolean(), isOnBehalf: fc.boolean() })
  .map(({ id, isTest, isOnBehalf }) => ({
    threadId: `del_${id}`,
    messageId: `msg_${id}`,
    sender,
    ...(isOnBehalf && { onBehalfOf: { dpid: 'PADPIDA2025030303Z' } }),
    recipients: [recipient],
    createdAt: '2026-11-17T10:00:00Z',
    control: isTest ? ('TestMessage' as const) : ('LiveMessage' as const),
  }));

/** Mostly singles and albums, now and then a box. */
const trackCounts = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 2 }) },
  { weight: 3, arbitrary: fc.integer({ min: 3, max: 10 }) },
  { weight: 1, arbitrary: fc.integer({ min: 11, max: 25 }) },
);

const skeleton = fc.record({
  header,
  language: messageLanguage,
  releaseDay: day,
  productCode: icpn,
  prefix: isrcPrefix,
  trackCount: trackCounts,
  perDisc: fc.constantFrom(3, 10, 99),
  isClassical: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  /** The same people return on most tracks. */
  people: fc.array(party, { minLength: 2, maxLength: 5 }),
});

/** Each third track of a release that can be ordered before. */
const withInstantTracks = (release: Release, tracks: readonly Track[]): readonly Track[] =>
  release.deals.some(({ isPreOrder }) => isPreOrder === true)
    ? tracks.map((own, i) => (i % 3 === 0 ? { ...own, isInstantGratification: true } : own))
    : tracks;

export const newReleaseMessage: fc.Arbitrary<NewReleaseMessage> = skeleton.chain(
  ({
    header: ownHeader,
    language,
    releaseDay,
    productCode,
    prefix,
    trackCount,
    perDisc,
    isClassical,
    people,
  }) => {
    const parties = fc.constantFrom(...people);
    return offersFrom(releaseDay, trackCount).chain((offers) =>
      fc
        .tuple(
          releaseOf(productCode, releaseDay, offers.release, parties),
          fc.tuple(
            ...offers.tracks.map((deals, i) =>
              track({
                disc: Math.floor(i / perDisc) + 1,
                number: (i % perDisc) + 1,
                isrc: `${prefix}${String(i).padStart(3, '0')}`,
                productCode,
                deals,
                parties,
              }),
            ),
          ),
        )
        .map(([release, tracks]) => ({
          kind: 'new_release' as const,
          header: ownHeader,
          language,
          profile: 'Audio',
          ...(isClassical && { profileVariant: 'Classical' }),
          release,
          tracks: withInstantTracks(release, tracks),
        })),
    );
  },
);

export const purgeReleaseMessage: fc.Arbitrary<PurgeReleaseMessage> = fc
  .record({
    header,
    language: messageLanguage,
    icpn,
    title,
    artists: fc.array(party, { minLength: 1, maxLength: 2 }),
  })
  .map(({ icpn: productCode, ...message }) => ({
    kind: 'purge_release',
    ...message,
    ids: { icpn: productCode },
  }));
