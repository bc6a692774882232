/** Which work follows the sandbox clock, and in which order: spec §8, contract §3, §4. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Json, monday } from '../delivery-fixture.ts';
import {
  addMs,
  dayMs,
  hourMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

describe('work that follows the sandbox clock', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    await sandbox.service.clock.set(monday);
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const takeDown = async (id: string) => {
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, {});
    await sandbox.runUntilIdle();
  };

  describe('a manual clock', () => {
    test('contract §4: no review, no dispatch and no answer happens until it is advanced', async () => {
      await partner.addScenario([{ action: 'confirm', after: '1h' }]);
      await partner.setMode('manual');
      const releaseId = await partner.submit();
      const { id } = await partner.deliver(releaseId, ['aurora']);
      const release = () => partner.ask('GET', `/v1/releases/${releaseId}`);
      const passRealTime = async () => {
        await sandbox.runUntilIdle();
        await sandbox.advanceTime(2 * dayMs);
      };
      await passRealTime();
      assert.equal((await release()).submission.review_status, 'pending');
      assert.equal((await partner.storeOf(id)).status, 'pending');
      assert.deepEqual(sandbox.sentOf(id), []);
      assert.equal((await partner.clock()).next_due_at, monday, 'the review is due and waits');

      const { now } = await partner.advance({ by: '0s' });
      assert.equal(now, monday, '0s fires due timers and does not move the clock');
      assert.equal((await release()).submission.review_status, 'approved');
      assert.equal((await partner.storeOf(id)).status, 'in_progress');
      assert.deepEqual(sandbox.sentOf(id), ['aurora deliver 3']);

      await passRealTime();
      await partner.advance({ by: '3599s' });
      await passRealTime();
      assert.equal((await partner.storeOf(id)).status, 'in_progress', 'the answer is not due');
      await partner.advance({ by: '1s' });
      const store = await partner.storeOf(id);
      assert.deepEqual([store.status, store.live_at], ['delivered', addMs(monday, hourMs)]);
      assert.equal((await release()).status, 'delivered');
    });

    test('contract §3: a takedown and a resubmission wait too', async () => {
      await partner.addScenario(
        [
          { action: 'reject', code: 'x', after: '0s' },
          { action: 'confirm', after: '0s' },
        ],
        { store_id: 'aurora' },
      );
      await partner.addScenario([{ action: 'confirm', after: '0s' }], { store_id: 'cascade' });
      const { id } = await partner.givenDelivery(['aurora', 'cascade']);
      assert.deepEqual(await partner.statusByStore(id), {
        aurora: 'rejected',
        cascade: 'delivered',
      });
      await partner.setMode('manual');
      await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, {
        stores: ['aurora'],
        force: true,
      });
      await partner.ask('POST', `/v1/deliveries/${id}/takedown`, { stores: ['cascade'] });
      await sandbox.advanceTime(dayMs);
      assert.deepEqual(await partner.statusByStore(id), {
        aurora: 'pending',
        cascade: 'takedown_requested',
      });
      assert.equal(sandbox.sentOf(id).length, 2, 'as before');
      await partner.advance({ by: '0s' });
      assert.deepEqual(await partner.statusByStore(id), {
        aurora: 'delivered',
        cascade: 'takedown_requested',
      });
      assert.equal(sandbox.sentOf(id).length, 4);
    });

    test('contract §4: a job waits too; an advance by 0s completes it and its deliveries', async () => {
      await partner.addScenario([{ action: 'confirm', after: '0s' }]);
      const release_id = await partner.submit();
      await sandbox.runUntilIdle();
      await partner.setMode('manual');
      const items = [{ release_id, stores: ['aurora'], territory_codes: ['WORLDWIDE'] }];
      const { id } = await partner.ask('POST', '/v1/delivery_jobs', { action: 'deliver', items });
      const job = () => partner.ask('GET', `/v1/delivery_jobs/${id}`);
      await sandbox.advanceTime(dayMs);
      assert.equal((await job()).status, 'running');
      await partner.advance({ by: '0s' });
      const { status, completed_at, items: done } = await job();
      assert.deepEqual([status, completed_at], ['completed', monday]);
      assert.deepEqual(await partner.statusByStore(done[0].delivery_ids[0]), {
        aurora: 'delivered',
      });
    });

    test('contract §3: an operator’s decision counts at once; the dispatch after it waits for the clock', async () => {
      const { orgId } = partner.caller;
      await sandbox.service.admin('review', 'manual', '--org', orgId, '--switch', 'on');
      await partner.setMode('manual');
      const releaseId = await partner.submit();
      const { id } = await partner.deliver(releaseId, ['aurora']);
      await partner.advance({ by: '0s' });
      const release = () => partner.ask('GET', `/v1/releases/${releaseId}`);
      const { submission } = await release();
      assert.equal(submission.review_status, 'pending', 'the review waits for an operator');
      const flags = ['--org', orgId, '--submission', submission.submission_id];
      await sandbox.service.admin('review', 'decide', ...flags, '--decision', 'approve');
      await sandbox.advanceTime(dayMs);
      assert.equal((await release()).submission.review_status, 'approved');
      assert.equal((await partner.storeOf(id)).status, 'pending');
      await partner.advance({ by: '0s' });
      assert.equal((await partner.storeOf(id)).status, 'in_progress');
    });

    test('contract §4: running again, due timers fire at once and later ones at their time', async () => {
      await partner.addScenario([{ action: 'confirm', after: '1h' }]);
      await partner.setMode('manual');
      const { id } = await partner.deliver(await partner.submit(), ['aurora']);
      await sandbox.advanceTime(10 * dayMs);
      await partner.setMode('running');
      await sandbox.runUntilIdle();
      assert.equal((await partner.storeOf(id)).status, 'in_progress', 'reviewed and sent');
      assert.equal((await partner.clock()).now, monday, 'it continues from where it was frozen');
      await sandbox.advanceTime(hourMs - 1);
      assert.equal((await partner.storeOf(id)).status, 'in_progress');
      await sandbox.advanceTime(1);
      const store = await partner.storeOf(id);
      assert.deepEqual([store.status, store.live_at], ['delivered', addMs(monday, hourMs)]);
    });

    test('contract §4: work enqueued before the clock was frozen waits too', async () => {
      const releaseId = await partner.submit();
      await partner.setMode('manual');
      const review = async () =>
        (await partner.ask('GET', `/v1/releases/${releaseId}`)).submission.review_status;
      await sandbox.advanceTime(dayMs);
      assert.equal(await review(), 'pending');
      await partner.advance({ by: '0s' });
      assert.equal(await review(), 'approved');
    });

    test('contract §4: scheduled answers wait while it is frozen, and arrive when it runs again', async () => {
      await partner.addScenario([{ action: 'confirm', after: '1h' }]);
      const { id } = await partner.givenDelivery();
      await partner.setMode('manual');
      await sandbox.advanceTime(dayMs);
      assert.equal((await partner.storeOf(id)).status, 'in_progress');
      await partner.setMode('running');
      await sandbox.advanceTime(hourMs - 1_000);
      assert.equal((await partner.storeOf(id)).status, 'in_progress');
      await sandbox.advanceTime(1_000);
      assert.equal((await partner.storeOf(id)).live_at, addMs(monday, hourMs));
    });
  });

  test('contract §4: with a running clock answers arrive by themselves, before and after an advance', async () => {
    await partner.addScenario([{ action: 'confirm', after: '2h' }]);
    const { id } = await partner.givenDelivery();
    await partner.advance({ by: '1h' });
    assert.equal((await partner.storeOf(id)).status, 'in_progress');
    await sandbox.advanceTime(hourMs);
    assert.equal((await partner.storeOf(id)).live_at, addMs(monday, 2 * hourMs));
  });

  test('spec §1, contract §4: a release is live on its date, not a millisecond before', async () => {
    const { id } = await partner.givenDelivery(['indigo', 'aurora'], {
      release_date: '2026-12-24',
    });
    await partner.advance({ to: '2026-12-23T23:59:59.999Z' });
    assert.deepEqual(await partner.statusByStore(id), {
      aurora: 'in_progress',
      indigo: 'in_progress',
    });
    await partner.advance({ by: '1s' });
    const { stores, completed_at } = await partner.delivery(id);
    for (const { live_at } of stores) assert.equal(live_at, '2026-12-24T00:00:00.000Z');
    assert.equal(completed_at, '2026-12-24T00:00:00.000Z');
  });

  test('spec §8: a takedown takes 24 to 72 hours', async () => {
    await partner.addScenario([{ action: 'confirm', after: '0s' }], { message: 'deliver' });
    const { id } = await partner.givenDelivery(['aurora', 'hanami', 'indigo']);
    await takeDown(id);
    await partner.advance({ by: '24h' });
    const requested = 'takedown_requested';
    assert.deepEqual(await partner.statusByStore(id), {
      aurora: requested,
      hanami: requested,
      indigo: requested,
    });
    await partner.advance({ by: '48h' });
    assert.equal((await partner.delivery(id)).status, 'taken_down');
    for (const storeId of ['aurora', 'hanami', 'indigo']) {
      const [type, at] = (await partner.storeTimeline(id, storeId)).at(-1) ?? assert.fail();
      const hours = (Date.parse(at) - Date.parse(monday)) / hourMs;
      assert.equal(type, 'taken_down');
      assert.ok(hours >= 24 && hours < 72, `${storeId}: ${hours} hours`);
    }
  });

  test('contract §6: delivery.store.overdue has the time expected_by, also when the clock jumps far beyond it', async () => {
    await partner.addScenario([{ action: 'lose' }]);
    const delivery = await partner.givenDelivery(['aurora', 'hanami'], {
      release_date: '2026-11-18',
    });
    await partner.advance({ by: '100d' });
    const overdue = (await partner.events()).filter(
      ({ type }) => type === 'delivery.store.overdue',
    );
    assert.deepEqual(
      overdue.map(({ created_at, data }) => [data.store.store_id, created_at]),
      delivery.stores.map(({ store_id, expected_by }: Json) => [store_id, expected_by]),
    );
  });

  test('contract §4: a store in an outage is tried again until it is over', async () => {
    await partner.addScenario([
      { action: 'outage', lasts: '3h' },
      { action: 'confirm', after: '1m' },
    ]);
    const { id } = await partner.givenDelivery();
    await partner.advance({ by: '3h' });
    assert.equal((await partner.storeOf(id)).status, 'in_progress');
    await partner.advance({ by: '2h' });
    const { status, live_at } = await partner.storeOf(id);
    assert.equal(status, 'delivered');
    assert.ok(live_at > addMs(monday, 3 * hourMs) && live_at < addMs(monday, 5 * hourMs), live_at);
  });

  test('contract §4: everything that a due timer causes is done before the next timer fires', async () => {
    await partner.addScenario([{ action: 'confirm', after: '1h' }], { message: 'deliver' });
    await partner.addScenario([{ action: 'confirm', after: '2h' }], { message: 'takedown' });
    const { id } = await partner.givenDelivery();
    await takeDown(id);
    assert.equal(
      (await partner.storeOf(id)).status,
      'in_progress',
      'the takedown is sent once the store delivers',
    );
    await partner.advance({ by: '50d' });
    const at = (hours: number) => addMs(monday, hours * hourMs);
    assert.deepEqual(await partner.storeTimeline(id, 'aurora'), [
      ['created', at(0)],
      ['dispatched', at(0)],
      ['takedown', at(0)],
      ['takedown_wanted', at(0)],
      ['delivered', at(1)],
      ['takedown_requested', at(1)],
      ['takedown_dispatched', at(1)],
      ['taken_down', at(3)],
    ]);
  });

  test('contract §4: an advance past hundreds of due timers arrives', async () => {
    await partner.addScenario([{ action: 'outage', lasts: '400d' }]);
    const { id } = await partner.givenDelivery();
    const { now } = await partner.advance({ by: '16d' });
    assert.equal(now, addMs(monday, 16 * dayMs));
    const fired = await sandbox.service.query(
      `select count(*)::int as n from timers where key like $1 and state = 'fired' and handler = 'dispatch'`,
      [`%${id}`],
    );
    assert.ok(fired[0].n > 300, `${fired[0].n} dispatches`);
  });
});
