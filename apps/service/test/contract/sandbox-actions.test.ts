/** What every action of a scenario does to a delivery's status, timeline and events: contract §3, §4, §6. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Json, monday } from '../delivery-fixture.ts';
import {
  addMs,
  dayMs,
  hourMs,
  minuteMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

const soon = '1h';

describe('the actions of scripted stores', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const at = (ms: number) => addMs(monday, ms);
  /** A delivery to aurora with these scenario steps; its release date is the next day. */
  const givenScriptedDelivery = async (...steps: readonly object[]): Promise<Json> => {
    await partner.addScenario(steps);
    return partner.givenDelivery(['aurora'], { release_date: '2026-11-17' });
  };
  /** The events about a delivery, oldest first, as `[type, delivery status, store status]`. */
  const eventsAbout = async ({ release_id }: Json): Promise<Json[]> =>
    (await partner.events(release_id))
      .filter(({ type }) => type.startsWith('delivery.'))
      .map(({ type, data }) => [type, data.status, data.store?.status ?? null]);
  const dispatched = ['delivery.store.updated', 'in_progress', 'in_progress'];
  /** The timeline of the store without `created` and `dispatched`. */
  const timelineAbout = async ({ id }: Json) =>
    (await partner.storeTimeline(id, 'aurora')).slice(2);
  const completed = (status: string) => ['delivery.completed', status, null];
  const updated = (status: string) => ['delivery.store.updated', status, status];

  test('confirm: delivered after the given time, with a store URL', async () => {
    const delivery = await givenScriptedDelivery({ action: 'confirm', after: soon });
    await partner.advance({ by: '59m' });
    assert.deepEqual(await partner.delivery(delivery.id), delivery);
    await partner.advance({ by: '1m' });
    const { status, live_at, store_url, expected_by } = await partner.storeOf(delivery.id);
    assert.deepEqual([status, live_at, expected_by], ['delivered', at(hourMs), null]);
    assert.match(store_url, /^https:\/\/aurora\.example\/releases\/\d{12}$/);
    assert.deepEqual(await timelineAbout(delivery), [['delivered', at(hourMs)]]);
    assert.deepEqual(await eventsAbout(delivery), [
      dispatched,
      updated('delivered'),
      completed('delivered'),
    ]);
  });

  test('reject: rejected, with its code and reason', async () => {
    const delivery = await givenScriptedDelivery({
      action: 'reject',
      code: 'metadata_error',
      reason: 'No.',
      after: soon,
    });
    await partner.advance({ by: soon });
    const { status, rejection_code, rejection_reason } = await partner.storeOf(delivery.id);
    assert.deepEqual(
      [status, rejection_code, rejection_reason],
      ['rejected', 'metadata_error', 'No.'],
    );
    assert.deepEqual(await timelineAbout(delivery), [['rejected', at(hourMs)]]);
    assert.deepEqual(await eventsAbout(delivery), [
      dispatched,
      updated('rejected'),
      completed('rejected'),
    ]);
    const release = await partner.ask('GET', `/v1/releases/${delivery.release_id}`);
    assert.equal(release.status, 'rejected', 'contract §3: every store of every delivery');
  });

  test('reject without a reason: a default reason is shown', async () => {
    const delivery = await givenScriptedDelivery({ action: 'reject', code: 'x', after: '0s' });
    assert.notEqual((await partner.storeOf(delivery.id)).rejection_reason, '');
    assert.equal((await partner.storeOf(delivery.id)).rejection_code, 'x');
  });

  test('reject without after: at the end of the usual review, not on the release date', async () => {
    await partner.addScenario([{ action: 'reject', code: 'x' }]);
    const { id } = await partner.givenDelivery(['aurora'], { release_date: '2027-01-15' });
    await partner.advance({ by: '2h' });
    assert.equal((await partner.storeOf(id)).status, 'in_progress');
    await partner.advance({ by: '4h' });
    assert.equal((await partner.storeOf(id)).status, 'rejected');
  });

  test('flag: action_required until the partner acts', async () => {
    const delivery = await givenScriptedDelivery({
      action: 'flag',
      code: 'rights',
      reason: 'Confirm.',
      after: soon,
    });
    await partner.advance({ by: '100d' });
    const { status, rejection_code, rejection_reason } = await partner.storeOf(delivery.id);
    assert.deepEqual(
      [status, rejection_code, rejection_reason],
      ['action_required', 'rights', 'Confirm.'],
    );
    assert.deepEqual(await timelineAbout(delivery), [['action_required', at(hourMs)]]);
    const events = [dispatched, updated('action_required'), completed('action_required')];
    assert.deepEqual(await eventsAbout(delivery), events);
  });

  test('contract §2: a flag without a code has the code unspecified', async () => {
    const delivery = await givenScriptedDelivery({ action: 'flag', after: '0s' });
    const { status, rejection_code, rejection_reason } = await partner.storeOf(delivery.id);
    assert.deepEqual([status, rejection_code], ['action_required', 'unspecified']);
    assert.notEqual(rejection_reason, null);
  });

  for (const [resolves, outcome] of [
    ['confirm', 'delivered'],
    ['reject', 'rejected'],
  ] as const) {
    test(`flag that resolves to ${resolves}: action_required → ${outcome} by the store’s later answer`, async () => {
      const flag = { action: 'flag', code: 'c', reason: 'r', after: soon };
      const delivery = await givenScriptedDelivery({ ...flag, resolves, resolves_after: '2h' });
      await partner.advance({ by: '2h' });
      assert.equal((await partner.delivery(delivery.id)).status, 'action_required');
      await partner.advance({ by: '1h' });
      const store = await partner.storeOf(delivery.id);
      assert.deepEqual(
        [store.status, store.rejection_code],
        [outcome, outcome === 'rejected' ? 'c' : null],
      );
      assert.deepEqual(await timelineAbout(delivery), [
        ['action_required', at(hourMs)],
        [outcome, at(3 * hourMs)],
      ]);
      assert.deepEqual(await eventsAbout(delivery), [
        dispatched,
        updated('action_required'),
        completed('action_required'),
        updated(outcome),
        completed(outcome),
      ]);
    });
  }

  test('flag: does not apply to a takedown, which succeeds as usual', async () => {
    const delivery = await givenScriptedDelivery({ action: 'confirm', after: '0s' });
    await partner.addScenario([{ action: 'flag' }], { message: 'takedown' });
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/takedown`, {});
    await partner.advance({ by: '72h' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'taken_down');
  });

  test('delay: later than usual by the given time', async () => {
    const delivery = await givenScriptedDelivery({ action: 'delay', after: '10d' });
    await partner.advance({ by: '10d' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress');
    await partner.advance({ by: '12h' });
    const { status, live_at } = await partner.storeOf(delivery.id);
    assert.equal(status, 'delivered');
    // The release date begins after twelve hours; the review takes two to six.
    assert.equal(live_at, at(12 * hourMs + 10 * dayMs));
  });

  test('lose: no answer ever, and overdue once', async () => {
    const delivery = await givenScriptedDelivery({ action: 'lose' });
    const { expected_by } = delivery.stores[0];
    await partner.advance({ by: '200d' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress');
    assert.deepEqual(await timelineAbout(delivery), [['overdue', expected_by]]);
    assert.deepEqual(await eventsAbout(delivery), [
      dispatched,
      ['delivery.store.overdue', 'in_progress', 'in_progress'],
    ]);
    assert.equal((await partner.clock()).next_due_at, null);
  });

  test('late: overdue at expected_by, delivered after it', async () => {
    const delivery = await givenScriptedDelivery({ action: 'late', after: '2d' });
    const { expected_by } = delivery.stores[0];
    await partner.advance({ by: '60d' });
    assert.deepEqual(await timelineAbout(delivery), [
      ['overdue', expected_by],
      ['delivered', addMs(expected_by, 2 * dayMs)],
    ]);
    assert.deepEqual(await eventsAbout(delivery), [
      dispatched,
      ['delivery.store.overdue', 'in_progress', 'in_progress'],
      updated('delivered'),
      completed('delivered'),
    ]);
  });

  test('spec §8: late with a takedown: overdue after 72 hours, taken down after that', async () => {
    const delivery = await givenScriptedDelivery(
      { action: 'confirm', after: '0s' },
      { action: 'late' },
    );
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/takedown`, {});
    await partner.advance({ by: '10d' });
    assert.deepEqual((await partner.storeTimeline(delivery.id, 'aurora')).slice(-2), [
      ['overdue', at(72 * hourMs)],
      ['taken_down', at(73 * hourMs)],
    ]);
  });

  test('duplicate: repeated answers are one change and one of each event', async () => {
    const delivery = await givenScriptedDelivery({ action: 'duplicate', after: soon, times: 10 });
    await partner.advance({ by: '30d' });
    assert.equal((await partner.storeOf(delivery.id)).live_at, at(hourMs));
    assert.deepEqual(await timelineAbout(delivery), [['delivered', at(hourMs)]]);
    assert.deepEqual(await eventsAbout(delivery), [
      dispatched,
      updated('delivered'),
      completed('delivered'),
    ]);
    const pendingAnswers = await sandbox.service.query('select id from store_answers');
    assert.deepEqual(pendingAnswers, [], 'all of them were applied');
  });

  test('outage: the message is retried until it is over; then the next step applies', async () => {
    const delivery = await givenScriptedDelivery(
      { action: 'outage', lasts: '5h' },
      { action: 'reject', code: 'after', after: '1m' },
    );
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress');
    await partner.advance({ by: '5h' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress');
    await partner.advance({ by: '2h' });
    const { status, rejection_code } = await partner.storeOf(delivery.id);
    assert.deepEqual([status, rejection_code], ['rejected', 'after']);
    const [[, when] = assert.fail(), ...others] = await timelineAbout(delivery);
    assert.ok(when >= at(5 * hourMs + minuteMs) && when < at(7 * hourMs), when);
    assert.deepEqual(others, []);
    assert.ok(sandbox.sentOf(delivery.id).length > 5, 'it was retried');
  });

  test('two outages and no further step: delivered as usual', async () => {
    const delivery = await givenScriptedDelivery(
      { action: 'outage', lasts: '1h' },
      { action: 'outage', lasts: '2h' },
    );
    await partner.advance({ by: '3h' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'in_progress');
    await partner.advance({ by: '2d' });
    assert.equal((await partner.storeOf(delivery.id)).status, 'delivered');
  });

  test('outage and a takedown meanwhile: nothing was sent, and it is taken down', async () => {
    const delivery = await givenScriptedDelivery(
      { action: 'outage', lasts: '10d' },
      { action: 'confirm', after: '0s' },
    );
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/takedown`, {});
    await partner.advance({ by: '30d' });
    assert.equal((await partner.delivery(delivery.id)).status, 'taken_down');
  });
});
