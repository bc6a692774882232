/** Random snapshots of releases with their deals at a store, for property tests of messages to stores. */

import fc from 'fast-check';
import { contributorRoles } from '../src/catalog/domain/contributor-roles.ts';
import { instruments } from '../src/catalog/domain/instruments.ts';
import { unsetReleaseFields } from '../src/catalog/domain/release.ts';
import { unsetTrackFields } from '../src/catalog/domain/track.ts';
import type { Snapshot } from '../src/catalog/face.ts';
import { createDealResolver, type Deal } from '../src/delivery/domain/deal.ts';
import { territoryCodes } from '../src/kernel/territory.ts';
import { upcFromNumber } from '../src/kernel/upc.ts';
import { type UseType, useTypes } from '../src/kernel/use-type.ts';
import { fictionalStores } from '../src/network/domain/fictional-stores.ts';
import type { Store } from '../src/network/face.ts';

type Release = Snapshot['release'];
type Track = Snapshot['tracks'][number];

export type Offered = { readonly snapshot: Snapshot; readonly store: Store; readonly deal: Deal };

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const text = fc.oneof(
  fc.constantFrom('Night Drive', 'Ночь', '夜のドライブ', 'ليل', 'Rock & <Roll> "live"', 'é́'),
  fc.nat(9_999).map((n) => `Title ${n}`),
);
const someOf = <T>(from: readonly T[], minLength = 0, maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...from), { minLength, maxLength });
const date = fc.constantFrom('2026-12-01', '2027-01-15', '2019-05-10');
const explicit = fc.constantFrom('explicit', 'clean', 'none' as const);
const aiUse = maybe(fc.constantFrom('none', 'partly', 'all'));
const language = fc.constantFrom('en', 'pt-BR', 'zxx', 'de-1996', 'zh-Hant');
/** Cheap to generate: strings by pattern take most of the time of a run. */
const idOf = (prefix: string) =>
  fc.nat(1_000_000_000).map((n) => `${prefix}_${String(n).padStart(26, '0')}`);
const codes = someOf(['DE', 'US', 'JP', 'BR', 'FR', 'AQ'], 1);
const localizedTitles = maybe(
  fc.dictionary(
    fc.constantFrom('de', 'ja', 'de-1996', 'pt-BR'),
    fc.record({ title: text, version: maybe(text) }),
    { minKeys: 1 },
  ),
);
const uses: readonly UseType[] = useTypes;
const artistIds = ['art_01m74xy2j0fr9b3h9f3q1ev2hb', 'art_01m74y1qr0ffqs5g2jtem9vvs5'];

const artists = fc
  .array(
    fc.record(
      {
        artistId: fc.constantFrom(...artistIds, 'art_01m74y1qr0ffqs5g2jtem9vvs6'),
        name: text,
        role: fc.constantFrom('main', 'featured', 'remixer'),
        isni: fc.constantFrom('0000000121032683', '000000012103268X'),
        storeProfiles: fc.dictionary(
          fc.constantFrom('aurora', 'hanami', 'cascade'),
          fc.constantFrom('new', '4Z8W4fKeB5YxbusRsdQVPb'),
        ),
      },
      { requiredKeys: ['name', 'role'] },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => [{ ...list[0], role: 'main' }, ...list.slice(1)]);

const contributors = fc.array(
  fc.record(
    {
      name: text,
      artistId: fc.constantFrom(...artistIds),
      roles: someOf(contributorRoles, 1),
      instruments: someOf(
        instruments.map(({ instrument }) => instrument),
        1,
      ),
      ipi: fc.constantFrom('00045620792', '123456789'),
    },
    { requiredKeys: ['name', 'roles'] },
  ),
  { maxLength: 3 },
);

const shared = {
  reference: maybe(text),
  version: maybe(text),
  genre: maybe(fc.constantFrom('Pop', 'Techno', 'Unheard')),
  subgenre: maybe(text),
  language: maybe(language),
  pLine: maybe(fc.constantFrom('2027 Northern Lights', 'Northern Lights')),
  explicit: maybe(explicit),
  originalReleaseDate: maybe(date),
  localizedTitles,
  excludedTerritories: maybe(codes),
  metadata: fc.dictionary(fc.constantFrom('a', 'b'), text),
  title: text,
  artists,
};

const release = fc.record({
  ...shared,
  id: idOf('rel'),
  upc: fc.integer({ min: 1, max: 99_999_999_999 }).map(upcFromNumber),
  ean: maybe(fc.constant('4006381333931')),
  useTypes: maybe(someOf(uses, 1, 4)),
  releaseDate: fc.constant('2027-01-15'),
  releaseAt: maybe(fc.constantFrom('2027-01-15T17:00:00.000Z', '2027-01-15T17:00:00.500Z')),
  preOrderDate: maybe(fc.constant('2026-12-18')),
  label: text,
  metadataLanguage: language.filter((tag) => tag !== 'zxx'),
  territories: fc.oneof(fc.constant(['WORLD']), codes),
  type: maybe(fc.constantFrom('single', 'ep', 'album', 'compilation')),
  cLine: maybe(text),
  catalogNumber: maybe(fc.constant('NL 42')),
  aiUse: maybe(fc.record({ artwork: aiUse })),
  priceTier: maybe(fc.constantFrom('budget', 'mid', 'front', 'premium')),
});

const track = fc.record({
  ...shared,
  id: idOf('trk'),
  contributors,
  isrc: fc.integer({ min: 0, max: 99_999 }).map((n) => `QZABC26${String(n).padStart(5, '0')}`),
  territory: maybe(fc.oneof(fc.constant(['WORLD']), codes)),
  useTypes: maybe(someOf(uses, 0, 4)),
  previewStartMs: maybe(fc.integer({ min: 0, max: 60_000 })),
  aiUse: maybe(fc.record({ recording: aiUse, composition: aiUse })),
  iswc: maybe(fc.constant('T0345246801')),
  recordingCountry: maybe(fc.constantFrom('SE', 'DE')),
  composition: maybe(fc.constantFrom('original', 'cover', 'public_domain')),
  samples: maybe(fc.constantFrom('none', 'cleared')),
  mechanicalLicence: maybe(text),
  lyricsLanguage: maybe(language),
  ugcPolicy: maybe(fc.constantFrom('monetize', 'track', 'block')),
  instantGratification: maybe(fc.boolean()),
});

const audioFacts = {
  codec: 'pcm_s16le',
  bitDepth: 16,
  sampleRateHz: 44_100,
  channels: 2,
  durationMs: 180_000,
  formatTag: 1,
};
const artworkFacts = { width: 3_000, height: 3_000, colourSpace: 'rgb', bitDepth: 8, channels: 3 };
const at = new Date('2026-11-16T12:00:00.000Z');

type Parts = {
  readonly release: object;
  readonly tracks: readonly object[];
  readonly audioIds: readonly string[];
  readonly formats: { readonly audio: string; readonly artwork: string };
};

const assetOf = (id: string, type: string, facts: object) => ({
  id,
  type,
  fileName: `${id}.bin`,
  contentType: 'application/octet-stream',
  sizeBytes: 1_000,
  sha256: 'a'.repeat(64),
  facts,
  objectKey: id,
});

const artworkId = 'ast_01m74zrnj0ezx99gtfxxf0mr8h';

/** The parts have the values of a snapshot; fast-check's types are wider. */
function toSnapshot({ release: own, tracks, audioIds, formats }: Parts): Snapshot {
  const times = { createdAt: at, updatedAt: at };
  const withDefaults = {
    ...unsetReleaseFields,
    ...own,
    artworkAssetId: artworkId,
    labelId: null,
    status: 'submitted',
    trackCount: tracks.length,
    submission: null,
    revision: 3,
    ...times,
  } as unknown as Release;
  return {
    release: withDefaults,
    tracks: tracks.map(
      (each, i) =>
        ({
          ...unsetTrackFields,
          ...each,
          releaseId: withDefaults.id,
          audioAssetId: audioIds[i],
          durationMs: 180_000 + i,
          disc: 1 + (i % 2),
          position: 1 + Math.floor(i / 2),
          ...times,
        }) as unknown as Track,
    ),
    assets: [
      assetOf(artworkId, 'artwork', { ...artworkFacts, format: formats.artwork }),
      ...tracks.map((_, i) =>
        assetOf(audioIds[i]!, 'audio', { ...audioFacts, format: formats.audio }),
      ),
    ] as unknown as Snapshot['assets'],
    artists: [
      {
        id: artistIds[0],
        isni: '0000000073562842',
        ipi: '00045620792',
        localizedNames: { ja: 'オーロラ' },
        storeProfiles: { aurora: 'aur-1', hanami: 'new' },
      },
      { id: artistIds[1], isni: null, ipi: null, localizedNames: {}, storeProfiles: {} },
    ] as unknown as Snapshot['artists'],
  };
}

const parts = (tracksMax: number): fc.Arbitrary<Parts> =>
  fc.integer({ min: 1, max: tracksMax }).chain((count) =>
    fc.record({
      release,
      tracks: fc.uniqueArray(track, {
        minLength: count,
        maxLength: count,
        selector: ({ isrc }) => isrc,
      }),
      audioIds: fc.uniqueArray(idOf('ast'), { minLength: count, maxLength: count }),
      formats: fc.record({
        audio: fc.constantFrom('wav', 'flac', 'alac'),
        artwork: fc.constantFrom('jpeg', 'png'),
      }),
    }),
  );

/** A release that a store may be offered. */
export const offeredRelease = (tracksMax = 4): fc.Arbitrary<Offered> =>
  fc
    .tuple(
      parts(tracksMax),
      fc.constantFrom(...fictionalStores),
      fc.constantFrom(['WORLDWIDE'], ['DE', 'US'], ['JP']),
    )
    .map(([each, store, requested]) => {
      const snapshot = toSnapshot(each);
      const resolve = createDealResolver({
        licensed: territoryCodes,
        release: snapshot.release,
        tracks: snapshot.tracks,
      });
      const { territoryCodes: codesOfStore, capabilities } = store;
      const limits = { territoryCodes: codesOfStore, useTypes: capabilities.useTypes };
      return { snapshot, store, deal: resolve(limits, requested) };
    })
    .filter((offered): offered is Offered => typeof offered.deal !== 'string');
