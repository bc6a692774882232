/** The status of a delivery as a whole: spec §3.2 and the rows of contract §3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  removalRefusedAnswer,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
  statusByStore,
  type AnswerContent,
} from '../delivery-fixture.ts';

const [a, b, c] = ['aurora', 'cascade', 'indigo'] as const;

describe('the aggregate status', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const rows: readonly [answers: Record<string, AnswerContent>, status: string][] = [
    [{}, 'in_progress'],
    [{ [a]: deliveredAnswer }, 'in_progress'],
    [{ [a]: deliveredAnswer, [b]: deliveredAnswer }, 'in_progress'],
    [{ [a]: deliveredAnswer, [b]: deliveredAnswer, [c]: deliveredAnswer }, 'delivered'],
    [{ [a]: rejectedAnswer }, 'rejected'],
    [{ [a]: deliveredAnswer, [b]: rejectedAnswer }, 'rejected'],
    [{ [a]: deliveredAnswer, [b]: deliveredAnswer, [c]: rejectedAnswer }, 'rejected'],
    [{ [a]: actionRequiredAnswer }, 'action_required'],
    [{ [a]: actionRequiredAnswer, [b]: deliveredAnswer, [c]: deliveredAnswer }, 'action_required'],
    [{ [a]: actionRequiredAnswer, [b]: rejectedAnswer }, 'rejected'],
    [{ [a]: actionRequiredAnswer, [b]: rejectedAnswer, [c]: deliveredAnswer }, 'rejected'],
    [
      { [a]: actionRequiredAnswer, [b]: actionRequiredAnswer, [c]: actionRequiredAnswer },
      'action_required',
    ],
    [{ [a]: rejectedAnswer, [b]: rejectedAnswer, [c]: rejectedAnswer }, 'rejected'],
  ];
  for (const [answers, status] of rows) {
    const kinds = Object.values(answers).map(({ kind }) => kind);
    test(`contract §3: of three stores ${kinds.join(', ') || 'none has answered'} → ${status}`, async () => {
      const delivery = await fixture.givenDelivery({ stores: [a, b, c] });
      const outcome = await fixture.answer(delivery, answers);
      assert.equal(outcome.status, status);
      assert.equal(outcome.completed_at === null, status === 'in_progress');
    });
  }

  test('spec §3.2: it does not reach delivered until every store has confirmed', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b, c] });
    for (const [store, status] of [
      [b, 'in_progress'],
      [a, 'in_progress'],
      [c, 'delivered'],
    ] as const) {
      assert.equal(
        (await fixture.answer(delivery, { [store]: deliveredAnswer })).status,
        status,
        store,
      );
    }
  });

  test('contract §3: store deliveries keep changing after the aggregate is rejected', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b, c] });
    const rejected = await fixture.answer(delivery, { [a]: rejectedAnswer });
    await fixture.advanceTime(1_000);
    const outcome = await fixture.answer(delivery, {
      [b]: deliveredAnswer,
      [c]: actionRequiredAnswer,
    });
    assert.deepEqual(statusByStore(outcome), {
      [a]: 'rejected',
      [b]: 'delivered',
      [c]: 'action_required',
    });
    assert.equal(outcome.status, 'rejected');
    assert.equal(outcome.completed_at, rejected.completed_at, 'when it became rejected');
    assert.ok(outcome.updated_at > rejected.updated_at);
  });

  test('contract §3: stores that are taken down do not count; when all are → taken_down', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: deliveredAnswer, [b]: deliveredAnswer });
    const requested = await fixture.post(`/${delivery.id}/takedown`);
    assert.equal(requested.json.status, 'delivered', 'until the store has removed it');
    await fixture.runUntilIdle();
    const half = await fixture.answer(delivery, { [a]: removedAnswer });
    assert.deepEqual([half.status, statusByStore(half)[b]], ['delivered', 'takedown_requested']);
    const whole = await fixture.answer(delivery, { [b]: removedAnswer });
    assert.equal(whole.status, 'taken_down');
  });

  const others: readonly [answer: AnswerContent | undefined, status: string][] = [
    [undefined, 'in_progress'],
    [deliveredAnswer, 'delivered'],
    [actionRequiredAnswer, 'action_required'],
    [rejectedAnswer, 'rejected'],
  ];
  for (const [answer, status] of others) {
    test(`contract §3: after a takedown at one store the others decide the aggregate: ${status}`, async () => {
      const delivery = await fixture.givenDelivery({ stores: [a, b] });
      const earlier = await fixture.answer(delivery, {
        [a]: deliveredAnswer,
        ...(answer && { [b]: answer }),
      });
      assert.equal(earlier.status, status);
      const { json } = await fixture.post(`/${delivery.id}/takedown`, { stores: [a] });
      assert.equal(json.status, status, 'until the store has removed it');
      await fixture.runUntilIdle();
      const outcome = await fixture.answer(delivery, { [a]: removedAnswer });
      assert.deepEqual([outcome.status, statusByStore(outcome)[a]], [status, 'taken_down']);
    });
  }

  test('contract §3: a refused takedown leaves it delivered', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    const outcome = await fixture.answer(delivery, { [a]: removalRefusedAnswer });
    assert.deepEqual([outcome.status, statusByStore(outcome)[a]], ['delivered', 'delivered']);
  });

  test('contract §3: resubmitting one of two rejected stores leaves it rejected; resubmitting both → in_progress', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: rejectedAnswer, [b]: rejectedAnswer });
    const first = await fixture.post(`/${delivery.id}/resubmit`, { stores: [a], force: true });
    assert.equal(first.json.status, 'rejected');
    const second = await fixture.post(`/${delivery.id}/resubmit`, { stores: [b], force: true });
    assert.deepEqual([second.json.status, second.json.completed_at], ['in_progress', null]);
  });

  test('contract §3: a rejected store resubmitted while another is flagged → action_required', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: rejectedAnswer, [b]: actionRequiredAnswer });
    const { json } = await fixture.post(`/${delivery.id}/resubmit`, { stores: [a], force: true });
    assert.equal(json.status, 'action_required');
  });
});
