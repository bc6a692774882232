/** Stores that do not announce availability: what is inferred, and what the store says afterwards (catalogue §1.3). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { play, says } from '../../../test/machine/story.ts';

describe('catalogue §1.3: a rejection after an inferred `delivered`', () => {
  test('a correction that was inferred to be live, then rejected: a takedown asks for what was flagged before', () => {
    const { storeDelivery, acts } = play(
      'none',
      'send',
      says('action_required', 1),
      'resubmit',
      'send',
      'deadline',
      says('rejected', 2),
      'takedown',
    );
    assert.deepEqual(acts.slice(-3), [['inferred'], ['rejected'], ['takedown_requested']]);
    assert.equal(storeDelivery.status, 'takedown_requested');
  });

  test('a store that confirms an update announces the release: a later rejection does not withdraw it', () => {
    const { storeDelivery, acts } = play(
      'none',
      'send',
      'deadline',
      'update',
      'send',
      says('delivered', 2),
      says('delivered', 2),
      says('rejected', 'release'),
    );
    assert.deepEqual(acts.slice(-3), [['updated'], [], []]);
    assert.deepEqual([storeDelivery.status, storeDelivery.liveBasis], ['delivered', 'store']);
  });

  test('the correction of a release that was only inferred to be live: `live_at` and `live_basis` are null', () => {
    const { storeDelivery } = play(
      'none',
      'send',
      'deadline',
      says('action_required', 1),
      'resubmit',
      'send',
      says('rejected', 2),
    );
    const { status, liveAt, liveBasis } = storeDelivery;
    assert.deepEqual([status, liveAt, liveBasis], ['rejected', null, null]);
  });

  test('a store that announces the correction has replaced what it flagged', () => {
    const { storeDelivery } = play(
      'none',
      'send',
      says('action_required', 1),
      'resubmit',
      'send',
      'deadline',
      says('delivered', 2),
    );
    assert.equal(storeDelivery.liveBasis, 'store');
    assert.equal(storeDelivery.mayStillPublish, false);
  });
});

describe('catalogue §1.3: an inferred `live_at`', () => {
  const { expectedBy } = play('none', 'send').storeDelivery;

  test('is the deadline, although it is checked later', () => {
    const silent = play('none', 'send', 'deadline').storeDelivery;
    const received = play('ingest', 'send', says('acknowledged', 1), 'deadline').storeDelivery;
    for (const { liveAt, liveBasis, updatedAt } of [silent, received]) {
      assert.deepEqual([liveAt, liveBasis], [expectedBy, 'inferred']);
      assert.ok(liveAt !== null && updatedAt > liveAt);
    }
  });

  test('is the receipt, if the store sends it after the deadline', () => {
    const { storeDelivery, acts } = play('ingest', 'send', 'deadline', says('acknowledged', 1));
    assert.deepEqual(acts.slice(-2), [['overdue'], ['acknowledged', 'inferred']]);
    assert.deepEqual(storeDelivery.liveAt, storeDelivery.acknowledgedAt);
  });
});

describe('contract §3: a takedown that was only inferred is refused', () => {
  const asked = ['send', says('delivered', 1), 'takedown', 'send'] as const;

  test('after silence, or after a receipt: → `delivered`', () => {
    const afterSilence = play('none', ...asked, 'deadline', says('removal_refused', 2));
    const afterReceipt = play(
      'ingest',
      ...asked,
      says('acknowledged', 2),
      says('removal_refused', 2),
    );
    for (const { storeDelivery, acts } of [afterSilence, afterReceipt]) {
      assert.deepEqual(acts.at(-1), ['takedown_refused']);
      const { status, takedown, takenDownBy } = storeDelivery;
      assert.deepEqual([status, takedown, takenDownBy], ['delivered', null, null]);
    }
  });

  test('after the word of a store that announces removals, nothing changes', () => {
    const { acts } = play('live', ...asked, says('removed', 2), says('removal_refused', 2));
    assert.deepEqual(acts.at(-1), []);
  });

  test('a takedown that was not sent, because the store removed the release first, is not refused', () => {
    const unsent = ['send', says('delivered', 1), 'takedown', says('removed', 1)] as const;
    const { acts } = play('none', ...unsent, says('removal_refused', 2));
    assert.deepEqual(acts.slice(-2), [['taken_down'], []]);
  });

  test('a refusal that is repeated after the store removed the release by itself changes nothing', () => {
    const { storeDelivery, acts } = play(
      'none',
      ...asked,
      says('removal_refused', 2),
      says('removed', 'release'),
      says('removal_refused', 2),
    );
    assert.deepEqual(acts.at(-1), []);
    assert.equal(storeDelivery.takenDownBy, 'store');
  });
});
