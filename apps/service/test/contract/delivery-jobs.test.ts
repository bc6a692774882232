/** Delivery jobs for many releases, and the dry run of a delivery (contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { openDeliveryFixture, type DeliveryFixture } from '../delivery-fixture.ts';
import { draft } from '../test-service.ts';

describe('delivery jobs', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const post = (body: unknown, headers?: Record<string, string>) =>
    fixture.label.call('POST', '/v1/delivery_jobs', body, headers);
  const destination = { stores: ['aurora', 'indigo'], territory_codes: ['US'] };

  test('contract §4: 202, then progress and a result for each item', async () => {
    const [first, second] = [
      await fixture.givenApprovedRelease(),
      await fixture.givenApprovedRelease(),
    ];
    const items = [
      { release_id: first, ...destination },
      { release_id: second, ...destination },
    ];
    const created = await post({ action: 'deliver', items });
    assert.equal(created.status, 202, created.text);
    assert.equal(created.headers.get('location'), `/v1/delivery_jobs/${created.json.id}`);
    assert.match(created.json.id, /^job_/);
    assert.deepEqual(
      [created.json.status, created.json.total, created.json.succeeded, created.json.failed],
      ['running', 2, 0, 0],
    );
    await fixture.runUntilIdle();
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${created.json.id}`);
    assert.deepEqual([json.status, json.succeeded, json.failed], ['completed', 2, 0]);
    assert.ok(json.completed_at !== null);
    for (const [i, item] of json.items.entries()) {
      assert.equal(item.release_id, items[i]?.release_id);
      const delivery = await fixture.get(item.delivery_ids[0]);
      assert.equal(delivery.release_id, item.release_id);
    }
  });

  test('an item that is refused does not stop the others, and says why', async () => {
    const good = await fixture.givenApprovedRelease();
    const { json: unsubmitted } = await fixture.label.call('POST', '/v1/releases', draft());
    const releases = [unsubmitted.id, good, good];
    const created = await post({
      action: 'deliver',
      ...destination,
      items: releases.map((release_id) => ({ release_id })),
    });
    await fixture.runUntilIdle();
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${created.json.id}`);
    assert.deepEqual([json.status, json.succeeded, json.failed], ['completed', 1, 2]);
    const codes = json.items.map(({ error }: { error: { code: string } | null }) => error?.code);
    assert.deepEqual(codes, ['invalid_state', undefined, 'duplicate_submission']);
  });

  test('contract §7: an item that is refused leaves no rows, not even the snapshot taken for it', async () => {
    const release = await fixture.givenApprovedRelease();
    const patch = { territories: ['DE'] };
    const { json: changed } = await fixture.label.call('PATCH', `/v1/releases/${release}`, patch);
    const listSnapshots = () =>
      fixture.service.query(
        'select revision from release_snapshots where release_id = $1 order by revision',
        [toUuid(release as `rel_${string}`)],
      );
    const earlier = await listSnapshots();
    assert.ok(earlier.every(({ revision }) => revision < changed.revision));
    const items = [{ release_id: release, ...destination }];
    const created = await post({ action: 'deliver', items });
    await fixture.runUntilIdle();
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${created.json.id}`);
    assert.deepEqual([json.status, json.failed], ['completed', 1]);
    assert.equal(json.items[0].error.code, 'territory_not_supported');
    assert.deepEqual(await listSnapshots(), earlier);
  });

  test('releases are taken down in all of their deliveries, or at the named stores', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora', 'indigo'], simulate: '' });
    const second = await fixture.givenDelivery({ stores: ['aurora', 'indigo'], simulate: '' });
    await fixture.advanceTime(5_000);
    const created = await post({
      action: 'takedown',
      items: [
        { release_id: first.release_id, reason: 'Contract ended' },
        { release_id: second.release_id, stores: ['indigo'] },
      ],
    });
    await fixture.runUntilIdle();
    await fixture.advanceTime(5_000);
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${created.json.id}`);
    assert.deepEqual(json.items[0].delivery_ids, [first.id]);
    assert.equal((await fixture.get(first.id)).status, 'taken_down');
    const statuses = (await fixture.get(second.id)).stores.map(
      ({ status }: { status: string }) => status,
    );
    assert.deepEqual(statuses, ['delivered', 'taken_down']);
    const repeated = await post({ action: 'takedown', items: [{ release_id: first.release_id }] });
    await fixture.runUntilIdle();
    const { json: repeatedJob } = await fixture.label.call(
      'GET',
      `/v1/delivery_jobs/${repeated.json.id}`,
    );
    assert.equal(repeatedJob.items[0].error.code, 'invalid_state');
  });

  test('contract §4: at most 1,000 releases, at least one', async () => {
    const { json: unsubmitted } = await fixture.label.call('POST', '/v1/releases', draft());
    const item = { release_id: unsubmitted.id };
    const many = (count: number) => ({
      action: 'deliver',
      ...destination,
      items: Array.from({ length: count }, () => item),
    });
    assert.equal((await post(many(1_001))).status, 422);
    assert.equal((await post(many(0))).status, 422);
    const most = await post(many(1_000));
    assert.equal(most.status, 202, most.text.slice(0, 300));
    await fixture.runUntilIdle();
    const { json } = await fixture.label.call('GET', `/v1/delivery_jobs/${most.json.id}`);
    assert.deepEqual([json.status, json.failed], ['completed', 1_000]);
  });

  test('contract §8: the same idempotency key returns the same job', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const body = { action: 'deliver', ...destination, items: [{ release_id }] };
    const key = { 'idempotency-key': '6f1d9f0a-6c5e-4b0e-8a52-111111111111' };
    const [first, replay] = [await post(body, key), await post(body, key)];
    assert.equal(first.json.id, replay.json.id);
    assert.equal(replay.headers.get('idempotency-replayed'), 'true');
  });

  describe('POST /v1/deliveries/dry_run', () => {
    const dryRun = (body: object) => fixture.label.call('POST', '/v1/deliveries/dry_run', body);

    test('contract §4: territories, findings and files of each store, and no trace', async () => {
      const release_id = await fixture.givenApprovedRelease({ territories: ['DE', 'US', 'JP'] });
      const earlier = await countRows();
      const { status, json, text } = await dryRun({
        release_id,
        stores: ['cascade', 'indigo'],
        territory_codes: ['WORLDWIDE'],
      });
      assert.equal(status, 200, text);
      assert.deepEqual(
        json.stores.map((store: Record<string, unknown>) => [
          store['store_id'],
          store['territory_codes'],
          store['would_be_sent'],
        ]),
        [
          ['cascade', ['DE'], true],
          ['indigo', ['WORLDWIDE'], true],
        ],
      );
      assert.equal(json.files.length, 2);
      for (const { sha256 } of json.files) assert.match(sha256, /^[0-9a-f]{64}$/);
      assert.deepEqual(await countRows(), earlier, 'no state changes');
    });

    test('predicts which stores would reject, as the delivery then does', async () => {
      const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
      await fixture.label.call('PATCH', `/v1/releases/${release_id}`, {
        title: 'Night Drive feat. Nobody',
      });
      const plan = { release_id, stores: ['aurora', 'indigo'], territory_codes: ['US'] };
      const { json } = await dryRun(plan);
      const { json: delivery } = await fixture.post('', plan);
      await fixture.runUntilIdle();
      const { stores } = await fixture.get(delivery.id);
      for (const [i, { would_be_sent }] of json.stores.entries()) {
        assert.equal(stores[i].status, would_be_sent ? 'in_progress' : 'rejected');
      }
      assert.ok(json.findings.length > 0);
    });

    test('is refused as the delivery would be', async () => {
      const delivery = await fixture.givenDelivery({ stores: ['indigo'] });
      const { release_id } = delivery;
      const duplicate = await dryRun({ release_id, stores: ['indigo'], territory_codes: ['US'] });
      assert.equal(duplicate.json.error.code, 'duplicate_submission');
      const withoutTerritory = await dryRun({
        release_id,
        stores: ['hanami'],
        territory_codes: ['US'],
      });
      assert.equal(withoutTerritory.json.error.code, 'territory_not_supported');
      const unknown = await dryRun({
        release_id: 'rel_01h455vb4pex5vsknk084sn02q',
        stores: ['nobody'],
        territory_codes: ['US'],
      });
      assert.equal(unknown.json.error.code, 'invalid_field');
    });

    /** How many rows each table has. */
    const countRows = async () => {
      const tables: { name: string }[] = await fixture.service.query(
        `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
      );
      const counts = tables.map(
        ({ name }) => `select '${name}' as name, count(*)::int as rows from ${name}`,
      );
      return fixture.service.query(`${counts.join(' union all ')} order by name`);
    };
  });
});
