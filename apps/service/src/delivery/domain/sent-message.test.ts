import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Batch, BatchState } from './batch.ts';
import type { OutgoingMessage } from './message.ts';
import { purgeDeliveryType } from './purge.ts';
import { type SentMessage, statusOf, typeOf } from './sent-message.ts';

const id = 'msg_01m7j3myg0e0xay4322qftvbt8';
const newer = 'msg_01m7j3myg0e1eawnr7t0yjebcv';
const at = new Date('2026-11-16T12:00:00.000Z');
const message: SentMessage = {
  id,
  kind: 'deliver',
  isRepeated: false,
  revision: 3,
  dispatchedAt: at,
  answers: [],
  isInferred: false,
  batch: undefined,
};
const current = (state: OutgoingMessage['state'], currentId: typeof id | typeof newer = id) =>
  ({ id: currentId, kind: 'deliver', state, isSentInOrder: false }) as const;
const withBatch = (state: BatchState): SentMessage => ({
  ...message,
  batch: { state } as Batch, // the status needs no more of it
});

describe('the type of a message', () => {
  test('is that of its kind; a release that is sent again is a redelivery', () => {
    assert.equal(typeOf(message), 'new_release');
    assert.equal(typeOf({ ...message, isRepeated: true }), 'redelivery');
    assert.equal(typeOf({ ...message, kind: 'update', isRepeated: true }), 'update');
    assert.equal(typeOf({ ...message, kind: 'takedown' }), 'takedown');
    const purge = { state: 'complete', deliveryType: purgeDeliveryType } as Batch; // the type needs no more of it
    assert.equal(typeOf({ ...message, kind: 'takedown', batch: purge }), 'purge');
  });
});

describe('the status of a message', () => {
  test('with a batch is that of the batch', () => {
    const statuses = {
      complete: 'sent',
      acknowledged: 'answered',
      timed_out: 'unanswered',
      abandoned: 'replaced',
      refused: 'invalid',
    } as const;
    for (const [state, status] of Object.entries(statuses)) {
      assert.equal(statusOf(withBatch(state as BatchState), current('sent', newer)), status);
    }
  });

  test('with an open batch is sending, until a newer message replaces it', () => {
    assert.equal(statusOf(withBatch('open'), current('sending')), 'sending');
    assert.equal(statusOf(withBatch('open'), current('dropped')), 'canceled');
    assert.equal(statusOf(withBatch('open'), current('queued', newer)), 'replaced');
  });

  test('without a batch follows the store delivery, and its answers', () => {
    assert.equal(statusOf(message, current('dispatched')), 'waiting');
    assert.equal(statusOf(message, current('sent')), 'sent');
    assert.equal(statusOf(message, current('dropped')), 'canceled');
    assert.equal(statusOf(message, current('sent', newer)), 'replaced');
    const answer = { answer: 'delivered', at, code: null, reason: null } as const;
    assert.equal(statusOf({ ...message, answers: [answer] }, current('sent', newer)), 'answered');
  });

  test('a store that does not confirm was sent the message before, too', () => {
    assert.equal(statusOf({ ...message, isInferred: true }, current('sent', newer)), 'sent');
  });
});
