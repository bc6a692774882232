/** The messages that stores get (catalogue §2; DDEX ERN). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildNewRelease, type NewReleaseMessage, parseMessage, readXml } from '@tonearm/ern';
import fc from 'fast-check';
import { toBodies } from '../../src/catalog/connectors/ern/to-bodies.ts';
import type { Contributor } from '../../src/catalog/domain/contributor.ts';
import { unsetReleaseFields } from '../../src/catalog/domain/release.ts';
import { unsetTrackFields } from '../../src/catalog/domain/track.ts';
import type { Snapshot } from '../../src/catalog/face.ts';
import {
  type Dialect,
  fictionalDialect,
  usualReleaseTypes,
} from '../../src/delivery/connectors/ddex/dialect.ts';
import { usualFiles } from '../../src/delivery/connectors/ddex/to-files.ts';
import {
  toNewReleaseMessage,
  toTakedownMessage,
} from '../../src/delivery/connectors/ddex/to-message.ts';
import { codesOfSet, everyTerritory, toTerritorySet } from '../../src/kernel/territory-set.ts';
import { type UseType, useTypes } from '../../src/kernel/use-type.ts';
import { fictionalStores } from '../../src/network/domain/fictional-stores.ts';
import { genreAtStore, type Store } from '../../src/network/face.ts';
import { type Offered, offeredRelease } from '../snapshot-arbitrary.ts';

const createdAt = new Date('2027-03-01T12:00:00.000Z');
const envelope = { messageId: 'msg_1', threadId: 'dlv_1', createdAt };

const contextOf = ({ snapshot, store, deal }: Offered) => ({
  snapshot,
  store,
  deal,
  dialect: fictionalDialect(store),
  envelope,
  files: usualFiles,
});

const dealsIn = ({ release, tracks }: NewReleaseMessage) => [
  ...release.deals,
  ...tracks.flatMap(({ trackRelease }) => trackRelease?.deals ?? []),
];

describe('messages to stores', () => {
  test('catalogue §2: deals have exactly the territories of the delivery, and its start', () => {
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { release } = offered.snapshot;
        const message = toNewReleaseMessage(contextOf(offered));
        for (const { territories, period, isPreOrder } of message.release.deals) {
          const codes =
            'excluded' in territories
              ? codesOfSet(everyTerritory & ~toTerritorySet(territories.excluded))
              : territories.included;
          const isWorld = codes[0] === 'Worldwide';
          assert.deepEqual(
            isWorld ? codesOfSet(everyTerritory) : codes.toSorted(),
            offered.deal.territoryCodes.toSorted(),
          );
          const start = isPreOrder ? period.end : period.start;
          assert.equal(
            start,
            release.releaseAt?.replace('.000Z', 'Z') ?? `${release.releaseDate}T00:00:00`,
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a takedown has no deals, or deals that ended, as the store expects it', () => {
    const methods = new Set<string>();
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { takedownMethod } = offered.store.capabilities;
        const deals = dealsIn(toTakedownMessage(contextOf(offered)));
        methods.add(takedownMethod);
        if (takedownMethod === 'omit_deal') assert.deepEqual(deals, []);
        for (const { period } of deals) assert.ok((period.end ?? 'z') < '2027-03-01');
      }),
      { numRuns: 300 },
    );
    assert.deepEqual([...methods].toSorted(), ['end_deal', 'omit_deal']);
  });

  test('the type is the store’s word for ours, or follows from the number of tracks', () => {
    fc.assert(
      fc.property(offeredRelease(2), (offered) => {
        const { type } = offered.snapshot.release;
        const { release } = toNewReleaseMessage(contextOf(offered));
        assert.equal(release.type, usualReleaseTypes[type ?? 'single']);
        assert.equal(release.compilation !== undefined, type === 'compilation');
      }),
      { numRuns: 100 },
    );
  });

  test('every file has its hash, and a name that no other file of the message has', () => {
    fc.assert(
      fc.property(offeredRelease(3), (offered) => {
        const { release, tracks } = toNewReleaseMessage(contextOf(offered));
        const files = [
          release.cover?.file,
          ...tracks.map(({ editions }) => editions[0]?.audio?.file),
        ];
        assert.ok(files.every((file) => file?.hash?.algorithm === 'SHA-256'));
        assert.equal(new Set(files.map((file) => file?.uri)).size, files.length);
      }),
      { numRuns: 100 },
    );
  });
});

/** A message to `aurora`, a store that takes everything, unless the parts say otherwise. */
type Parts = {
  readonly release?: Partial<Snapshot['release']>;
  readonly tracks?: readonly Partial<Snapshot['tracks'][number]>[];
  readonly facts?: object;
  readonly dialect?: Partial<Dialect>;
  readonly genres?: Store['genres'];
  readonly uses?: readonly UseType[];
};

const everything = fictionalStores.find(
  ({ capabilities }) => capabilities.preOrder && capabilities.useTypes.includes('download'),
)!;

function messageOf({
  release: ownRelease = {},
  tracks = [{}],
  facts = {},
  dialect = {},
  genres = {},
  uses = useTypes,
}: Parts): NewReleaseMessage {
  const [sample] = fc.sample(offeredRelease(1), { numRuns: 1, seed: 7 });
  const { snapshot } = sample!;
  const release = {
    ...snapshot.release,
    ...unsetReleaseFields,
    artworkAssetId: snapshot.release.artworkAssetId,
    ...ownRelease,
  };
  const all = tracks.map((track, i) => ({
    ...snapshot.tracks[0]!,
    ...unsetTrackFields,
    audioAssetId: snapshot.tracks[0]!.audioAssetId,
    contributors: [],
    artists: [{ name: 'Nora', role: 'main' as const }],
    position: i + 1,
    ...track,
  }));
  const store = { ...everything, genres };
  return toNewReleaseMessage({
    snapshot: {
      ...snapshot,
      release,
      tracks: all,
      assets: snapshot.assets.map((asset) => ({
        ...asset,
        facts: asset.facts && { ...asset.facts, ...facts },
      })),
    },
    store,
    deal: { territoryCodes: ['DE', 'US'], useTypes: uses, isWorldwide: false, tracks: [] },
    dialect: { ...fictionalDialect(store), ...dialect },
    envelope,
    files: usualFiles,
  });
}

const dealOf = (message: NewReleaseMessage, model: string) =>
  message.tracks[0]!.trackRelease!.deals.find(
    ({ commercialModels }) => commercialModels[0] === model,
  );

describe('what the ingestion of a store expects of a message', () => {
  const streams = ['OnDemandStream', 'NonInteractiveStream'];

  test('a subscription includes downloads that end with it, unless the dialect of the store says otherwise', () => {
    const usual = messageOf({});
    assert.deepEqual(dealOf(usual, 'SubscriptionModel')?.useTypes, [
      ...streams,
      'ConditionalDownload',
    ]);
    assert.deepEqual(dealOf(usual, 'AdvertisementSupportedModel')?.useTypes, streams);
    const without = messageOf({ dialect: { takesOfflineStreams: false } });
    assert.deepEqual(dealOf(without, 'SubscriptionModel')?.useTypes, streams);
  });

  test('a claim on videos of users names what it is about, who controls the rights, and their share', () => {
    const message = messageOf({ release: { label: 'Fjord' }, tracks: [{ ugcPolicy: 'monetize' }] });
    const claim = dealOf(message, 'RightsClaimModel');
    assert.deepEqual(claim?.useTypes, [
      'UserMakeAvailableLabelProvided',
      'UserMakeAvailableUserProvided',
    ]);
    assert.equal(claim?.rightsClaimPolicy, 'Monetize');
    assert.deepEqual(message.tracks[0]?.rightsControllers, [
      { party: { name: 'Fjord' }, share: 100 },
    ]);
    const streamed = messageOf({ uses: ['subscription_stream'] });
    assert.equal(streamed.tracks[0]?.rightsControllers, undefined);
  });

  test('a compilation is one of a single artist if all tracks have the same main artists', () => {
    const nora = { name: 'Nora', role: 'main' } as const;
    const kindOf = (...names: string[]) =>
      messageOf({
        release: { type: 'compilation' },
        tracks: names.map((name) => ({ artists: [{ ...nora, name }] })),
      }).release.compilation;
    assert.equal(kindOf('Nora', 'Nora'), 'SingleArtist');
    assert.equal(kindOf('Nora', 'Emil'), 'MultiArtist');
    const featuring = messageOf({
      release: { type: 'compilation' },
      tracks: [{}, { artists: [nora, { name: 'Emil', role: 'featured' }] }],
    });
    assert.equal(featuring.release.compilation, 'SingleArtist');
  });

  test('the year of ℗ and © is said by itself, also after the sign', () => {
    for (const line of ['2026 Fjord', '℗ 2026 Fjord', '(P) 2026 Fjord', '©2026 Fjord']) {
      const { release, tracks } = messageOf({ release: { pLine: line, cLine: line } });
      const expected = { year: 2026, text: line };
      assert.deepEqual([release.pLine, release.cLine], [expected, expected]);
      assert.deepEqual(tracks[0]?.editions[0]?.pLine, expected);
    }
    const { release } = messageOf({ release: { cLine: 'Fjord' } });
    assert.deepEqual(release.cLine, { text: 'Fjord' });
  });

  test('a pre-order begins and ends in one kind of time, and the store shows the release from its beginning on', () => {
    const dates = { releaseDate: '2027-01-15', preOrderDate: '2026-12-18' };
    for (const [releaseAt, start, end] of [
      [null, '2026-12-18T00:00:00', '2027-01-15T00:00:00'],
      ['2027-01-15T17:00:00.000Z', '2026-12-18T00:00:00Z', '2027-01-15T17:00:00Z'],
    ] as const) {
      const { release } = messageOf({ release: { ...dates, releaseAt } });
      const preOrder = release.deals.find(({ isPreOrder }) => isPreOrder);
      assert.deepEqual(preOrder?.period, { start, end });
      assert.deepEqual(release.visibility, [
        { displayStart: start, coverArtStart: start, trackListingStart: start },
      ]);
    }
    assert.equal(messageOf({}).release.visibility, undefined);
  });

  test('the tracks that buyers of a pre-order get at once are listed in it', () => {
    const tracks = [{ instantGratification: true }, { instantGratification: false }, {}];
    const ordered = messageOf({
      release: { releaseDate: '2027-01-15', preOrderDate: '2026-12-18' },
      tracks,
    });
    const { xml } = buildNewRelease(ordered);
    assert.deepEqual(xml.match(/<DealResourceReference>.*?</g), ['<DealResourceReference>A1<']);
    const unordered = buildNewRelease(messageOf({ tracks })).xml;
    assert.doesNotMatch(unordered, /InstantGratification/);
  });

  test('genres have the names of the store, then those of its rule pack', () => {
    const genreOf = (genre: string, genres: Store['genres']) =>
      messageOf({ release: { genre }, genres }).release.genre.text;
    assert.equal(genreOf('Folk', { Folk: 'Folk & Country' }), 'Folk & Country');
    assert.equal(genreOf('Pop', { Folk: 'Folk & Country' }), genreAtStore(everything, 'Pop'));
    for (const unlisted of ['constructor', '__proto__', 'toString'])
      assert.equal(genreOf(unlisted, {}), genreAtStore(everything, 'no genre'));
  });

  test('files have the hash that the store compares; a file that was never measured so has none', () => {
    const audioOf = (parts: Parts) => messageOf(parts).tracks[0]?.editions[0]?.audio?.file?.hash;
    const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
    const dialect = { hashAlgorithm: 'MD5' } as const;
    assert.deepEqual(audioOf({ dialect, facts: { md5 } }), { algorithm: 'MD5', value: md5 });
    assert.equal(audioOf({ dialect }), undefined);
    assert.equal(audioOf({ facts: { md5 } })?.algorithm, 'SHA-256');
  });

  test('classical music shows its composers, and says that it is classical', () => {
    const contributors: Contributor[] = [
      { name: 'Amalie', roles: ['composer', 'performer'] },
      { name: 'Nora', roles: ['composer'] },
      { name: 'Kai', roles: ['lyricist'] },
    ];
    const message = messageOf({ release: { genre: 'Classical' }, tracks: [{ contributors }] });
    assert.equal(message.profileVariant, 'Classical');
    assert.equal(message.tracks[0]?.isClassical, true);
    assert.deepEqual(
      message.tracks[0]?.artists.map(({ party, role }) => `${party.name} ${role}`),
      ['Nora MainArtist', 'Amalie Composer'],
      'not twice',
    );
    const mixed = messageOf({
      release: { genre: 'Classical' },
      tracks: [{}, { genre: 'Jazz', contributors }],
    });
    assert.equal(mixed.profileVariant, undefined);
    assert.deepEqual(
      mixed.tracks.map((track) => track.isClassical),
      [true, undefined],
    );
    assert.equal(mixed.tracks[1]?.artists.length, 1);
  });

  test('what is sent of classical music and of a pre-order is understood when it is sent to us', () => {
    const contributors: Contributor[] = [{ name: 'Amalie', roles: ['composer'] }];
    const tracks = [{ contributors, instantGratification: true }, { contributors: [] }];
    const message = messageOf({
      release: { genre: 'Classical', releaseDate: '2027-01-15', preOrderDate: '2026-12-18' },
      tracks,
    });
    const sent = parseMessage(readXml(buildNewRelease(message).xml)).message;
    assert.ok(sent?.kind === 'new_release');
    const [first, second] = toBodies(sent, createdAt)?.tracks ?? [];
    assert.deepEqual(first?.body['artists'], [{ name: 'Nora', role: 'main' }]);
    assert.deepEqual(first?.body['contributors'], [{ name: 'Amalie', roles: ['composer'] }]);
    assert.equal(first?.body['instant_gratification'], true);
    assert.equal(second?.body['instant_gratification'], null);
  });
});
