/**
 * The five deliveries with which a large store admits a distributor (modelled on Spotify's onboarding): an album; a
 * territory added to an EP; a timed single; the streaming rights of one track removed; a takedown. The partner uses
 * HTTP alone and moves its sandbox clock. The worker runs in this process, so that a test sees what stores received.
 */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { StoreMessage } from '../../src/delivery/connectors/store-connector.ts';
import type { Json } from '../delivery-fixture.ts';
import { type Album, withAlbums } from '../rights-fixture.ts';
import { type DrivenPartner, openSandboxFixture, type SandboxFixture } from '../sandbox-fixture.ts';

const releaseDate = '2027-01-15';
const streams = ['ad_supported_stream', 'subscription_stream'];

describe('what a store tries before it admits a distributor', () => {
  let fixture: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    fixture = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await fixture.newPartner();
  });
  after(() => fixture.close());

  const givenAlbum = (tracks: number, release: object): Promise<Album> =>
    withAlbums(fixture).givenAlbum({
      tracks: Array.from({ length: tracks }, () => ({})),
      release: { release_date: releaseDate, ...release },
      caller: partner.caller,
      simulate: null,
    });
  const deliver = async (album: Album, stores: readonly string[], territory_codes: string[]) => {
    const body = { release_id: album.id, stores, territory_codes };
    const { id } = await partner.ask('POST', '/v1/deliveries', body);
    await fixture.runUntilIdle();
    return id as string;
  };
  /** A delivery to aurora and cascade whose release is out. */
  const givenLive = async (album: Album, territoryCodes = ['WORLDWIDE']): Promise<string> => {
    const id = await deliver(album, ['aurora', 'cascade'], territoryCodes);
    await partner.advance({ to: `${releaseDate}T00:00:00Z` });
    assert.equal((await partner.delivery(id)).status, 'delivered');
    return id;
  };
  const update = async (id: string, body: object = {}): Promise<Json> => {
    const json = await partner.ask('POST', `/v1/deliveries/${id}/update`, body);
    await fixture.runUntilIdle();
    return json;
  };
  /** As store, kind, territories and the use types of the release. */
  const received = (id: string) =>
    fixture
      .messagesOf(id)
      .map(({ storeId, message, deal }) => [storeId, message.kind, shownCodes(deal), deal.useTypes])
      .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
  const shownCodes = ({ isWorldwide, territoryCodes }: StoreMessage['deal']) =>
    isWorldwide ? 'WORLDWIDE' : territoryCodes.join(' ');
  /** The events about a release in order: `aurora delivered`, `delivery.completed delivered`. */
  const seen = async (album: Album, since = 0): Promise<readonly string[]> =>
    (await partner.events(album.id)).slice(since).flatMap(({ type, data }) => {
      switch (type) {
        case 'delivery.store.updated':
          return [`${data.store.store_id} ${data.store.update?.status ?? data.store.status}`];
        case 'delivery.completed':
        case 'delivery.taken_down':
          return [`${type} ${data.status}`];
        case 'release.status.changed':
          return [`release ${data.status}`];
        default:
          return [];
      }
    });
  /** The same by their first word: stores may answer in any order. */
  const seenByName = async (album: Album, since = 0) => {
    const entries = (await seen(album, since)).map((line) => line.split(' '));
    const byName = Map.groupBy(entries, ([name = '']) => name);
    return Object.fromEntries(
      Array.from(byName, ([name, all]) => [name, all.map(([, status]) => status)]),
    );
  };
  const countEvents = async (album: Album) => (await partner.events(album.id)).length;

  test('an album is inserted', async () => {
    const album = await givenAlbum(10, { title: 'Night Drive' });
    const id = await givenLive(album);
    assert.deepEqual(await seen(album), [
      'release submitted',
      'aurora in_progress',
      'cascade in_progress',
      'aurora delivered',
      'cascade delivered',
      'delivery.completed delivered',
      'release delivered',
    ]);
    assert.deepEqual(received(id), [
      ['aurora', 'deliver', 'WORLDWIDE', [...streams, 'download']],
      ['cascade', 'deliver', 'WORLDWIDE', streams],
    ]);
    for (const { deal, snapshot } of fixture.messagesOf(id)) {
      assert.deepEqual(deal.tracks, [], 'every track has the deal of the release');
      assert.deepEqual([snapshot.tracks.length, snapshot.assets.length], [10, 11]);
    }
    const { stores } = await partner.delivery(id);
    for (const store of stores) {
      assert.deepEqual(
        [store.territory_codes, store.live_at, store.live_basis],
        [['WORLDWIDE'], `${releaseDate}T00:00:00.000Z`, 'store'],
      );
    }
  });

  test('a territory is added to an EP', async () => {
    const ep = await givenAlbum(4, { title: 'Harbour Lights', type: 'ep' });
    const id = await givenLive(ep, ['AT', 'CH', 'DE']);
    const eventsBefore = await countEvents(ep);
    const requested = await update(id, { territory_codes: ['AT', 'CH', 'DE', 'SE'] });
    assert.deepEqual(requested.skipped, []);
    for (const store of requested.stores) {
      assert.deepEqual(store.territory_codes, ['AT', 'CH', 'DE'], 'until the store confirms');
    }
    await partner.advance({ by: '7h' });
    assert.deepEqual(await seenByName(ep, eventsBefore), {
      aurora: ['pending', 'delivered'],
      cascade: ['pending', 'delivered'],
    });
    assert.deepEqual(received(id), [
      ['aurora', 'deliver', 'AT CH DE', [...streams, 'download']],
      ['aurora', 'update', 'AT CH DE SE', [...streams, 'download']],
      ['cascade', 'deliver', 'AT CH DE', streams],
      ['cascade', 'update', 'AT CH DE SE', streams],
    ]);
    const confirmed = await partner.delivery(id);
    assert.deepEqual(confirmed.territory_codes, ['AT', 'CH', 'DE'], 'as created');
    for (const store of confirmed.stores) {
      assert.deepEqual([store.territory_codes, store.update], [['AT', 'CH', 'DE', 'SE'], null]);
      assert.deepEqual(store.requested_territory_codes, ['AT', 'CH', 'DE', 'SE']);
    }
  });

  test('a single is released at a moment', async () => {
    const startsAt = '2027-02-12T17:00:00.000Z';
    const single = await givenAlbum(1, {
      type: 'single',
      release_date: '2027-02-12',
      release_at: startsAt,
    });
    const { now } = await partner.clock();
    const hoursLeft = (Date.parse(startsAt) - Date.parse(now)) / 3_600_000;
    const ofRelease = { release_id: single.id };
    await partner.addScenario([{ action: 'confirm', after: `${hoursLeft}h` }], ofRelease);
    await partner.addScenario([{ action: 'lose' }], { ...ofRelease, store_id: 'emberline' });
    const id = await deliver(single, ['aurora', 'emberline'], ['WORLDWIDE']);
    for (const { snapshot, expectedBy } of fixture.messagesOf(id)) {
      assert.equal(snapshot.release.releaseAt, startsAt, 'the store is told the moment');
      assert.ok(expectedBy !== null && expectedBy.toISOString() >= startsAt);
    }
    await partner.advance({ to: '2027-02-12T16:59:00Z' });
    assert.equal((await partner.delivery(id)).status, 'in_progress', 'not at midnight');
    await partner.advance({ to: startsAt });
    const live = await partner.delivery(id);
    assert.deepEqual(
      live.stores.map((store: Json) => [store.store_id, store.status, store.live_basis]),
      [
        ['aurora', 'delivered', 'store'],
        ['emberline', 'delivered', 'inferred'],
      ],
    );
    assert.ok(live.stores.every((store: Json) => store.live_at === startsAt));
    assert.deepEqual(await seenByName(single), {
      release: ['submitted', 'delivered'],
      aurora: ['in_progress', 'delivered'],
      emberline: ['in_progress', 'delivered'],
      'delivery.completed': ['delivered'],
    });
    assert.deepEqual(received(id), [
      ['aurora', 'deliver', 'WORLDWIDE', [...streams, 'download']],
      ['emberline', 'deliver', 'WORLDWIDE', streams],
    ]);
  });

  test('the streaming rights of one track are removed', async () => {
    const album = await givenAlbum(10, { title: 'Low Sun' });
    const id = await givenLive(album);
    const eventsBefore = await countEvents(album);
    const [track = ''] = album.trackIds;
    await partner.ask('PATCH', `/v1/tracks/${track}`, { use_types: ['download'] });
    await update(id);
    await partner.advance({ by: '7h' });
    assert.deepEqual(await seenByName(album, eventsBefore), {
      aurora: ['pending', 'delivered'],
      cascade: ['pending', 'delivered'],
    });
    const updates = fixture.messagesOf(id).filter(({ message }) => message.kind === 'update');
    assert.deepEqual(
      updates.map(({ storeId, deal }) => [
        storeId,
        deal.isWorldwide,
        deal.tracks.map(({ trackId, useTypes }) => [trackId, useTypes]),
      ]),
      [
        ['aurora', true, [[track, ['download']]]],
        // Cascade has no downloads: the track is left out there.
        ['cascade', true, [[track, []]]],
      ],
    );
    const { stores } = await partner.delivery(id);
    assert.deepEqual(
      stores.map((store: Json) => [
        store.territory_codes,
        store.update,
        store.tracks.map((each: Json) => [each.track_id, each.use_types]),
      ]),
      [
        [['WORLDWIDE'], null, [[track, ['download']]]],
        [['WORLDWIDE'], null, [[track, []]]],
      ],
    );
  });

  test('the album is taken down', async () => {
    const album = await givenAlbum(10, { title: 'Ferry' });
    const id = await givenLive(album);
    const eventsBefore = await countEvents(album);
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, { reason: 'Rights have ended' });
    await fixture.runUntilIdle();
    await partner.advance({ by: '72h' });
    assert.deepEqual(await seenByName(album, eventsBefore), {
      aurora: ['takedown_requested', 'taken_down'],
      cascade: ['takedown_requested', 'taken_down'],
      'delivery.taken_down': ['taken_down'],
    });
    assert.deepEqual(
      received(id).map(([store, kind, codes]) => [store, kind, codes]),
      [
        ['aurora', 'deliver', 'WORLDWIDE'],
        ['aurora', 'takedown', 'WORLDWIDE'],
        ['cascade', 'deliver', 'WORLDWIDE'],
        ['cascade', 'takedown', 'WORLDWIDE'],
      ],
    );
    const { status, stores } = await partner.delivery(id);
    assert.equal(status, 'taken_down');
    assert.ok(stores.every((store: Json) => store.taken_down_by === 'partner'));
  });
});
