/** Fictional stores that announce availability, send receipts, or say nothing: catalogue §1.3, contract §4. */

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

const [release_date, out] = ['2026-12-24', '2026-12-24T00:00:00.000Z'];
/** Five business days after the send, which is on a Monday. */
const leadTimeEnd = addMs(monday, 7 * dayMs);

describe('the confirmations of fictional stores', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const given = (storeId: string, release: object = { release_date }) =>
    partner.givenDelivery([storeId], release);
  /** Without `created` and `dispatched`. */
  const timelineOf = async ({ id, stores: [{ store_id }] }: Json) =>
    (await partner.storeTimeline(id, store_id)).slice(2);
  const storeOf = ({ id, stores: [{ store_id }] }: Json) => partner.storeOf(id, store_id);
  const request = async ({ id }: Json, action: string): Promise<void> => {
    await partner.ask('POST', `/v1/deliveries/${id}/${action}`, {});
    await sandbox.runUntilIdle();
  };
  const update = async (delivery: Json): Promise<void> => {
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    await request(delivery, 'update');
  };
  /** The delivery of a release that is live at the store. */
  const givenLive = async (storeId: string): Promise<Json> => {
    const delivery = await given(storeId);
    await partner.advance({ to: addMs(out, hourMs) });
    assert.equal((await storeOf(delivery)).status, 'delivered');
    return delivery;
  };

  describe('live', () => {
    test('catalogue §2: announces a release at its release_at, not at midnight of its date', async () => {
      const timed = '2026-12-24T18:30:00.000Z';
      const delivery = await given('cascade', { release_date, release_at: timed });
      await partner.advance({ to: '2026-12-24T18:29:59Z' });
      assert.equal((await storeOf(delivery)).status, 'in_progress');
      await partner.advance({ by: '1s' });
      const { live_at, live_basis, acknowledged_at } = await storeOf(delivery);
      assert.deepEqual([live_at, live_basis, acknowledged_at], [timed, 'store', null]);
    });

    test('catalogue §2: also if the release date has begun in the east only', async () => {
      const release_at = '2026-12-23T11:00:00.000Z';
      const delivery = await given('cascade', { release_date, release_at });
      await partner.advance({ to: out });
      assert.equal((await storeOf(delivery)).live_at, release_at);
    });
  });

  describe('ingest', () => {
    test('catalogue §1.3: a receipt after the review, inferred to be live when the release is out', async () => {
      const delivery = await given('jangala');
      assert.equal(delivery.stores[0].expected_by, out);
      await partner.advance({ by: '20h' });
      const received = await storeOf(delivery);
      assert.deepEqual(
        [received.status, received.live_at, received.live_basis, received.expected_by],
        ['in_progress', null, null, out],
      );
      const { acknowledged_at } = received;
      assert.ok(acknowledged_at >= addMs(monday, 8 * hourMs), acknowledged_at);
      await partner.advance({ to: addMs(out, -1) });
      assert.equal((await storeOf(delivery)).status, 'in_progress');
      await partner.advance({ by: '1s' });
      const live = await storeOf(delivery);
      assert.deepEqual(
        [live.status, live.live_at, live.live_basis, live.acknowledged_at, live.expected_by],
        ['delivered', out, 'inferred', acknowledged_at, null],
      );
      assert.deepEqual(await timelineOf(delivery), [
        ['acknowledged', acknowledged_at],
        ['inferred', out],
      ]);
    });

    test('catalogue §1.3: inferred at the end of the lead time if the release is out before', async () => {
      const delivery = await given('jangala', { release_date: '2026-11-18' });
      await partner.advance({ by: '30d' });
      const { live_at, live_basis } = await storeOf(delivery);
      assert.deepEqual([live_at, live_basis], [leadTimeEnd, 'inferred']);
    });

    test('catalogue §1.3: inferred at release_at', async () => {
      const release_at = '2026-12-24T18:30:00.000Z';
      const delivery = await given('jangala', { release_date, release_at });
      await partner.advance({ by: '60d' });
      assert.equal((await storeOf(delivery)).live_at, release_at);
    });

    test('catalogue §1.3: without the receipt it is overdue, and never live', async () => {
      await partner.addScenario([{ action: 'lose' }]);
      const delivery = await given('jangala');
      await partner.advance({ by: '90d' });
      assert.equal((await storeOf(delivery)).status, 'in_progress');
      assert.deepEqual(await timelineOf(delivery), [['overdue', out]]);
    });

    test('catalogue §1.3: a late receipt: overdue first, live with the receipt', async () => {
      await partner.addScenario([{ action: 'late', after: '5h' }]);
      const delivery = await given('jangala');
      await partner.advance({ by: '90d' });
      const late = addMs(out, 5 * hourMs);
      const [overdue, acknowledged, inferred] = await timelineOf(delivery);
      assert.deepEqual(
        [overdue, acknowledged],
        [
          ['overdue', out],
          ['acknowledged', late],
        ],
      );
      assert.equal(inferred?.[0], 'inferred');
      assert.equal((await storeOf(delivery)).live_basis, 'inferred');
    });

    for (const [step, receivedMs] of [
      [{ action: 'confirm', after: '3h' }, 3 * hourMs],
      [{ action: 'duplicate', after: '3h', times: 4 }, 3 * hourMs],
    ] as const) {
      test(`contract §4: ${step.action} is a receipt: one timeline entry, at its time`, async () => {
        await partner.addScenario([step]);
        const delivery = await given('jangala');
        await partner.advance({ by: '60d' });
        assert.deepEqual(await timelineOf(delivery), [
          ['acknowledged', addMs(monday, receivedMs)],
          ['inferred', out],
        ]);
      });
    }

    test('contract §4: delay: the receipt comes later than usual', async () => {
      const plain = await given('jangala', { release_date, reference: 'plain' });
      await partner.addScenario([{ action: 'delay', after: '2d' }]);
      const delayed = await given('jangala', { release_date, reference: 'delayed' });
      await partner.advance({ by: '3d' });
      const hours = async (delivery: Json) =>
        (Date.parse((await storeOf(delivery)).acknowledged_at) - Date.parse(monday)) / hourMs;
      assert.ok((await hours(plain)) < 20);
      assert.ok((await hours(delayed)) >= 56 && (await hours(delayed)) < 68);
    });

    test('catalogue §1.3: the receipt of an update confirms it', async () => {
      const delivery = await givenLive('jangala');
      await update(delivery);
      const asked = await storeOf(delivery);
      assert.deepEqual([asked.update.status, asked.acknowledged_at], ['pending', null]);
      await partner.advance({ by: '20h' });
      const updated = await storeOf(delivery);
      assert.deepEqual(
        [updated.status, updated.revision, updated.update, updated.live_at],
        ['delivered', asked.pending_revision, null, out],
      );
      const [, acknowledged, inferred] = (await timelineOf(delivery)).slice(-3);
      assert.deepEqual([acknowledged?.[0], inferred?.[0]], ['acknowledged', 'inferred']);
    });

    test('catalogue §1.3: the receipt of a takedown confirms it, within 30 to 50 hours', async () => {
      const delivery = await givenLive('jangala');
      await request(delivery, 'takedown');
      await partner.advance({ by: '30h' });
      assert.equal((await storeOf(delivery)).status, 'takedown_requested');
      await partner.advance({ by: '20h' });
      const { status, taken_down_by } = await storeOf(delivery);
      assert.deepEqual([status, taken_down_by], ['taken_down', 'partner']);
    });

    test('contract §4: rejects and flags as every store', async () => {
      await partner.addScenario([
        { action: 'reject', code: 'no', after: '1h' },
        { action: 'flag' },
      ]);
      const delivery = await given('jangala');
      await partner.advance({ by: '1h' });
      assert.equal((await storeOf(delivery)).rejection_code, 'no');
      await partner.ask('POST', `/v1/deliveries/${delivery.id}/resubmit`, { force: true });
      await partner.advance({ by: '40d' });
      const { status, live_at } = await storeOf(delivery);
      assert.deepEqual([status, live_at], ['action_required', null]);
    });
  });

  describe('none', () => {
    const silent = [
      undefined,
      { action: 'confirm', after: '1h' },
      { action: 'delay', after: '1h' },
      { action: 'late', after: '1h' },
      { action: 'duplicate', after: '1h' },
      { action: 'lose' },
    ];
    for (const step of silent) {
      const name = step === undefined ? 'by itself' : `scripted to ${step.action}`;
      test(`catalogue §1.3, contract §4: ${name}: silence, live when the release is out, never overdue`, async () => {
        if (step !== undefined) await partner.addScenario([step]);
        const delivery = await given('emberline');
        await partner.advance({ to: addMs(out, -1) });
        assert.equal((await storeOf(delivery)).status, 'in_progress');
        await partner.advance({ by: '60d' });
        const { status, live_at, live_basis, acknowledged_at, store_url } = await storeOf(delivery);
        assert.deepEqual(
          [status, live_at, live_basis, acknowledged_at, store_url],
          ['delivered', out, 'inferred', null, null],
        );
        assert.deepEqual(await timelineOf(delivery), [['inferred', out]]);
        const types = (await partner.events(delivery.release_id)).map(({ type }) => type);
        assert.ok(!types.includes('delivery.store.overdue'));
      });
    }

    test('catalogue §1.3: an update counts as done at expected_by, a takedown after 72 hours', async () => {
      const delivery = await givenLive('emberline');
      await update(delivery);
      const { pending_revision, expected_by } = await storeOf(delivery);
      await partner.advance({ to: addMs(expected_by, -1) });
      assert.equal((await storeOf(delivery)).update.status, 'pending');
      const { now } = await partner.advance({ by: '1m' });
      const updated = await storeOf(delivery);
      assert.deepEqual([updated.revision, updated.update], [pending_revision, null]);
      await request(delivery, 'takedown');
      await partner.advance({ by: '71h' });
      assert.equal((await storeOf(delivery)).status, 'takedown_requested');
      await partner.advance({ by: '1h' });
      const { status, taken_down_by } = await storeOf(delivery);
      assert.deepEqual([status, taken_down_by], ['taken_down', 'partner']);
      const entries = (await timelineOf(delivery)).filter(([type]) => type === 'inferred');
      assert.deepEqual(entries, [
        ['inferred', out],
        ['inferred', expected_by],
        ['inferred', addMs(now, 72 * hourMs)],
      ]);
    });

    test('catalogue §1.3: a rejection after the inferred delivery: rejected, no longer live', async () => {
      await partner.addScenario([{ action: 'reject', code: 'rights', after: '60d' }]);
      const delivery = await givenLive('emberline');
      await partner.advance({ by: '60d' });
      const { status, rejection_code, live_at, live_basis } = await storeOf(delivery);
      assert.deepEqual(
        [status, rejection_code, live_at, live_basis],
        ['rejected', 'rights', null, null],
      );
    });

    test('contract §4: a takedown is refused before or after it counts as done', async () => {
      for (const after of ['10h', '100h']) {
        await partner.addScenario([{ action: 'reject', code: 'promo', after }], {
          message: 'takedown',
        });
        const delivery = await givenLive('emberline');
        await request(delivery, 'takedown');
        await partner.advance({ by: '100h' });
        const { status, rejection_code, taken_down_by } = await storeOf(delivery);
        assert.deepEqual([status, rejection_code, taken_down_by], ['delivered', 'promo', null]);
        partner = await sandbox.newPartner();
      }
    });

    test('catalogue §1.3: silence does not resolve a flag, also one that the store would resolve', async () => {
      await partner.addScenario([{ action: 'flag', after: '1h', resolves: 'confirm' }]);
      const delivery = await given('emberline');
      await partner.advance({ by: '90d' });
      assert.equal((await storeOf(delivery)).status, 'action_required');
    });
  });
});
