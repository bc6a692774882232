/** Scenario steps with `then`: stores flag or remove what they have, months later: catalogue §1.2, contract §3, §4. */

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

const flag = { action: 'flag', after: '90d', code: 'rights', reason: 'Another party claims it.' };
const remove = { action: 'remove', after: '2d' };

describe('what a store does later', () => {
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
  const given = async (then: readonly object[], storeId = 'aurora', fields: object = {}) => {
    await partner.addScenario([{ action: 'confirm', after: '1h', then, ...fields }]);
    return partner.givenDelivery([storeId], { release_date: '2026-11-18' });
  };
  const storeOf = ({ id, stores: [{ store_id }] }: Json) => partner.storeOf(id, store_id);
  const timelineOf = async ({ id, stores: [{ store_id }] }: Json) =>
    (await partner.storeTimeline(id, store_id)).slice(2);
  const request = async ({ id }: Json, action: string, body: object = {}): Promise<void> => {
    await partner.ask('POST', `/v1/deliveries/${id}/${action}`, body);
    await sandbox.runUntilIdle();
  };
  const update = async (delivery: Json): Promise<void> => {
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    await request(delivery, 'update');
  };
  const eventsAbout = async ({ release_id }: Json): Promise<Json[]> =>
    (await partner.events(release_id))
      .filter(({ type }) => type.startsWith('delivery.'))
      .map(({ type, data }) => [type, data.status, data.store?.status ?? null])
      .slice(3);

  test('catalogue §1.2: flag: delivered → action_required, live since the same time, with its events', async () => {
    const delivery = await given([flag]);
    await partner.advance({ to: addMs(at(hourMs), 90 * dayMs - 1) });
    assert.equal((await storeOf(delivery)).status, 'delivered');
    await partner.advance({ by: '1s' });
    const { status, rejection_code, rejection_reason, live_at, live_basis } =
      await storeOf(delivery);
    assert.deepEqual(
      [status, rejection_code, rejection_reason, live_at, live_basis],
      ['action_required', flag.code, flag.reason, at(hourMs), 'store'],
    );
    assert.deepEqual(await timelineOf(delivery), [
      ['delivered', at(hourMs)],
      ['action_required', at(hourMs + 90 * dayMs)],
    ]);
    assert.deepEqual(await eventsAbout(delivery), [
      ['delivery.store.updated', 'action_required', 'action_required'],
      ['delivery.completed', 'action_required', null],
    ]);
  });

  test('catalogue §1.2: remove: delivered → taken_down by the store, with its events', async () => {
    const delivery = await given([remove]);
    await partner.advance({ by: '10d' });
    const { status, taken_down_by, rejection_code } = await storeOf(delivery);
    assert.deepEqual([status, taken_down_by, rejection_code], ['taken_down', 'store', null]);
    assert.deepEqual(await timelineOf(delivery), [
      ['delivered', at(hourMs)],
      ['taken_down', at(hourMs + 2 * dayMs)],
    ]);
    assert.deepEqual(await eventsAbout(delivery), [
      ['delivery.store.updated', 'taken_down', 'taken_down'],
      ['delivery.taken_down', 'taken_down', null],
    ]);
  });

  test('contract §4: several, each counted from the one before', async () => {
    const second = { action: 'flag', after: '1d', reason: 'Still.' };
    const delivery = await given([{ ...flag, after: '1d' }, second, remove]);
    await partner.advance({ by: '30d' });
    assert.deepEqual(await timelineOf(delivery), [
      ['delivered', at(hourMs)],
      ['action_required', at(hourMs + dayMs)],
      ['action_required', at(hourMs + 2 * dayMs)],
      ['taken_down', at(hourMs + 4 * dayMs)],
    ]);
  });

  for (const [storeId, inferredAt] of [
    ['jangala', at(7 * dayMs)],
    ['emberline', at(7 * dayMs)],
  ] as const) {
    test(`catalogue §1.3: ${storeId}: counted from when the release counts as live`, async () => {
      const delivery = await given([{ ...flag, after: '1s' }, remove], storeId);
      await partner.advance({ by: '30d' });
      const entries = (await timelineOf(delivery)).filter(([type]) => type !== 'acknowledged');
      assert.deepEqual(entries, [
        ['inferred', inferredAt],
        ['action_required', addMs(inferredAt, 1_000)],
        ['taken_down', addMs(inferredAt, 1_000 + 2 * dayMs)],
      ]);
      const { live_at, live_basis, taken_down_by } = await storeOf(delivery);
      assert.deepEqual([live_at, live_basis, taken_down_by], [inferredAt, 'inferred', 'store']);
    });
  }

  test('contract §4: after the last of duplicate answers, which would resolve the flag', async () => {
    const delivery = await given([{ ...flag, after: '1m' }], 'aurora', {
      action: 'duplicate',
      times: 5,
    });
    await partner.advance({ by: '30d' });
    assert.equal((await storeOf(delivery)).status, 'action_required');
  });

  test('catalogue §1.2: an update under way continues: confirmed → delivered at the new revision', async () => {
    const delivery = await given([{ ...flag, after: '10d' }]);
    await partner.addScenario([{ action: 'confirm', after: '2d' }], { message: 'update' });
    await partner.advance({ to: at(hourMs + 9 * dayMs) });
    await update(delivery);
    await partner.advance({ by: '25h' });
    const flagged = await storeOf(delivery);
    assert.deepEqual(
      [flagged.status, flagged.rejection_code, flagged.update.status],
      ['action_required', flag.code, 'pending'],
    );
    await partner.advance({ by: '2d' });
    const { status, revision, rejection_code, update: open, live_at } = await storeOf(delivery);
    assert.deepEqual(
      [status, revision, rejection_code, open, live_at],
      ['delivered', flagged.pending_revision, null, null, at(hourMs)],
    );
  });

  test('catalogue §1.2: an update under way continues: refused → still flagged, nothing pending', async () => {
    const delivery = await given([{ ...flag, after: '10d' }]);
    await partner.addScenario([{ action: 'reject', code: 'no', after: '2d' }], {
      message: 'update',
    });
    await partner.advance({ to: at(hourMs + 9 * dayMs) });
    await update(delivery);
    await partner.advance({ by: '10d' });
    const { status, rejection_code, pending_revision, update: refused } = await storeOf(delivery);
    assert.deepEqual(
      [status, rejection_code, pending_revision, refused.status, refused.rejection_code],
      ['action_required', flag.code, null, 'rejected', 'no'],
    );
  });

  test('contract §4: after an update: counted from its confirmation', async () => {
    await partner.addScenario([{ action: 'confirm', after: '2h', then: [flag] }], {
      message: 'update',
    });
    const delivery = await partner.givenDelivery(['aurora'], { release_date: '2026-11-18' });
    await partner.advance({ by: '3d' });
    await update(delivery);
    await partner.advance({ by: '100d' });
    const [updated, flagged] = (await timelineOf(delivery)).slice(-2);
    assert.deepEqual(
      [updated, flagged],
      [
        ['updated', at(3 * dayMs + 2 * hourMs)],
        ['action_required', at(93 * dayMs + 2 * hourMs)],
      ],
    );
  });

  test('contract §4: a takedown ignores it', async () => {
    const then = [{ ...flag, after: '1d' }];
    await partner.addScenario([{ action: 'confirm', after: '1h', then }], { repeats: true });
    const delivery = await partner.givenDelivery(['aurora']);
    await partner.advance({ by: '2h' });
    await request(delivery, 'takedown');
    await partner.advance({ by: '30d' });
    assert.deepEqual((await timelineOf(delivery)).slice(-1), [['taken_down', at(3 * hourMs)]]);
    assert.equal((await storeOf(delivery)).taken_down_by, 'partner');
  });

  test('catalogue §1.2: at takedown_requested a flag moves nothing, and a removal is the takedown', async () => {
    const delivery = await given([
      { ...flag, after: '2h' },
      { ...remove, after: '1h' },
    ]);
    await partner.advance({ by: '2h' });
    await partner.addScenario([{ action: 'lose' }], { message: 'takedown' });
    await request(delivery, 'takedown');
    await partner.advance({ by: '90m' });
    assert.equal((await storeOf(delivery)).status, 'takedown_requested');
    await partner.advance({ by: '1h' });
    const { status, taken_down_by } = await storeOf(delivery);
    assert.deepEqual([status, taken_down_by], ['taken_down', 'partner']);
  });

  test('catalogue §1.2: not for a release that was sent again since', async () => {
    const delivery = await given([
      { ...flag, after: '1d' },
      { ...remove, after: '5d' },
    ]);
    await partner.addScenario([{ action: 'confirm', after: '1h' }], { message: 'deliver' });
    await partner.advance({ by: '2d' });
    assert.equal((await storeOf(delivery)).status, 'action_required');
    await request(delivery, 'resubmit', { force: true });
    await partner.advance({ by: '30d' });
    assert.equal((await storeOf(delivery)).status, 'delivered');
  });

  test('contract §4: also after the scenario is deleted', async () => {
    const delivery = await given([flag]);
    await partner.call('DELETE', '/scenarios');
    await partner.advance({ by: '100d' });
    assert.equal((await storeOf(delivery)).status, 'action_required');
  });

  test('contract §4: an answer for the store replaces it; a receipt does not', async () => {
    const replaced = await given([{ ...flag, after: '5d' }]);
    await partner.answer(replaced.id, 'aurora', { answer: 'delivered' });
    const kept = await given([{ ...flag, after: '5d' }]);
    await partner.answer(kept.id, 'aurora', { answer: 'acknowledged' });
    await partner.advance({ by: '10d' });
    assert.equal((await storeOf(replaced)).status, 'delivered');
    assert.equal((await storeOf(kept)).status, 'action_required');
  });

  test('contract §4: a step that chance leaves out does nothing later', async () => {
    const ids: string[] = [];
    await partner.addScenario([{ action: 'confirm', after: '1h', then: [remove], chance: 0.5 }], {
      seed: 3,
    });
    for (let i = 0; i < 6; i++) {
      const { id } = await partner.givenDelivery(['aurora'], {
        release_date: '2026-11-18',
        reference: `chance ${i}`,
      });
      ids.push(id);
    }
    await partner.advance({ by: '30d' });
    const outcomes = new Set<string>();
    for (const id of ids) outcomes.add((await partner.storeOf(id)).status);
    assert.deepEqual([...outcomes].toSorted(), ['delivered', 'taken_down']);
  });
});
