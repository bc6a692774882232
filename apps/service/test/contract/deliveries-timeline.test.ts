/** GET /v1/deliveries/{id}/timeline: contract §1, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  type Json,
  deliveredAnswer,
  monday,
  openDeliveryFixture,
  rejectedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

describe('GET /v1/deliveries/{id}/timeline', () => {
  let fixture: DeliveryFixture;
  let delivery: Json;
  before(async () => {
    fixture = await openDeliveryFixture();
    delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.advanceTime(1_000);
    await fixture.answer(delivery, { aurora: rejectedAnswer, cascade: deliveredAnswer });
  });
  after(() => fixture.close());

  const entriesOf = async (id: string, query?: string): Promise<Json[]> =>
    (await fixture.timelineOf(id, query)).data;
  const typesOf = (entries: Json[]): string[] =>
    entries.map(({ type, store_id }) => (store_id === null ? type : `${store_id} ${type}`));

  test('contract §4: every change, per store, newest first', async () => {
    const entries = await entriesOf(delivery.id);
    assert.deepEqual(typesOf(entries), [
      'cascade delivered',
      'aurora rejected',
      ...typesOf(entries).slice(2, 4),
      'created',
    ]);
    assert.deepEqual(typesOf(entries).slice(2, 4).toSorted(), [
      'aurora dispatched',
      'cascade dispatched',
    ]);
    const [, rejected] = entries;
    assert.deepEqual(rejected, {
      type: 'rejected',
      at: '2026-11-16T12:00:01.000Z',
      store_id: 'aurora',
      revision: 3,
      previous_status: 'in_progress',
      status: 'rejected',
      message_id: await fixture.latestMessageId(delivery.id, 'aurora'),
      rejection_code: 'metadata_error',
      rejection_reason: 'The title is not the cover’s.',
    });
    const { actor, ...created } = entries.at(-1);
    assert.deepEqual(created, {
      type: 'created',
      at: monday,
      store_id: null,
      revision: 3,
      stores: ['aurora', 'cascade'],
    });
    assert.deepEqual([actor.type, actor.id.slice(0, 4)], ['api_key', 'key_']);
  });

  test('contract §4: filtered by one store, with the entries about the whole delivery', async () => {
    assert.deepEqual(typesOf(await entriesOf(delivery.id, 'store_id=aurora')), [
      'aurora rejected',
      'aurora dispatched',
      'created',
    ]);
  });

  test('contract §1: in pages, without gap or overlap, bound to delivery and filter', async () => {
    const all = await entriesOf(delivery.id);
    const collected: Json[] = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page: Json = await fixture.timelineOf(delivery.id, `limit=2${next}`);
      collected.push(...page.data);
      assert.equal(page.has_more, page.next_cursor !== null);
      cursor = page.next_cursor;
    } while (cursor !== null && collected.length < 20);
    assert.deepEqual(collected, all);
    const { next_cursor: first } = await fixture.timelineOf(delivery.id, 'limit=2');
    const other = await fixture.givenDelivery();
    for (const path of [`${delivery.id}/timeline?store_id=aurora&`, `${other.id}/timeline?`]) {
      const reply = await fixture.label.call('GET', `/v1/deliveries/${path}cursor=${first}`);
      assert.deepEqual(codeOf(reply), [400, 'invalid_cursor'], path);
    }
    for (const query of ['limit=0', 'limit=101', 'colour=red']) {
      const reply = await fixture.label.call(
        'GET',
        `/v1/deliveries/${delivery.id}/timeline?${query}`,
      );
      assert.deepEqual(codeOf(reply), [400, 'invalid_parameter']);
    }
  });

  test('contract §4: append-only: entries stay, and no database role may change them', async () => {
    const changing = await fixture.givenDelivery({ stores: ['aurora'] });
    let earlier = await entriesOf(changing.id);
    const steps = [
      () => fixture.answer(changing, { aurora: rejectedAnswer }),
      () => fixture.post(`/${changing.id}/resubmit`, { force: true }),
      () => fixture.runUntilIdle(),
      () => fixture.answer(changing, { aurora: deliveredAnswer }),
      () => fixture.post(`/${changing.id}/takedown`),
      () => fixture.runUntilIdle(),
      () => fixture.answer(changing, { aurora: { kind: 'removed' } }),
    ];
    for (const step of steps) {
      await step();
      const now = await entriesOf(changing.id);
      assert.ok(now.length > earlier.length);
      assert.deepEqual(now.slice(-earlier.length), earlier);
      earlier = now;
    }
    assert.deepEqual(typesOf(earlier), [
      'aurora taken_down',
      'aurora takedown_dispatched',
      'aurora takedown_requested',
      'takedown',
      'aurora delivered',
      'aurora dispatched',
      'aurora resubmitted',
      'resubmission',
      'aurora rejected',
      'aurora dispatched',
      'created',
    ]);
    for (const role of ['app', 'worker', 'operator']) {
      const [row] = await fixture.service.query(
        `select has_table_privilege($1, 'delivery_timeline', 'update, delete, truncate') as may`,
        [`tonearm_${role}`],
      );
      assert.equal(row.may, false, role);
    }
  });

  test('contract §4: a resubmission lists every field that differs from the message before', async () => {
    const changing = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(changing, { aurora: rejectedAnswer, cascade: rejectedAnswer });
    const artwork_asset_id = await fixture.service.givenAsset(fixture.label, 'artwork');
    await fixture.patchRelease(changing.release_id, {
      title: 'Night Driver',
      artwork_asset_id,
      metadata: { own: 'pair' },
    });
    const { data: tracks } = (
      await fixture.label.call('GET', `/v1/tracks?release_id=${changing.release_id}`)
    ).json;
    await fixture.label.call('PATCH', `/v1/tracks/${tracks[0].id}`, { version: 'Live' });
    await fixture.post(`/${changing.id}/resubmit`);
    const entry = (await entriesOf(changing.id)).find(({ type }) => type === 'resubmission');
    assert.deepEqual(
      [entry.revision, entry.changed_since, entry.stores],
      [5, 3, ['aurora', 'cascade']],
    );
    const changes = new Map<string, Json>(entry.changes.map((each: Json) => [each.pointer, each]));
    assert.deepEqual([...changes.keys()].toSorted(), ['/artwork', '/title', '/tracks/0/version']);
    assert.deepEqual(changes.get('/title'), {
      pointer: '/title',
      before: 'Night Drive',
      after: 'Night Driver',
    });
    assert.equal(changes.get('/artwork').after.asset_id, artwork_asset_id);
    assert.deepEqual(
      [changes.get('/tracks/0/version').before, changes.get('/tracks/0/version').after],
      [null, 'Live'],
    );
  });

  test('contract §4: an update lists the differences for each revision that stores have', async () => {
    const changing = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(changing, { aurora: deliveredAnswer, cascade: deliveredAnswer });
    await fixture.patchRelease(changing.release_id, { title: 'Two' });
    await fixture.post(`/${changing.id}/update`, { stores: ['aurora'] });
    await fixture.runUntilIdle();
    await fixture.answer(changing, { aurora: deliveredAnswer });
    await fixture.patchRelease(changing.release_id, { title: 'Three' });
    await fixture.post(`/${changing.id}/update`);
    const updates = (await entriesOf(changing.id))
      .filter(({ type }) => type === 'update')
      .slice(0, 2);
    const entries = updates.map(({ stores, changed_since, changes }) => [
      stores,
      changed_since,
      changes.map((change: Json) => [change.before, change.after]),
    ]);
    assert.deepEqual(
      entries.toSorted((x, y) => Number(x[1]) - Number(y[1])),
      [
        [['cascade'], 3, [['Night Drive', 'Three']]],
        [['aurora'], 4, [['Two', 'Three']]],
      ],
    );
  });

  test('a forced resubmission of the same revision lists no changes', async () => {
    const changing = await fixture.givenDelivery();
    await fixture.answer(changing, { aurora: rejectedAnswer });
    await fixture.post(`/${changing.id}/resubmit`, { force: true });
    const entry = (await entriesOf(changing.id)).find(({ type }) => type === 'resubmission');
    assert.deepEqual(entry.changes, []);
  });
});
