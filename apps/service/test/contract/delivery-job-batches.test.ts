/**
 * Several items of a job in one transaction (contract §4: each item succeeds or fails independently of the
 * others).
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runNextBatch } from '../../src/delivery/commands/run-job.ts';
import type { JobId } from '../../src/delivery/domain/job.ts';
import { type Id, type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { openDeliveryFixture, type DeliveryFixture } from '../delivery-fixture.ts';
import { draft } from '../test-service.ts';

describe('items of a delivery job in batches', () => {
  let fixture: DeliveryFixture;
  /** A release that cannot be delivered yet: its items fail. */
  let unsubmitted: string;
  before(async () => {
    fixture = await openDeliveryFixture();
    unsubmitted = (await fixture.label.call('POST', '/v1/releases', draft())).json.id;
  });
  after(() => fixture.close());

  const destination = { stores: ['aurora'], territory_codes: ['US'] };
  const post = async (releases: readonly string[]): Promise<JobId> => {
    const items = releases.map((release_id) => ({ release_id }));
    const body = { action: 'deliver', ...destination, items };
    const { status, json, text } = await fixture.label.call('POST', '/v1/delivery_jobs', body);
    assert.equal(status, 202, text);
    return json.id;
  };
  const get = async (id: JobId) =>
    (await fixture.label.call('GET', `/v1/delivery_jobs/${id}`)).json;
  /** Runs one batch as the worker does; returns whether the job has more. */
  const step = (id: JobId): Promise<boolean> =>
    fixture.service.workerDb.transact(
      { orgId: fixture.label.orgId as OrgId, actor: { type: 'workflow', id: 'test' } },
      (tx) => runNextBatch(tx, id),
    );
  const rowsOf = async (id: JobId): Promise<number> => {
    const [row] = await fixture.service.query(
      'select count(*)::int as count from delivery_job_items where job_id = $1',
      [toUuid(id)],
    );
    return row.count;
  };

  test('1,000 items that fail are 20 rows and 20 transactions; each item says what is wrong with it', async () => {
    const id = await post(Array.from({ length: 1_000 }, () => unsubmitted));
    assert.equal(await rowsOf(id), 20);
    let steps = 1;
    while (await step(id)) steps++;
    // The manual clock does not advance, so no batch ends early.
    assert.equal(steps, 20);
    const { status, failed, items } = await get(id);
    assert.deepEqual([status, failed, items.length], ['completed', 1_000, 1_000]);
    for (const { error } of items) assert.equal(error.code, 'invalid_state');
  });

  test('items that an older version stored one to a row are run and shown too', async () => {
    const release = await fixture.givenApprovedRelease();
    const id = await post([unsubmitted, release]);
    await fixture.service.query(
      'update delivery_job_items set request = request -> 0 where job_id = $1',
      [toUuid(id)],
    );
    await fixture.service.query(
      `insert into delivery_job_items (org_id, job_id, position, request, status)
       select org_id, job_id, 1, jsonb_build_object('release_id', $2::text), 'pending'
         from delivery_job_items where job_id = $1`,
      [toUuid(id), release],
    );
    await fixture.runUntilIdle();
    const { status, items } = await get(id);
    assert.equal(status, 'completed');
    assert.deepEqual(
      items.map((item: { status: string }) => item.status),
      ['failed', 'succeeded'],
    );
  });

  test('a batch locks releases in the order of their ids, and shows items in the order of the request', async () => {
    const releases = [await fixture.givenApprovedRelease(), await fixture.givenApprovedRelease()];
    const id = await post([...releases.toSorted().toReversed(), unsubmitted]);
    await fixture.runUntilIdle();
    const { items } = await get(id);
    assert.deepEqual(
      items.map(({ release_id }: { release_id: string }) => release_id),
      [...releases.toSorted().toReversed(), unsubmitted],
      'in the order of the request',
    );
    // Delivery ids grow with time: the delivery of the smaller release id was created first.
    assert.ok(items[0].delivery_ids[0] > items[1].delivery_ids[0]);
  });

  test('of two items for one release the first in the job delivers it', async () => {
    const release = await fixture.givenApprovedRelease();
    const id = await post([release, release]);
    await fixture.runUntilIdle();
    const { items } = await get(id);
    assert.deepEqual(
      items.map(({ error }: { error: { code: string } | null }) => error?.code),
      [undefined, 'duplicate_submission'],
    );
  });

  test('an error that is not a refusal ends the batch: items before it are kept, and it is tried again', async () => {
    const releases = [
      await fixture.givenApprovedRelease(),
      await fixture.givenApprovedRelease(),
    ].toSorted();
    const id = await post(releases);
    const poisoned = toUuid(releases[1] as Id<'rel'>);
    await fixture.service.query(`
      create function poison() returns trigger language plpgsql as
        $$ begin raise exception 'poison' using errcode = 'XX000'; end $$`);
    await fixture.service.query(`
      create trigger poison before insert on deliveries for each row
        when (new.release_id = '${poisoned}') execute function poison()`);
    assert.equal(await step(id), true);
    const { status, succeeded, items } = await get(id);
    assert.deepEqual([status, succeeded], ['running', 1]);
    assert.deepEqual(
      items.map((item: { status: string }) => item.status),
      ['succeeded', 'pending'],
    );
    await assert.rejects(step(id), /poison/, 'alone it fails the step, which the engine retries');
    await fixture.service.query('drop trigger poison on deliveries');
    assert.equal(await step(id), false);
    assert.deepEqual([(await get(id)).status, (await get(id)).succeeded], ['completed', 2]);
    await fixture.runUntilIdle();
  });
});
