/** Where and how each store may offer a release and its tracks: catalogue §1.1, §2 and contract §2, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  type Json,
  storeDeliveryOf,
  withoutRequestIds,
} from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';

const unknownId = 'dlv_01h455vb4pex5vsknk084sn02q';

describe('rights', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture();
  });
  after(() => fixture.close());

  const create = (fields: object, caller = fixture.label) =>
    fixture.post('', { stores: ['aurora'], territory_codes: ['WORLDWIDE'], ...fields }, caller);

  describe('of tracks', () => {
    test('catalogue §1.1: one restricted track leaves the album its territories, and alone is shown', async () => {
      const { delivery, album } = await fixture.givenAlbumDelivery({
        tracks: [{}, { territory: ['DE', 'JP'] }, {}],
        stores: ['aurora', 'cascade', 'hanami'],
      });
      const restricted = album.trackIds[1];
      const [aurora, cascade, hanami] = delivery.stores;
      assert.deepEqual(aurora.territory_codes, ['WORLDWIDE']);
      assert.deepEqual(aurora.tracks, [
        {
          track_id: restricted,
          territory_codes: ['DE', 'JP'],
          use_types: ['ad_supported_stream', 'subscription_stream', 'download'],
        },
      ]);
      assert.deepEqual(cascade.tracks, [
        {
          track_id: restricted,
          territory_codes: ['DE'],
          use_types: ['ad_supported_stream', 'subscription_stream'],
        },
      ]);
      assert.equal('tracks' in hanami, false, 'the track has all territories of the store');
    });

    test('catalogue §1.1: a track that is available nowhere at a store is left out there', async () => {
      const { delivery, album } = await fixture.givenAlbumDelivery({
        tracks: [{}, { territory: ['JP'] }],
        stores: ['cascade', 'hanami'],
      });
      const leftOut = { track_id: album.trackIds[1], territory_codes: [], use_types: [] };
      assert.deepEqual(storeDeliveryOf(delivery, 'cascade').tracks, [leftOut]);
      assert.equal(storeDeliveryOf(delivery, 'cascade').territory_count, 32);
      assert.equal('tracks' in storeDeliveryOf(delivery, 'hanami'), false);
      const [toCascade] = fixture.messagesOf(delivery.id);
      assert.deepEqual(toCascade?.deal.tracks, [
        { trackId: album.trackIds[1], territoryCodes: [], useTypes: [] },
      ]);
    });

    test('catalogue §2: excluded_territories and use_types narrow a track, never the release', async () => {
      const { delivery, album } = await fixture.givenAlbumDelivery({
        tracks: [
          { territory: ['WORLD'], excluded_territories: ['CH', 'GB'] },
          { use_types: ['download'] },
          { use_types: ['subscription_stream', 'ugc'] },
          {},
        ],
        stores: ['cascade', 'glasshouse'],
      });
      const [excluding, downloads, streams] = album.trackIds;
      const [cascade, glasshouse] = delivery.stores;
      assert.equal(cascade.territory_count, 32);
      const [first, ...others] = cascade.tracks;
      assert.deepEqual([first.track_id, first.territory_codes.length], [excluding, 30]);
      assert.ok(!['CH', 'GB'].some((code) => first.territory_codes.includes(code)));
      assert.deepEqual(others, [
        { track_id: downloads, territory_codes: [], use_types: [] },
        {
          track_id: streams,
          territory_codes: (await fixture.fullStoreOf(delivery, 'cascade')).territory_codes,
          use_types: ['subscription_stream'],
        },
      ]);
      assert.deepEqual(
        glasshouse.tracks.map((track: Json) => [track.track_id, track.use_types]),
        [
          [excluding, ['subscription_stream', 'download']],
          [downloads, ['download']],
          [streams, ['subscription_stream']],
        ],
      );
    });

    test('catalogue §2: a withdrawn track is sent to no store', async () => {
      const { delivery, album } = await fixture.givenAlbumDelivery({
        tracks: [{}, { use_types: [] }],
        stores: ['aurora', 'indigo'],
      });
      for (const { tracks } of delivery.stores) {
        assert.deepEqual(tracks, [
          { track_id: album.trackIds[1], territory_codes: [], use_types: [] },
        ]);
      }
    });
  });

  describe('of a release', () => {
    test('catalogue §2: WORLD with excluded_territories is the world except these', async () => {
      const { delivery } = await fixture.givenAlbumDelivery({
        release: { territories: ['WORLD'], excluded_territories: ['US', 'JP', 'GB'] },
        stores: ['aurora', 'glasshouse'],
      });
      const [aurora, glasshouse] = delivery.stores;
      assert.deepEqual(glasshouse.territory_codes, ['AT', 'CH', 'DE', 'DK', 'FI', 'NO', 'SE']);
      assert.ok(!aurora.territory_codes.some((code: string) => ['US', 'JP', 'GB'].includes(code)));
      assert.equal(aurora.territory_codes.length, aurora.territory_count);
    });

    test('catalogue §2: use_types of a store are those that the release and the store share', async () => {
      const { delivery } = await fixture.givenAlbumDelivery({
        release: { use_types: ['download', 'ad_supported_stream'] },
        stores: ['aurora', 'driftwood', 'firefly', 'indigo'],
      });
      assert.deepEqual(
        delivery.stores.map((store: Json) => store.use_types),
        [
          ['ad_supported_stream', 'download'],
          ['download'],
          ['ad_supported_stream'],
          ['ad_supported_stream'],
        ],
      );
      assert.ok(delivery.stores.every((store: Json) => !('tracks' in store)));
    });

    test('catalogue §2: WORLDWIDE is recorded only where it was requested and is all of the store', async () => {
      const album = await fixture.givenAlbum({
        release: { territories: ['DE', 'JP', 'US'] },
      });
      const stores = ['cascade', 'hanami', 'indigo'];
      const { json: worldwide } = await create({ release_id: album.id, stores });
      assert.deepEqual(
        worldwide.stores.map((store: Json) => [store.territory_codes, store.territory_count]),
        [
          [['DE'], 1],
          [['WORLDWIDE'], 1],
          [['WORLDWIDE'], 1],
        ],
      );
      const another = await fixture.givenAlbum();
      const codes = { release_id: another.id, stores, territory_codes: ['DE', 'JP', 'US'] };
      const { json: asCodes } = await create(codes);
      assert.deepEqual(
        asCodes.stores.map((store: Json) => store.territory_codes),
        [['DE'], ['JP'], ['US']],
      );
    });

    test('catalogue §2: a licence for some territories leaves no WORLDWIDE at larger stores', async () => {
      const caller = await fixture.service.givenOrganization({ territories: 'JP,DE' });
      const stores = ['aurora', 'hanami'];
      const { delivery } = await fixture.givenAlbumDelivery({ stores, caller });
      assert.deepEqual(
        delivery.stores.map((store: Json) => store.territory_codes),
        [['DE', 'JP'], ['WORLDWIDE']],
      );
    });
  });

  describe('refusals', () => {
    test('catalogue §1.1: no track remains at a store → 422 territory_not_supported', async () => {
      const album = await fixture.givenAlbum({
        tracks: [{ territory: ['DE'] }, { territory: ['FR'] }],
      });
      const count = await fixture.countDeliveries();
      const reply = await create({ release_id: album.id, stores: ['indigo', 'cascade', 'hanami'] });
      assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
      assert.deepEqual(fieldsOf(reply), ['territory_codes', 'territory_codes']);
      assert.match(reply.json.error.message, /: hanami, indigo\.$/);
      assert.match(reply.json.error.details[0].issue, /hanami may offer at least one track/);
      assert.equal(await fixture.countDeliveries(), count, 'no trace');
      assert.equal((await create({ release_id: album.id, stores: ['cascade'] })).status, 201);
    });

    test('catalogue §2: a store whose only tracks have no use type there is refused, too', async () => {
      const album = await fixture.givenAlbum({
        tracks: [{ use_types: ['download'] }, { use_types: [] }],
      });
      const reply = await create({ release_id: album.id, stores: ['indigo'] });
      assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
      assert.equal((await create({ release_id: album.id, stores: ['driftwood'] })).status, 201);
    });

    test('catalogue §2: no use type in common → 422 invalid_field on stores[i] of the request', async () => {
      const album = await fixture.givenAlbum({ release: { use_types: ['download'] } });
      const count = await fixture.countDeliveries();
      const stores = ['indigo', 'driftwood', 'beatlane', 'aurora'];
      for (const path of ['', '/dry_run']) {
        const body = { release_id: album.id, stores, territory_codes: ['WORLDWIDE'] };
        const reply = await fixture.post(path, body);
        assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
        assert.deepEqual(fieldsOf(reply).toSorted(), ['stores[0]', 'stores[2]']);
        for (const { field, issue } of reply.json.error.details) {
          assert.match(issue, field === 'stores[0]' ? / names indigo,/ : / names beatlane,/);
        }
      }
      assert.equal(await fixture.countDeliveries(), count, 'no trace');
    });

    test('catalogue §2: every track withdrawn → 409 invalid_state, for an update and a delivery', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ tracks: [{}, {}] });
      for (const id of album.trackIds) await fixture.patchTrack(id, { use_types: [] });
      const earlier = await fixture.get(delivery.id);
      const update = await fixture.post(`/${delivery.id}/update`);
      assert.deepEqual(codeOf(update), [409, 'invalid_state']);
      assert.match(update.json.error.message, /Take the release down/);
      const created = await create({ release_id: album.id, stores: ['cascade'] });
      assert.deepEqual(codeOf(created), [409, 'invalid_state']);
      assert.deepEqual(await fixture.get(delivery.id), earlier, 'no trace');
      assert.deepEqual(fixture.sentOf(delivery.id).length, 1);
    });

    test('catalogue §2: an update that leaves a store without territory is refused', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ stores: ['aurora', 'hanami'] });
      await fixture.patchRelease(album.id, { territories: ['DE'] });
      const reply = await fixture.post(`/${delivery.id}/update`);
      assert.deepEqual(codeOf(reply), [422, 'territory_not_supported']);
      assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      const named = await fixture.post(`/${delivery.id}/update`, { stores: ['aurora'] });
      assert.equal(named.status, 200, named.text);
    });
  });

  describe('GET /v1/deliveries/{id}/stores/{store_id}', () => {
    test('contract §4: always has all territory codes, what was requested, and tracks', async () => {
      const { delivery } = await fixture.givenAlbumDelivery({ stores: ['aurora', 'cascade'] });
      const short = storeDeliveryOf(delivery, 'aurora');
      const full = await fixture.fullStoreOf(delivery, 'aurora');
      assert.equal(full.territory_codes.length, full.territory_count);
      const { territory_codes } = await fixture.ask('GET', '/v1/stores/aurora');
      assert.deepEqual(full.territory_codes, territory_codes);
      assert.deepEqual(full.requested_territory_codes, ['WORLDWIDE']);
      assert.deepEqual(full.tracks, []);
      const { requested_territory_codes: _requested, tracks: _tracks, ...shared } = full;
      assert.deepEqual(shared, { ...short, territory_codes });
    });

    test('contract §1: has an ETag that answers 304 until the store changes', async () => {
      const { delivery } = await fixture.givenAlbumDelivery();
      const path = `/v1/deliveries/${delivery.id}/stores/aurora`;
      const etag = (await fixture.label.call('GET', path)).headers.get('etag') ?? '';
      const conditional = () =>
        fixture.label.call('GET', path, undefined, { 'if-none-match': etag });
      assert.equal((await conditional()).status, 304);
      await fixture.confirmAll(delivery);
      assert.equal((await conditional()).status, 200);
    });

    test('contract §5, §7: unknown stores, other organizations’ deliveries, malformed ids → 404', async () => {
      const { delivery } = await fixture.givenAlbumDelivery();
      const stranger = await fixture.service.givenOrganization();
      const at = (id: string, store: string) => `/v1/deliveries/${id}/stores/${store}`;
      const unknown = await stranger.call('GET', at(unknownId, 'aurora'));
      assert.deepEqual(codeOf(unknown), [404, 'resource_not_found']);
      for (const path of [at(delivery.id, 'aurora'), at('dlv_x', 'aurora')]) {
        const reply = await stranger.call('GET', path);
        assert.equal(withoutRequestIds(reply), withoutRequestIds(unknown), 'byte for byte');
      }
      for (const store of ['cascade', 'nowhere', 'AURORA', 'a'.repeat(50), '%20', '%00']) {
        const reply = await fixture.label.call('GET', at(delivery.id, store));
        assert.deepEqual(codeOf(reply), [404, 'resource_not_found'], store);
      }
    });

    test('contract §5, §7: needs deliveries:read', async () => {
      const path = `/v1/deliveries/${unknownId}/stores/aurora`;
      const writer = await fixture.service.givenOrganization({ scopes: 'deliveries:write' });
      assert.deepEqual(codeOf(await writer.call('GET', path)), [403, 'insufficient_scope']);
      const nobody = await fixture.service.request(undefined, 'GET', path);
      assert.deepEqual(codeOf(nobody), [401, 'authentication_required']);
    });
  });
});
