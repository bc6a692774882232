/** What stores say late, or about a message that was replaced: one story for each rule (catalogue §1.2, ADR 0021). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { play, says } from '../../../test/machine/story.ts';

describe('catalogue §1.2: a removal at `takedown_requested`', () => {
  const correctedAndAsked = [
    'send',
    says('action_required', 1),
    'resubmit',
    'send',
    says('delivered', 2),
    'takedown',
    'send',
  ] as const;

  test('is the takedown if it names the release, the message that brought it, or a later one', () => {
    for (const to of ['release', 2, 3] as const) {
      const { storeDelivery } = play('live', ...correctedAndAsked, says('removed', to));
      const { status, takenDownBy } = storeDelivery;
      assert.deepEqual([status, takenDownBy], ['taken_down', 'partner'], `${to}`);
    }
  });

  test('is about another message if that one was replaced before the store had the release', () => {
    const { storeDelivery } = play('live', ...correctedAndAsked, says('removed', 1));
    assert.equal(storeDelivery.status, 'takedown_requested');
  });
});

describe('catalogue §1.2: a store announces a release that is `taken_down`', () => {
  const takenDown = ['send', says('delivered', 1), 'update', 'send', 'takedown', 'send'] as const;

  test('an update that arrives after the takedown: it is unexpectedly live and taken down again', () => {
    const { storeDelivery, acts } = play(
      'live',
      ...takenDown,
      says('removed', 3),
      says('delivered', 2),
    );
    assert.deepEqual(acts.at(-1), ['unexpectedly_live', 'takedown_requested']);
    assert.equal(storeDelivery.status, 'takedown_requested');
  });

  test('the repeated first announcement changes nothing', () => {
    const { acts } = play('live', ...takenDown, says('removed', 3), says('delivered', 1));
    assert.deepEqual(acts.at(-1), []);
  });

  test('a store that removed it by itself, before an update was sent, announces it again', () => {
    const { acts, storeDelivery } = play(
      'live',
      'send',
      says('delivered', 1),
      'update',
      says('removed', 'release'),
      says('delivered', 'release'),
    );
    assert.deepEqual(acts.slice(-2), [['taken_down'], ['unexpectedly_live', 'takedown_requested']]);
    assert.equal(storeDelivery.takenDownBy, null);
  });

  test('a store that rejected it and was closed has it now: a refused takedown leaves it `delivered`', () => {
    const closed = ['send', says('rejected', 1), 'takedown'] as const;
    const { storeDelivery } = play(
      'live',
      ...closed,
      says('delivered', 1),
      'send',
      says('removal_refused', 2),
    );
    const { status, liveBasis } = storeDelivery;
    assert.deepEqual([status, liveBasis], ['delivered', 'store']);
  });

  test('the announcement that was unexpected is the first one afterwards: repeated, it changes nothing', () => {
    const silent = ['send', 'deadline', 'takedown', 'send', 'deadline'] as const;
    const { storeDelivery, acts } = play(
      'none',
      ...silent,
      says('delivered', 1),
      says('removed', 'release'),
      says('delivered', 1),
    );
    assert.deepEqual(acts.slice(-3), [
      ['unexpectedly_live', 'takedown_requested'],
      ['taken_down'],
      [],
    ]);
    assert.equal(storeDelivery.status, 'taken_down');
  });
});

describe('catalogue §1.2: a store announces a release that is `rejected`', () => {
  const rejectedDuringUpdate = [
    'send',
    'deadline',
    'update',
    'send',
    says('rejected', 'release'),
  ] as const;

  test('also if an update was sent since: it names the release, the first message or the update', () => {
    for (const to of ['release', 1, 2] as const) {
      const { storeDelivery } = play('none', ...rejectedDuringUpdate, says('delivered', to));
      const { status, liveBasis, deliveredBy } = storeDelivery;
      const expected = ['delivered', 'store', to === 2 ? 'msg_02' : 'msg_01'];
      assert.deepEqual([status, liveBasis, deliveredBy], expected, `${to}`);
    }
  });

  test('a message that a resubmission replaced announces nothing', () => {
    const { acts } = play(
      'live',
      'send',
      says('action_required', 1),
      'resubmit',
      'send',
      says('rejected', 2),
      says('delivered', 1),
    );
    assert.deepEqual(acts.at(-1), []);
  });
});

describe('contract §3: `action_required` → `delivered` | `rejected` by a later answer', () => {
  /** The takedown replaced a send with an unknown outcome, and the store refuses it. */
  const refused = [
    'claim',
    'takedown',
    'replace the send',
    'send',
    says('removal_refused', 2),
  ] as const;

  test('also after the store refused to remove a release that it never announced', () => {
    const after = (...last: Parameters<typeof says>) =>
      play('live', ...refused, says(...last)).storeDelivery;
    assert.equal(play('live', ...refused).storeDelivery.status, 'action_required');
    assert.equal(after('delivered', 1).status, 'delivered');
    assert.equal(after('delivered', 1).deliveredBy, 'msg_01');
    assert.equal(after('rejected', 2).status, 'rejected');
    assert.equal(after('removed', 2).takenDownBy, 'store');
  });

  test('also if the store names the update that it confirmed before it flagged the release', () => {
    const flagged = [
      'send',
      says('delivered', 1),
      'update',
      'send',
      says('delivered', 2),
      says('action_required', 2),
    ] as const;
    const { storeDelivery } = play('live', ...flagged, says('rejected', 2));
    const { status, update } = storeDelivery;
    assert.deepEqual([status, update], ['rejected', null]);
  });

  test('but the repeated rejection of an update does not reject a flagged release', () => {
    const flagged = [
      'send',
      says('delivered', 1),
      'update',
      'send',
      says('rejected', 2),
      says('action_required', 'release'),
    ] as const;
    const { storeDelivery } = play('live', ...flagged, says('rejected', 2));
    assert.deepEqual(
      [storeDelivery.status, storeDelivery.update?.status],
      ['action_required', 'rejected'],
    );
  });
});

test('contract §3: a takedown does not overtake an update that the store rejects during its send', () => {
  const { storeDelivery, acts } = play(
    'live',
    'send',
    says('delivered', 1),
    'update',
    'claim',
    'takedown',
    says('action_required', 'release'),
    says('rejected', 'release'),
  );
  assert.deepEqual(acts.at(-1), ['rejected', 'takedown_requested']);
  assert.equal(storeDelivery.message.isSentInOrder, true);
});

describe('ADR 0021: a message that a resubmission replaced', () => {
  const flaggedAgain = [
    'send',
    says('delivered', 1),
    says('action_required', 1),
    'resubmit',
    'send',
    says('action_required', 2, 'still no'),
  ] as const;

  test('its confirmation, repeated, does not resolve the flag of the resubmission', () => {
    const { storeDelivery } = play('live', ...flaggedAgain, says('delivered', 1));
    assert.deepEqual(
      [storeDelivery.status, storeDelivery.rejection?.reason],
      ['action_required', 'still no'],
    );
  });

  test('the resubmission is confirmed by an answer to itself, and what the store had can be removed', () => {
    const confirmed = play('live', ...flaggedAgain, says('delivered', 2)).storeDelivery;
    assert.deepEqual([confirmed.status, confirmed.deliveredBy], ['delivered', 'msg_02']);
    const removed = play('live', ...flaggedAgain, says('removed', 'release')).storeDelivery;
    assert.deepEqual([removed.status, removed.takenDownBy], ['taken_down', 'store']);
  });

  test('a store that publishes what it rejected, after its resubmission was cancelled, is asked to take it down', () => {
    const { storeDelivery, acts } = play(
      'live',
      'send',
      says('rejected', 1),
      'resubmit',
      'takedown',
      says('delivered', 1),
    );
    assert.deepEqual(acts.slice(-2), [['canceled'], ['unexpectedly_live', 'takedown_requested']]);
    assert.equal(storeDelivery.status, 'takedown_requested');
  });
});
