/** Updates of rights and territories: catalogue §2 and contract §3, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  codeOf,
  deliveredAnswer,
  fieldsOf,
  type Json,
  rejectedAnswer,
  storeDeliveryOf,
} from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';

describe('updates of rights', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture();
  });
  after(() => fixture.close());

  const update = (id: string, body: object = {}) => fixture.post(`/${id}/update`, body);
  /** An update that was accepted and sent. */
  const send = async (id: string, body: object = {}): Promise<Json> => {
    const { status, json, text } = await update(id, body);
    assert.equal(status, 200, text);
    await fixture.runUntilIdle();
    return json;
  };
  const lastDeal = (id: string, storeId: string) =>
    fixture.messagesOf(id).findLast((message) => message.storeId === storeId)?.deal;

  describe('POST /v1/deliveries/{id}/update {territory_codes}', () => {
    test('catalogue §2: changes the stores it names, at the same revision; the delivery stays as created', async () => {
      const { delivery } = await fixture.givenLiveAlbum({
        stores: ['aurora', 'cascade', 'glasshouse'],
        territory_codes: ['DE', 'FR'],
      });
      const codes = ['DE', 'JP', 'AT'];
      const named = ['aurora', 'glasshouse'];
      const json = await send(delivery.id, { stores: named, territory_codes: codes });
      assert.deepEqual(json.skipped, []);
      assert.deepEqual(json.territory_codes, ['DE', 'FR']);
      assert.equal(json.revision, delivery.revision);
      assert.deepEqual(storeDeliveryOf(json, 'cascade'), storeDeliveryOf(delivery, 'cascade'));
      for (const store of named.map((id) => storeDeliveryOf(json, id))) {
        assert.deepEqual(store.requested_territory_codes, codes);
        assert.deepEqual(
          [store.status, store.pending_revision, store.update.status],
          ['delivered', delivery.revision, 'pending'],
        );
      }
      assert.deepEqual(
        json.stores.map((store: Json) => store.territory_codes),
        [['DE', 'FR'], ['DE', 'FR'], ['DE']],
        'what the stores offer until they confirm',
      );
      assert.deepEqual(lastDeal(delivery.id, 'glasshouse')?.territoryCodes, ['AT', 'DE', 'JP']);
      const confirmed = await fixture.answer(delivery, {
        aurora: deliveredAnswer,
        glasshouse: deliveredAnswer,
      });
      assert.deepEqual(
        confirmed.stores.map((store: Json) => [store.territory_codes, store.update]),
        [
          [['AT', 'DE', 'JP'], null],
          [['DE', 'FR'], null],
          [['AT', 'DE', 'JP'], null],
        ],
      );
      assert.deepEqual(confirmed.territory_codes, ['DE', 'FR']);
      const full = await fixture.fullStoreOf(confirmed, 'cascade');
      assert.deepEqual(full.requested_territory_codes, ['DE', 'FR']);
      const { data } = await fixture.timelineOf(delivery.id);
      const entry = data.find(({ type }: Json) => type === 'update');
      assert.deepEqual(
        [entry.stores, entry.territory_codes, entry.changes],
        [named, codes, []],
        'the timeline has what was requested',
      );
    });

    test('catalogue §2: later updates and resubmissions use them', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({
        stores: ['aurora', 'cascade'],
      });
      await send(delivery.id, { stores: ['cascade'], territory_codes: ['DE', 'FR'] });
      await fixture.answer(delivery, { cascade: deliveredAnswer });
      await fixture.patchRelease(album.id, { title: 'Night Driver' });
      await send(delivery.id);
      assert.deepEqual(lastDeal(delivery.id, 'cascade')?.territoryCodes, ['DE', 'FR']);
      assert.equal(lastDeal(delivery.id, 'aurora')?.isWorldwide, true);
      await fixture.confirmAll(delivery);
      const flagged = await fixture.answer(delivery, { cascade: actionRequiredAnswer });
      assert.equal(storeDeliveryOf(flagged, 'cascade').status, 'action_required');
      const { json, status, text } = await fixture.post(`/${delivery.id}/resubmit`, {
        force: true,
      });
      assert.equal(status, 200, text);
      const cascade = storeDeliveryOf(json, 'cascade');
      assert.deepEqual(
        [cascade.territory_codes, cascade.requested_territory_codes],
        [
          ['DE', 'FR'],
          ['DE', 'FR'],
        ],
      );
    });

    test('catalogue §2: a store that refuses the update keeps its deal; the next update sends the codes again', async () => {
      const { delivery } = await fixture.givenLiveAlbum({ stores: ['glasshouse'] });
      await send(delivery.id, { territory_codes: ['DE'] });
      const refused = await fixture.answer(delivery, { glasshouse: rejectedAnswer });
      const glasshouse = storeDeliveryOf(refused, 'glasshouse');
      assert.deepEqual(
        [glasshouse.territory_codes, glasshouse.territory_count, glasshouse.update.status],
        [['WORLDWIDE'], 10, 'rejected'],
      );
      assert.deepEqual(glasshouse.requested_territory_codes, ['DE']);
      await send(delivery.id);
      assert.deepEqual(lastDeal(delivery.id, 'glasshouse')?.territoryCodes, ['DE']);
    });

    test('catalogue §2: the territories of the delivery again are no codes of their own', async () => {
      const { delivery } = await fixture.givenLiveAlbum({
        stores: ['glasshouse'],
        territory_codes: ['DE', 'JP'],
      });
      await send(delivery.id, { territory_codes: ['DE'] });
      await fixture.confirmAll(delivery);
      await send(delivery.id, { territory_codes: ['JP', 'DE'] });
      const restored = await fixture.confirmAll(delivery);
      assert.equal('requested_territory_codes' in restored.stores[0], false);
      assert.deepEqual(restored.stores[0].territory_codes, ['DE', 'JP']);
    });

    test('catalogue §2: nothing_changed compares the deal, not the words of the request', async () => {
      const { delivery } = await fixture.givenLiveAlbum({ stores: ['hanami'] });
      const same = await update(delivery.id, { territory_codes: ['JP'] });
      assert.deepEqual(codeOf(same), [409, 'nothing_changed']);
      assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      assert.deepEqual(delivery.stores[0].territory_codes, ['WORLDWIDE']);
    });

    test('contract §4: stores whose deal stays the same are skipped', async () => {
      const { delivery } = await fixture.givenLiveAlbum({ stores: ['aurora', 'hanami'] });
      const json = await send(delivery.id, { territory_codes: ['JP'] });
      assert.deepEqual(
        json.skipped.map((each: Json) => each.store_id),
        ['hanami'],
      );
      assert.match(json.skipped[0].reason, /^hanami was already sent/);
      assert.deepEqual(storeDeliveryOf(json, 'hanami'), storeDeliveryOf(delivery, 'hanami'));
      assert.deepEqual(lastDeal(delivery.id, 'aurora')?.territoryCodes, ['JP']);
      assert.deepEqual(codeOf(await update(delivery.id, { territory_codes: ['JP'] })), [
        409,
        'nothing_changed',
      ]);
    });

    const bad: readonly [codes: readonly string[], code: string, field: string][] = [
      [['DE', 'XX'], 'territory_not_supported', 'territory_codes[1]'],
      [['AQ'], 'territory_not_supported', 'territory_codes[0]'],
      [['DE', 'DE'], 'invalid_field', 'territory_codes[1]'],
      [['WORLDWIDE', 'DE'], 'invalid_field', 'territory_codes'],
      [['US'], 'territory_not_supported', 'territory_codes'],
      [[], 'invalid_field', 'territory_codes'],
    ];
    for (const [territory_codes, code, field] of bad) {
      test(`contract §1, §7: ${JSON.stringify(territory_codes)} → 422 ${code}`, async () => {
        const { delivery } = await fixture.givenLiveAlbum({ stores: ['cascade'] });
        const reply = await update(delivery.id, { territory_codes });
        assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field]);
        assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      });
    }
  });

  describe('of the catalogue', () => {
    test('catalogue §2: the streaming rights of one track are removed by an update', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ stores: ['aurora', 'cascade'] });
      const [track] = album.trackIds;
      await fixture.patchTrack(track, { use_types: ['download'] });
      const json = await send(delivery.id);
      assert.ok(
        json.stores.every((store: Json) => !('tracks' in store)),
        'not confirmed yet',
      );
      const confirmed = await fixture.confirmAll(delivery);
      const { territory_codes } = await fixture.fullStoreOf(confirmed, 'aurora');
      assert.deepEqual(storeDeliveryOf(confirmed, 'aurora').tracks, [
        { track_id: track, territory_codes, use_types: ['download'] },
      ]);
      assert.deepEqual(
        storeDeliveryOf(confirmed, 'cascade').tracks,
        [{ track_id: track, territory_codes: [], use_types: [] }],
        'it has no downloads',
      );
      assert.deepEqual(codeOf(await update(delivery.id)), [409, 'nothing_changed']);
    });

    test('catalogue §2: the timeline and the snapshot of an update have the rights that changed', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum();
      const [first, second] = album.trackIds;
      await fixture.patchRelease(album.id, {
        territories: ['WORLD'],
        excluded_territories: ['RU'],
        use_types: ['subscription_stream', 'download'],
        pre_order_date: '2027-01-01',
      });
      await fixture.patchTrack(first, { use_types: ['download'], preview_start_ms: 30_000 });
      await fixture.patchTrack(second, { territory: ['DE', 'FR'] });
      await send(delivery.id);
      const { data } = await fixture.timelineOf(delivery.id);
      const { changes } = data.find(({ type }: Json) => type === 'update');
      const byPointer = new Map(
        changes.map((change: Json) => [change.pointer, [change.before, change.after]]),
      );
      assert.deepEqual(byPointer.get('/excluded_territories'), [null, ['RU']]);
      assert.deepEqual(byPointer.get('/use_types'), [null, ['subscription_stream', 'download']]);
      assert.deepEqual(byPointer.get('/pre_order_date'), [null, '2027-01-01']);
      assert.deepEqual(byPointer.get('/tracks/0/use_types'), [null, ['download']]);
      assert.deepEqual(byPointer.get('/tracks/0/preview_start_ms'), [null, 30_000]);
      assert.deepEqual(byPointer.get('/tracks/1/territory'), [['WORLD'], ['DE', 'FR']]);
      assert.equal(byPointer.size, 6);
      const { release, tracks } = fixture.messagesOf(delivery.id).at(-1)?.snapshot ?? {};
      assert.deepEqual(
        [release?.excludedTerritories, release?.useTypes, release?.preOrderDate],
        [['RU'], ['subscription_stream', 'download'], '2027-01-01'],
      );
      assert.deepEqual(
        tracks?.map(({ useTypes, territory }) => [useTypes, territory]),
        [
          [['download'], null],
          [null, ['DE', 'FR']],
          [null, null],
        ],
      );
    });

    test('catalogue §2: a withdrawn track is removed where it is live by the next update', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ stores: ['indigo'] });
      await fixture.patchTrack(album.trackIds[2], { use_types: [] });
      await send(delivery.id);
      const leftOut = { trackId: album.trackIds[2], territoryCodes: [], useTypes: [] };
      assert.deepEqual(lastDeal(delivery.id, 'indigo')?.tracks, [leftOut]);
      assert.deepEqual(lastDeal(delivery.id, 'indigo')?.useTypes, ['ad_supported_stream']);
    });

    test('catalogue §2: a dry run of an update shows the deals and changes nothing', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ stores: ['aurora', 'hanami'] });
      await fixture.patchTrack(album.trackIds[0], { territory: ['DE'] });
      const { updated_at } = await fixture.get(delivery.id);
      const { status, json, text } = await fixture.post('/dry_run', {
        delivery_id: delivery.id,
        stores: ['aurora'],
        territory_codes: ['DE', 'FR'],
      });
      assert.equal(status, 200, text);
      const [store] = json.stores;
      assert.deepEqual(
        [json.stores.length, store.store_id, store.territory_codes, store.territory_count],
        [1, 'aurora', ['DE', 'FR'], 2],
      );
      assert.deepEqual(store.tracks, [
        { track_id: album.trackIds[0], territory_codes: ['DE'], use_types: store.use_types },
      ]);
      assert.equal((await fixture.get(delivery.id)).updated_at, updated_at);
      assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      await fixture.runUntilIdle();
      assert.equal(fixture.sentOf(delivery.id).length, 2, 'nothing is sent');
    });
  });
});
