/** What each answer of a store changes in a delivery: spec §2.2, §3.2 and contract §2, §3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  removalRefusedAnswer,
  deliveredAnswer,
  monday,
  openDeliveryFixture,
  storeDeliveryOf,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
  statusByStore,
  type AnswerContent,
} from '../delivery-fixture.ts';

describe('answers of stores', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  test('contract §3: pending → in_progress, before any answer', async () => {
    const delivery = await fixture.givenDelivery();
    assert.equal(delivery.stores[0].status, 'in_progress');
    assert.deepEqual(
      [delivery.stores[0].live_at, delivery.completed_at, delivery.status],
      [null, null, 'in_progress'],
    );
  });

  test('catalogue §1.3: the store’s receipt sets acknowledged_at once, and nothing else', async () => {
    const delivery = await fixture.givenDelivery();
    await fixture.advanceTime(5_000);
    const now = fixture.service.clock.now().toISOString();
    const outcome = await fixture.answer(delivery, { aurora: { kind: 'acknowledged' } });
    assert.deepEqual(outcome, {
      ...delivery,
      updated_at: now,
      stores: [{ ...delivery.stores[0], acknowledged_at: now, updated_at: now }],
    });
    await fixture.advanceTime(5_000);
    assert.deepEqual(await fixture.answer(delivery, { aurora: { kind: 'acknowledged' } }), outcome);
  });

  test('contract §2, §3: delivered, with live_at, store_url and completed_at', async () => {
    const delivery = await fixture.givenDelivery();
    await fixture.advanceTime(5_000);
    const now = fixture.service.clock.now().toISOString();
    const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(outcome, {
      ...delivery,
      status: 'delivered',
      updated_at: now,
      completed_at: now,
      stores: [
        {
          ...delivery.stores[0],
          status: 'delivered',
          updated_at: now,
          live_at: now,
          live_basis: 'store',
          store_url: 'https://aurora.example/1',
          expected_by: null,
        },
      ],
    });
  });

  for (const [answer, status] of [
    [rejectedAnswer, 'rejected'],
    [actionRequiredAnswer, 'action_required'],
  ] as const) {
    test(`spec §3.2: a store’s ${answer.kind} → ${status}, with code and reason`, async () => {
      const delivery = await fixture.givenDelivery();
      const outcome = await fixture.answer(delivery, { aurora: answer });
      assert.equal(outcome.status, status);
      const { rejection_code, rejection_reason, ...store } = outcome.stores[0];
      assert.deepEqual(
        [rejection_code, rejection_reason],
        Object.values('rejection' in answer ? answer.rejection : {}),
      );
      assert.deepEqual([store.status, store.expected_by, store.live_at], [status, null, null]);
    });
  }

  test('contract §2: a flag without a code has the code unspecified', async () => {
    const delivery = await fixture.givenDelivery();
    const rejection = { code: null, reason: 'Look at the cover.' };
    const outcome = await fixture.answer(delivery, {
      aurora: { kind: 'action_required', rejection },
    });
    const { rejection_code, rejection_reason } = outcome.stores[0];
    assert.deepEqual([rejection_code, rejection_reason], ['unspecified', 'Look at the cover.']);
  });

  for (const [later, status, reason] of [
    [deliveredAnswer, 'delivered', null],
    [rejectedAnswer, 'rejected', 'The title is not the cover’s.'],
  ] as const) {
    test(`contract §3: action_required → ${status} by the store’s later answer`, async () => {
      const delivery = await fixture.givenDelivery();
      await fixture.answer(delivery, { aurora: actionRequiredAnswer });
      const outcome = await fixture.answer(delivery, { aurora: later });
      assert.deepEqual(
        [outcome.status, outcome.stores[0].status, outcome.stores[0].rejection_reason],
        [status, status, reason],
      );
    });
  }

  const otherAnswers: readonly (readonly [AnswerContent, readonly AnswerContent[]])[] = [
    [deliveredAnswer, [deliveredAnswer, rejectedAnswer, removalRefusedAnswer]],
    [
      rejectedAnswer,
      [{ kind: 'acknowledged' }, rejectedAnswer, actionRequiredAnswer, removedAnswer],
    ],
  ];
  for (const [decision, others] of otherAnswers) {
    const kinds = others.map(({ kind }) => kind).join(', ');
    test(`contract §3: after ${decision.kind}, these change nothing: ${kinds}`, async () => {
      const delivery = await fixture.givenDelivery();
      const decided = await fixture.answer(delivery, { aurora: decision });
      const history = await fixture.timelineOf(delivery.id);
      await fixture.advanceTime(60_000);
      for (const answer of others) {
        assert.deepEqual(await fixture.answer(delivery, { aurora: answer }), decided, answer.kind);
      }
      assert.deepEqual(await fixture.timelineOf(delivery.id), history);
    });
  }

  test('contract §3: the same flag twice counts once; a flag with another reason replaces it', async () => {
    const delivery = await fixture.givenDelivery();
    const first = await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.advanceTime(1_000);
    assert.deepEqual(await fixture.answer(delivery, { aurora: actionRequiredAnswer }), first);
    const rejection = { code: 'rights_conflict', reason: 'Still: confirm your rights.' };
    const second = await fixture.answer(delivery, {
      aurora: { kind: 'action_required', rejection },
    });
    assert.equal(second.stores[0].rejection_reason, rejection.reason);
  });

  test('catalogue §1.2: a flag that arrives after delivered flags the release', async () => {
    const delivery = await fixture.givenDelivery();
    const messageId = await fixture.latestMessageId(delivery.id, 'aurora');
    await fixture.applyAnswers(
      { messageId, ...deliveredAnswer },
      { messageId, ...actionRequiredAnswer },
    );
    assert.deepEqual(statusByStore(await fixture.get(delivery.id)), { aurora: 'action_required' });
  });

  test('contract §3: all answers of one batch count, in the order of arrival', async () => {
    const delivery = await fixture.givenDelivery();
    const messageId = await fixture.latestMessageId(delivery.id, 'aurora');
    await fixture.applyAnswers(
      { messageId, kind: 'acknowledged' },
      { messageId, ...actionRequiredAnswer },
      { messageId, ...rejectedAnswer },
    );
    const { data } = await fixture.timelineOf(delivery.id, 'store_id=aurora');
    assert.deepEqual(
      data.map(({ type }: { type: string }) => type),
      ['rejected', 'action_required', 'acknowledged', 'dispatched', 'created'],
    );
  });

  test('contract §3: a late answer to the message before a resubmission changes nothing', async () => {
    const delivery = await fixture.givenDelivery();
    const early = await fixture.latestMessageId(delivery.id, 'aurora');
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    await fixture.applyAnswers({ messageId: early, ...deliveredAnswer });
    await fixture.runUntilIdle();
    const now = await fixture.get(delivery.id);
    assert.equal(now.stores[0].status, 'in_progress');
    assert.notEqual(await fixture.latestMessageId(delivery.id, 'aurora'), early);
    await fixture.applyAnswers({ messageId: early, ...rejectedAnswer });
    assert.deepEqual(await fixture.get(delivery.id), now);
    assert.equal((await fixture.answer(delivery, { aurora: deliveredAnswer })).status, 'delivered');
  });

  test('an answer to an unknown message is returned as unknown, and the others of its batch are applied', async () => {
    const delivery = await fixture.givenDelivery();
    const stray = { messageId: 'msg_01h455vb4pex5vsknk084sn02q' as const, ...rejectedAnswer };
    const messageId = await fixture.latestMessageId(delivery.id, 'aurora');
    assert.deepEqual(await fixture.applyAnswers(stray, { messageId, ...deliveredAnswer }), [stray]);
    assert.equal((await fixture.get(delivery.id)).status, 'delivered');
  });

  test('an answer before the message was sent changes nothing', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    const plan = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
    await fixture.service.query(`update stores set status = 'paused' where store_id = 'aurora'`);
    const { json } = await fixture.post('', plan);
    const outcome = await fixture.answer(json, { aurora: deliveredAnswer });
    await fixture.service.query(`update stores set status = 'active' where store_id = 'aurora'`);
    const store = { ...json.stores[0], waiting_for: 'store_paused' };
    assert.deepEqual(outcome, { ...json, stores: [store] });
  });

  test('an answer with a later due_at is not applied early, although another answer wakes the delivery', async () => {
    const delivery = await fixture.givenDelivery({ simulate: '*=confirm' });
    // Versions before the sandbox clock wrote the scheduled answers of fictional stores in this way.
    await fixture.service.query(
      `update store_answers set recheck_at = $1, due_at = $1::timestamptz + interval '1 day'`,
      [fixture.service.clock.now()],
    );
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.advanceTime(1_000);
    assert.equal((await fixture.get(delivery.id)).status, 'action_required');
    await fixture.advanceTime(86_400_000);
    await fixture.answer(delivery, { aurora: { kind: 'acknowledged' } });
    assert.equal((await fixture.get(delivery.id)).status, 'delivered');
  });

  test('the code, the reason and the URL of a store are limited', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade', 'indigo'] });
    const rejection = { code: 'c\u0000'.repeat(200), reason: 'r'.repeat(9_000) };
    const outcome = await fixture.answer(delivery, {
      aurora: { kind: 'rejected', rejection },
      cascade: { kind: 'delivered', url: 'javascript:alert(1)' },
      indigo: { kind: 'delivered', url: `https://indigo.example/${'x'.repeat(5_000)}` },
    });
    assert.equal(storeDeliveryOf(outcome, 'aurora').rejection_code, 'c'.repeat(100));
    assert.equal(storeDeliveryOf(outcome, 'aurora').rejection_reason.length, 2_000);
    assert.equal(storeDeliveryOf(outcome, 'cascade').store_url, null);
    assert.equal(storeDeliveryOf(outcome, 'indigo').store_url, null);
  });

  test('spec §3.2: the simulated stores of one delivery progress independently', async () => {
    const simulate = 'aurora=reject cascade=flag indigo=flag_then_confirm kilima=silent *=confirm';
    const stores = ['aurora', 'cascade', 'hanami', 'indigo', 'kilima'];
    const delivery = await fixture.givenDelivery({ simulate, stores });
    await fixture.advanceTime(1_000);
    const afterOneSecond = { aurora: 'rejected', cascade: 'action_required', hanami: 'delivered' };
    const first = await fixture.get(delivery.id);
    assert.deepEqual(statusByStore(first), {
      ...afterOneSecond,
      indigo: 'action_required',
      kilima: 'in_progress',
    });
    assert.equal(first.status, 'rejected');
    await fixture.advanceTime(1_000);
    const afterTwoSeconds = { ...afterOneSecond, indigo: 'delivered', kilima: 'in_progress' };
    assert.deepEqual(statusByStore(await fixture.get(delivery.id)), afterTwoSeconds);
    assert.ok(fixture.service.clock.now().toISOString() > monday);
  });
});
