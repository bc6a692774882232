/** When a release is out: live_date_moved, release_at and pre_order_date (catalogue §1.3, §1.5, §2). */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { codeOf, deliveredAnswer, type Json, storeDeliveryOf } from '../delivery-fixture.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';

const monday = '2026-11-16T12:00:00.000Z';
/** Of every release here, unless it says otherwise. */
const releaseDate = '2027-01-15';
const afterRelease = '2027-02-01T12:00:00.000Z';

describe('windows', () => {
  let fixture: RightsFixture;
  before(async () => {
    fixture = await openRightsFixture(monday);
  });
  after(() => fixture.close());
  beforeEach(() => fixture.service.clock.set(monday));

  const update = (id: string, body: object = {}) => fixture.post(`/${id}/update`, body);
  const accepted = async (id: string, body: object = {}): Promise<Json> => {
    const { status, json, text } = await update(id, body);
    assert.equal(status, 200, text);
    await fixture.runUntilIdle();
    return json;
  };
  /** An album that is live at these stores, and whose release date has passed. */
  const givenReleasedAlbum = async (...stores: string[]) => {
    const { delivery, album } = await fixture.givenAlbumDelivery({ stores });
    await fixture.service.clock.set(afterRelease);
    await fixture.runUntilIdle();
    return { delivery: await fixture.confirmAll(delivery), album };
  };
  const updateOf = ({ update: { status, rejection_code } }: Json) => [status, rejection_code];

  describe('catalogue §1.5: a live release that would move into the future', () => {
    test('the update is rejected with live_date_moved, and nothing is sent', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora', 'cascade');
      await fixture.advanceTime(1_000);
      const { revision } = await fixture.patchRelease(album.id, { release_date: '2027-03-01' });
      const json = await accepted(delivery.id);
      assert.deepEqual([json.status, json.revision], ['delivered', delivery.revision]);
      for (const store of json.stores) {
        assert.deepEqual(
          [store.status, store.revision, store.pending_revision, store.expected_by],
          ['delivered', delivery.revision, null, null],
        );
        assert.deepEqual(
          [store.update.revision, ...updateOf(store)],
          [revision, 'rejected', 'live_date_moved'],
        );
        assert.match(store.update.rejection_reason, /Take it down and deliver it again/);
        assert.deepEqual([store.rejection_code, store.rejection_reason], [null, null]);
      }
      assert.deepEqual(await fixture.get(delivery.id), withoutSkipped(json));
      assert.equal(fixture.sentOf(delivery.id).length, 2, 'nothing is sent');
    });

    test('partners see it in an event and in the timeline', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora');
      await fixture.patchRelease(album.id, { release_date: '2027-03-01' });
      await accepted(delivery.id);
      const event = (await fixture.eventsOf(album.id)).at(-1);
      assert.deepEqual(
        [event.type, event.data.previous_status, event.data.store.status],
        ['delivery.store.updated', 'delivered', 'delivered'],
      );
      assert.deepEqual(updateOf(event.data.store), ['rejected', 'live_date_moved']);
      const { data } = await fixture.timelineOf(delivery.id);
      const step = data.find(({ store_id }: Json) => store_id === 'aurora');
      assert.deepEqual([step.type, step.rejection_code], ['update_refused', 'live_date_moved']);
      const { changes } = data.find(({ type }: Json) => type === 'update');
      assert.deepEqual(changes, [
        { pointer: '/release_date', before: releaseDate, after: '2027-03-01' },
      ]);
    });

    test('a dry run shows the finding and changes nothing', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora', 'cascade');
      await fixture.patchRelease(album.id, { release_date: '2027-03-01' });
      const events = await fixture.eventsOf(album.id);
      const { status, json, text } = await fixture.post('/dry_run', { delivery_id: delivery.id });
      assert.equal(status, 200, text);
      const [finding] = json.findings;
      assert.deepEqual(
        [finding.rule, finding.severity, finding.applies_to, finding.pointer],
        ['live_date_moved', 'error', 'all', '/release_date'],
      );
      for (const store of json.stores) {
        assert.equal(store.would_be_sent, false);
        assert.ok(store.errors >= 1);
      }
      assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      assert.deepEqual(await fixture.eventsOf(album.id), events);
    });

    test('release_at counts, and is what the finding points to', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora');
      await fixture.service.clock.set('2027-01-15T10:00:00.000Z');
      await fixture.patchRelease(album.id, { release_at: '2027-01-15T17:00:00.000Z' });
      const { json } = await fixture.post('/dry_run', { delivery_id: delivery.id });
      assert.deepEqual(
        [json.findings[0].rule, json.findings[0].pointer],
        ['live_date_moved', '/release_at'],
      );
      assert.deepEqual(updateOf((await accepted(delivery.id)).stores[0]), [
        'rejected',
        'live_date_moved',
      ]);
      await fixture.service.clock.set('2027-01-15T17:00:00.000Z');
      const later = await accepted(delivery.id);
      assert.deepEqual(updateOf(later.stores[0]), ['pending', null], 'the moment has passed');
    });

    test('a date that has passed is fine', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora');
      const { revision } = await fixture.patchRelease(album.id, { release_date: '2027-01-29' });
      const dryRun = await fixture.post('/dry_run', { delivery_id: delivery.id });
      assert.deepEqual(
        dryRun.json.findings.filter(({ rule }: Json) => rule === 'live_date_moved'),
        [],
      );
      const json = await accepted(delivery.id);
      assert.deepEqual(updateOf(json.stores[0]), ['pending', null]);
      const confirmed = await fixture.confirmAll(delivery);
      assert.deepEqual(
        [confirmed.stores[0].revision, confirmed.stores[0].update],
        [revision, null],
      );
      assert.equal(confirmed.stores[0].live_at, delivery.stores[0].live_at);
    });

    test('an earlier date is fine, also before the release', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum();
      await fixture.patchRelease(album.id, { release_date: '2027-01-08' });
      assert.deepEqual(updateOf((await accepted(delivery.id)).stores[0]), ['pending', null]);
    });

    test('the correction is sent, and clears the rejected update once it is confirmed', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora');
      await fixture.patchRelease(album.id, { release_date: '2027-03-01', title: 'Night Driver' });
      await accepted(delivery.id);
      await fixture.patchRelease(album.id, { release_date: releaseDate });
      assert.deepEqual(updateOf((await accepted(delivery.id)).stores[0]), ['pending', null]);
      const { stores } = await fixture.confirmAll(delivery);
      assert.equal(stores[0].update, null);
    });

    test('a store with an update under way is skipped: that update continues', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora', 'cascade');
      const { revision } = await fixture.patchRelease(album.id, { title: 'Night Driver' });
      await accepted(delivery.id, { stores: ['aurora'] });
      const earlier = storeDeliveryOf(await fixture.get(delivery.id), 'aurora');
      await fixture.patchRelease(album.id, { release_date: '2027-03-01' });
      const json = await accepted(delivery.id);
      assert.deepEqual(
        json.skipped.map((each: Json) => each.store_id),
        ['aurora'],
      );
      assert.match(json.skipped[0].reason, /^aurora has an update under way/);
      assert.deepEqual(storeDeliveryOf(json, 'aurora'), earlier);
      assert.deepEqual(updateOf(storeDeliveryOf(json, 'cascade')), ['rejected', 'live_date_moved']);
      const confirmed = await fixture.answer(delivery, { aurora: deliveredAnswer });
      assert.equal(storeDeliveryOf(confirmed, 'aurora').revision, revision);
    });

    test('if every store has an update under way, the refusal says why', async () => {
      const { delivery, album } = await givenReleasedAlbum('aurora');
      await fixture.patchRelease(album.id, { title: 'Night Driver' });
      await accepted(delivery.id);
      await fixture.patchRelease(album.id, { release_date: '2027-03-01' });
      const earlier = await fixture.get(delivery.id);
      const reply = await update(delivery.id, { stores: ['aurora'] });
      assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
      assert.match(reply.json.error.details[0].issue, /cannot move into the future/);
      assert.deepEqual(await fixture.get(delivery.id), earlier, 'no trace');
    });
  });

  describe('release_at', () => {
    const releaseAt = '2027-01-15T17:00:00.000Z';

    test('catalogue §1.3, contract §2: expected_by follows the moment of the release', async () => {
      const stores = ['aurora', 'emberline', 'jangala'];
      const { delivery: timed } = await fixture.givenAlbumDelivery({
        stores,
        release: { release_at: releaseAt },
      });
      const { delivery: dated } = await fixture.givenAlbumDelivery({ stores });
      const expectedBy = (delivery: Json) =>
        Object.fromEntries(delivery.stores.map((each: Json) => [each.store_id, each.expected_by]));
      assert.deepEqual(expectedBy(timed), {
        aurora: '2027-01-16T17:00:00.000Z',
        emberline: releaseAt,
        jangala: releaseAt,
      });
      assert.deepEqual(expectedBy(dated), {
        aurora: '2027-01-17T00:00:00.000Z',
        emberline: '2027-01-15T00:00:00.000Z',
        jangala: '2027-01-15T00:00:00.000Z',
      });
    });

    test('catalogue §1.3: a silent store is inferred to have it at that moment, not before', async () => {
      const { delivery, album } = await fixture.givenAlbumDelivery({
        stores: ['emberline'],
        release: { release_at: releaseAt },
      });
      const statusAt = async (iso: string) => {
        await fixture.service.clock.set(iso);
        await fixture.runUntilIdle();
        return (await fixture.get(delivery.id)).stores[0];
      };
      assert.equal((await statusAt('2027-01-15T16:59:59.999Z')).status, 'in_progress');
      const live = await statusAt(releaseAt);
      assert.deepEqual(
        [live.status, live.live_at, live.live_basis],
        ['delivered', releaseAt, 'inferred'],
      );
      const { type } = (await fixture.eventsOf(album.id)).find(
        (event) => event.type === 'delivery.completed',
      );
      assert.equal(type, 'delivery.completed');
    });

    test('catalogue §2: the lead time of a store counts where it ends later', async () => {
      const { delivery } = await fixture.givenAlbumDelivery({
        stores: ['emberline', 'indigo'],
        release: { release_date: '2026-11-18', release_at: '2026-11-17T18:00:00.000Z' },
      });
      assert.deepEqual(
        delivery.stores.map((store: Json) => store.expected_by),
        ['2026-11-23T12:00:00.000Z', '2026-11-18T18:00:00.000Z'],
        'five business days; a day after the moment',
      );
    });

    test('contract §2: an update has the lead time of the store only', async () => {
      const { delivery, album } = await fixture.givenLiveAlbum({ stores: ['cascade'] });
      await fixture.patchTrack(album.trackIds[0], { use_types: ['download'] });
      await accepted(delivery.id);
      const { stores } = await fixture.get(delivery.id);
      assert.equal(stores[0].expected_by, '2026-11-19T12:00:00.000Z', 'three business days');
    });
  });

  test('catalogue §2: pre_order_date is shown for stores that take pre-orders, and no others', async () => {
    const album = await fixture.givenAlbum({ release: { pre_order_date: '2027-01-04' } });
    const tryDelivery = async (release_id: string): Promise<readonly unknown[]> => {
      const stores = ['aurora', 'cascade', 'driftwood', 'hanami', 'indigo'];
      const body = { release_id, stores, territory_codes: ['WORLDWIDE'] };
      const { status, json, text } = await fixture.post('/dry_run', body);
      assert.equal(status, 200, text);
      return json.stores.map((store: Json) => store.pre_order_date);
    };
    assert.deepEqual(await tryDelivery(album.id), [
      '2027-01-04',
      null,
      '2027-01-04',
      '2027-01-04',
      null,
    ]);
    const without = await fixture.givenAlbum();
    assert.deepEqual(await tryDelivery(without.id), [null, null, null, null, null]);
    const { json } = await fixture.label.call('GET', '/v1/stores?limit=100');
    assert.deepEqual(
      json.data
        .filter((store: Json) => store.capabilities.pre_order)
        .map((store: Json) => store.store_id),
      ['aurora', 'driftwood', 'hanami'],
    );
  });
});

/** The delivery, as GET returns it. */
const withoutSkipped = ({ skipped: _skipped, ...delivery }: Json): Json => delivery;
