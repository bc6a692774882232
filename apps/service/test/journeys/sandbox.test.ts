/**
 * The sandbox as a partner uses it: only over HTTP, with a real engine, a relay and a worker. Weeks pass in seconds,
 * and every outcome is scripted.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { openFullStack } from '../full-stack.ts';
import { dayMs, hourMs } from '../sandbox-fixture.ts';
import { type Partner, partnerOf } from '../sandbox-partner.ts';
import { fridayAhead, type Reply } from '../test-service.ts';

type Json = Reply['json'];

describe('the sandbox', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  before(async () => {
    stack = await openFullStack(26_680);
    await stack.service.admin('stores', 'seed');
  });
  after(() => stack.close());

  const newPartner = async () => partnerOf(stack.service, await stack.service.givenOrganization());

  test('spec §8: a release is live on its date, and taken down within 72 hours', async () => {
    const partner = await newPartner();
    const date = fridayAhead();
    const liveAt = Date.parse(date);
    const release = await partner.submit({ release_date: date });
    const { id } = await partner.deliver(release, ['aurora', 'cascade', 'hanami']);
    await partner.advance({ to: new Date(liveAt - 60_000).toISOString() });
    assert.equal((await partner.delivery(id)).status, 'in_progress', 'no store is early');
    await partner.advance({ by: '2m' });
    const live = await partner.delivery(id);
    assert.equal(live.status, 'delivered');
    assert.deepEqual(
      live.stores.map(({ live_at }: Json) => live_at),
      Array.from({ length: 3 }, () => new Date(liveAt).toISOString()),
    );
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, {});
    await partner.advance({ by: '23h' });
    assert.deepEqual(await partner.statusByStore(id), {
      aurora: 'takedown_requested',
      cascade: 'takedown_requested',
      hanami: 'takedown_requested',
    });
    await partner.advance({ by: '49h' });
    assert.equal((await partner.delivery(id)).status, 'taken_down');
  });

  /** The statuses of one store from its events, each with the hours since the first. */
  const storeHistory = async (partner: Partner, id: string, storeId: string): Promise<string[]> => {
    const events = await partner.events();
    const own = events.filter(
      ({ data }) => data.delivery_id === id && data.store?.store_id === storeId,
    );
    const startedAt = Date.parse(own[0]?.created_at);
    return own.map(({ type, created_at, data }) => {
      const status = type === 'delivery.store.overdue' ? 'overdue' : data.store.status;
      return `${status} ${(Date.parse(created_at) - startedAt) / 3_600_000}h`;
    });
  };

  /** A delivery to indigo of a release whose date is past, so that no store waits for it; the clock is manual. */
  const givenDelivery = async (steps: readonly object[], fields: object = {}) => {
    const partner = await newPartner();
    await partner.setMode('manual');
    await partner.addScenario(steps, fields);
    const date = fridayAhead();
    const release = await partner.submit({ release_date: date, reference: 'night-drive' });
    const mondayAfter = new Date(Date.parse(date) + 17 * dayMs + 9 * hourMs);
    await partner.advance({ to: mondayAfter.toISOString() });
    const { id } = await partner.deliver(release, ['indigo']);
    await partner.advance({ by: '0s' });
    return { partner, release, id };
  };

  const steps: readonly (readonly [string, object, readonly string[]])[] = [
    ['confirm', { action: 'confirm', after: '3h' }, ['in_progress 0h', 'delivered 3h']],
    [
      'reject with a code',
      { action: 'reject', code: 'bad_audio', after: '2h' },
      ['in_progress 0h', 'rejected 2h'],
    ],
    ['flag', { action: 'flag', after: '2h' }, ['in_progress 0h', 'action_required 2h']],
    [
      'flag that resolves',
      { action: 'flag', after: '2h', resolves: 'confirm', resolves_after: '30h' },
      ['in_progress 0h', 'action_required 2h', 'delivered 32h'],
    ],
    ['a lost answer', { action: 'lose' }, ['in_progress 0h', 'overdue 24h']],
    [
      'a duplicate answer',
      { action: 'duplicate', after: '1h', times: 3 },
      ['in_progress 0h', 'delivered 1h'],
    ],
    [
      'a late answer',
      { action: 'late', after: '5h' },
      ['in_progress 0h', 'overdue 24h', 'delivered 29h'],
    ],
    [
      'a flag and a removal after the release is live',
      {
        action: 'confirm',
        after: '1h',
        then: [
          { action: 'flag', after: '24h', code: 'rights_conflict' },
          { action: 'remove', after: '48h' },
        ],
      },
      ['in_progress 0h', 'delivered 1h', 'action_required 25h', 'taken_down 73h'],
    ],
  ];
  for (const [name, step, history] of steps) {
    test(`a scenario's step: ${name}`, async () => {
      const { partner, id } = await givenDelivery([step]);
      await partner.advance({ by: '10d' });
      assert.deepEqual(await storeHistory(partner, id, 'indigo'), history);
    });
  }

  test("a scenario's step: a delay of the usual answer", async () => {
    const times = await Promise.all(
      [{ action: 'confirm' }, { action: 'delay', after: '30h' }].map(async (step) => {
        const { partner, id } = await givenDelivery([step]);
        await partner.advance({ by: '10d' });
        const [, ...afterDispatch] = await storeHistory(partner, id, 'indigo');
        return afterDispatch;
      }),
    );
    const hoursOf = (entry: string | undefined) => Number(/[\d.]+/.exec(entry ?? '')?.[0]);
    const [usual = [], delayed = []] = times;
    assert.equal(usual.length, 1);
    assert.ok(hoursOf(usual[0]) >= 0.1 && hoursOf(usual[0]) < 0.5, 'within half an hour');
    assert.deepEqual([delayed.length, delayed[0]], [2, 'overdue 24h']);
    assert.equal(hoursOf(delayed[1]).toFixed(6), (hoursOf(usual[0]) + 30).toFixed(6));
  });

  test("a scenario's step: an outage that ends, and the step after it", async () => {
    const { partner, id } = await givenDelivery([
      { action: 'outage', lasts: '6h' },
      { action: 'confirm', after: '1h' },
    ]);
    await partner.advance({ by: '5h' });
    assert.deepEqual(await partner.statusByStore(id), { indigo: 'in_progress' });
    await partner.advance({ by: '3h' });
    const [dispatched, done = ''] = await storeHistory(partner, id, 'indigo');
    assert.equal(dispatched, 'in_progress 0h');
    const hours = Number(/^delivered ([\d.]+)h$/.exec(done)?.[1]);
    // The message is retried after ½, 1, 2 … 64 minutes, and when the clock begins to move.
    assert.ok(hours > 7 && hours < 8.1, done);
  });

  test('after a rejection is corrected, the next message meets the next step', async () => {
    const { partner, release, id } = await givenDelivery([
      { action: 'reject', code: 'metadata_error', after: '1h' },
      { action: 'confirm', after: '1h' },
    ]);
    await partner.advance({ by: '1h' });
    assert.deepEqual(await partner.statusByStore(id), { indigo: 'rejected' });
    await partner.ask('PATCH', `/v1/releases/${release}`, { title: 'Night Drive Home' });
    await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, {});
    await partner.advance({ by: '1h' });
    assert.deepEqual(await partner.statusByStore(id), { indigo: 'delivered' });
  });

  test('a running clock continues from where it was moved to', async () => {
    const partner = await newPartner();
    await partner.addScenario([{ action: 'confirm', after: '1d' }]);
    const release = await partner.submit();
    const { id } = await partner.deliver(release, ['aurora']);
    const earlier = await partner.clock();
    const { now, mode } = await partner.advance({ by: '23h' });
    assert.equal(mode, 'running');
    assert.ok(Date.parse(now) - Date.parse(earlier.now) >= 23 * 3_600_000);
    assert.deepEqual(await partner.statusByStore(id), { aurora: 'in_progress' });
    // A few seconds before the answer is due: it arrives without a further advance.
    const { next_due_at } = await partner.clock();
    await partner.advance({ to: new Date(Date.parse(next_due_at) - 3_000).toISOString() });
    assert.deepEqual(await partner.statusByStore(id), { aurora: 'in_progress' });
    await until(
      'the answer arrives with real time',
      async () => (await partner.statusByStore(id))['aurora'] === 'delivered',
    );
  });

  test('under a manual clock nothing happens until it is advanced', async () => {
    const partner = await newPartner();
    await partner.setMode('manual');
    const release = await partner.submit();
    const { id } = await partner.deliver(release, ['aurora']);
    const { next_due_at, now } = await partner.clock();
    assert.equal(next_due_at, now, 'the review is due');
    await partner.advance({ by: '0s' });
    assert.deepEqual(await partner.statusByStore(id), { aurora: 'in_progress' });
    assert.equal((await partner.clock()).now, now, 'it did not move');
  });
});
