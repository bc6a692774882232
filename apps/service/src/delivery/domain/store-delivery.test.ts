/** What partners see of a store delivery after each kind of request (contract §2, §3), told as short stories. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anyDeal, day, play, says } from '../../../test/machine/story.ts';
import { refuseUpdateRequest, requestUpdate, resubmit, wait } from './send-again.ts';
import { newStoreDelivery, pendingRevisionOf, targetDeal } from './store-delivery.ts';
import { requestTakedown } from './takedown.ts';

const live = ['send', says('delivered', 1)] as const;
const otherDeal = { ...anyDeal, territoryCodes: ['SE'] };
const content = {
  revision: 2,
  deal: otherDeal,
  requestedTerritoryCodes: ['SE'],
  messageId: 'msg_09',
} as const;
const rejection = { code: 'c', reason: 'no' };

describe('contract §3: an update keeps `delivered`', () => {
  const { storeDelivery: before } = play('live', ...live);
  const updating = play('live', ...live, 'update', 'send').storeDelivery;

  test('and sets `pending_revision` until the store confirms', () => {
    assert.deepEqual(
      [updating.status, updating.revision, pendingRevisionOf(updating)],
      ['delivered', 1, 2],
    );
    const { storeDelivery } = play('live', ...live, 'update', 'send', says('delivered', 2));
    const { status, revision, update } = storeDelivery;
    assert.deepEqual([status, revision, update], ['delivered', 2, null]);
    assert.equal(pendingRevisionOf(storeDelivery), null);
    assert.equal(storeDelivery.liveAt?.getTime(), before.liveAt?.getTime());
  });

  test('contract §2: a store that refuses it keeps what it has, and the reason shows in `update` alone', () => {
    for (const kind of ['rejected', 'action_required'] as const) {
      const { storeDelivery } = play('live', ...live, 'update', 'send', says(kind, 2));
      const { status, revision, update } = storeDelivery;
      assert.deepEqual([status, revision, storeDelivery.rejection], ['delivered', 1, null]);
      assert.equal(update?.status, kind === 'rejected' ? 'rejected' : 'flagged');
      assert.deepEqual(update.rejection, rejection);
      assert.equal(pendingRevisionOf(storeDelivery), kind === 'rejected' ? null : 2);
    }
  });

  test('the deal that a store has or is being sent is that of an open update, not of a rejected one', () => {
    const { storeDelivery } = requestUpdate(before, day(9), content) ?? {};
    assert.ok(storeDelivery?.update);
    assert.deepEqual(targetDeal(storeDelivery), otherDeal);
    const rejected = { ...storeDelivery.update, status: 'rejected' } as const;
    assert.deepEqual(targetDeal({ ...storeDelivery, update: rejected }), anyDeal);
    assert.deepEqual(targetDeal(before), anyDeal);
  });

  test('catalogue §2: the deal and the requested codes are those of the update, once it is confirmed', () => {
    const requested = requestUpdate(before, day(9), content)?.storeDelivery;
    assert.deepEqual(requested?.requestedTerritoryCodes, ['SE'], 'later sends use them');
    assert.deepEqual([requested.deal, requested.update?.deal], [anyDeal, otherDeal]);
  });

  test('catalogue §2: the same revision with another deal is an update; with the same deal it is not', () => {
    const same = { ...content, revision: 1 };
    assert.equal(requestUpdate(before, day(9), same)?.type, 'update_requested');
    assert.equal(requestUpdate(before, day(9), { ...same, deal: anyDeal }), undefined);
  });

  test('catalogue §1.5: one that is refused before it is sent shows as rejected, and no message is made', () => {
    const { type, storeDelivery } = refuseUpdateRequest(before, day(9), content, rejection);
    assert.equal(type, 'update_refused');
    assert.equal(storeDelivery.message, before.message);
    assert.deepEqual(storeDelivery.update, {
      revision: 2,
      deal: otherDeal,
      status: 'rejected',
      rejection,
    });
  });

  test('catalogue §1.2: under way at a flagged store, it continues: confirmed → `delivered`, refused → still flagged', () => {
    const flagged = [...live, 'update', 'send', says('action_required', 1)] as const;
    const { storeDelivery: waiting } = play('live', ...flagged);
    assert.deepEqual([waiting.status, pendingRevisionOf(waiting)], ['action_required', 2]);
    assert.ok(waiting.expectedBy, 'its deadline stays');
    const confirmed = play('live', ...flagged, says('delivered', 2)).storeDelivery;
    assert.deepEqual([confirmed.status, confirmed.revision], ['delivered', 2]);
    const refused = play('live', ...flagged, says('rejected', 2)).storeDelivery;
    assert.deepEqual([refused.status, pendingRevisionOf(refused)], ['action_required', null]);
  });

  test('ADR 0021: at a silent store it is done at its deadline, and silence does not resolve a flag', () => {
    const silent = play('none', ...live, 'update', 'send', 'deadline').storeDelivery;
    assert.deepEqual([silent.status, silent.revision], ['delivered', 2]);
    const flagged = [...live, 'update', 'send', says('action_required', 1)] as const;
    const { storeDelivery } = play('none', ...flagged, 'deadline');
    assert.deepEqual([storeDelivery.status, storeDelivery.revision], ['action_required', 2]);
  });

  test('ADR 0021: a rejection of an update that was inferred to be done shows in `update`', () => {
    const done = [...live, 'update', 'send', 'deadline'] as const;
    const { storeDelivery, acts } = play('none', ...done, says('rejected', 2));
    assert.deepEqual(acts.at(-1), ['update_refused']);
    assert.deepEqual([storeDelivery.status, storeDelivery.rejection], ['delivered', null]);
    assert.deepEqual(storeDelivery.update?.rejection, rejection);
    const again = { ...content, revision: storeDelivery.revision, deal: storeDelivery.deal };
    assert.equal(requestUpdate(storeDelivery, day(99), again)?.type, 'update_requested');
  });
});

describe('contract §3: a takedown', () => {
  test('that waits for a landing shows as `takedown_requested_at` and keeps that time when the store is asked', () => {
    const waiting = play('live', 'send', 'takedown').storeDelivery;
    assert.deepEqual(waiting.takedown, { requestedAt: waiting.updatedAt, by: 'partner' });
    const asked = play('live', 'send', 'takedown', says('delivered', 1)).storeDelivery;
    assert.equal(asked.status, 'takedown_requested');
    assert.deepEqual(asked.takedown, waiting.takedown);
  });

  test('a later resubmission of that store clears it', () => {
    const wanted = ['send', 'takedown', says('action_required', 1)] as const;
    assert.ok(play('live', ...wanted).storeDelivery.takedown);
    assert.equal(play('live', ...wanted, 'resubmit').storeDelivery.takedown, null);
  });

  test('of a store that rejects it meanwhile: the store is closed', () => {
    const { storeDelivery, acts } = play('live', 'send', 'takedown', says('rejected', 1));
    assert.deepEqual(acts.at(-1), ['rejected', 'closed']);
    assert.deepEqual([storeDelivery.status, storeDelivery.takenDownBy], ['taken_down', 'partner']);
  });

  test('of a flagged release that is live asks at once; of one that is not, it waits', () => {
    const flaggedLive = play('live', ...live, says('action_required', 1), 'takedown');
    assert.deepEqual(flaggedLive.acts.at(-1), ['takedown_requested']);
    const flagged = play('live', 'send', says('action_required', 1), 'takedown');
    assert.deepEqual(flagged.acts.at(-1), ['takedown_wanted']);
  });

  test('is by who requested it first, and a removal by nobody is by the store', () => {
    const { storeDelivery } = play('live', ...live);
    const asked = requestTakedown(storeDelivery, day(9), 'msg_09', 'operator')?.storeDelivery;
    assert.equal(asked?.takedown?.by, 'operator');
    const removed = play('live', ...live, says('removed', 1)).storeDelivery;
    assert.deepEqual([removed.takenDownBy, removed.takedown], ['store', null]);
  });
});

describe('contract §2: other fields', () => {
  test('`acknowledged_at` is the receipt of the current message: a new message has none', () => {
    const acknowledged = play('live', 'send', says('acknowledged', 1));
    assert.deepEqual(acknowledged.acts.at(-1), ['acknowledged']);
    const { storeDelivery } = acknowledged;
    assert.equal(storeDelivery.acknowledgedAt?.getTime(), storeDelivery.updatedAt.getTime());
    const received = ['send', says('acknowledged', 1), says('delivered', 1), 'update'] as const;
    assert.equal(play('live', ...received).storeDelivery.acknowledgedAt, null);
  });

  test('`waiting_for` is why a queued message waits, and each reason is one step', () => {
    const first = { ...content, messageId: 'msg_01' } as const;
    const queued = newStoreDelivery('aurora', first, day(1));
    const waiting = wait(queued, day(2), 'review')?.storeDelivery;
    assert.equal(waiting?.waitingFor, 'review');
    assert.equal(wait(waiting, day(3), 'review'), undefined);
    assert.equal(wait(waiting, day(3), 'store_paused')?.storeDelivery.waitingFor, 'store_paused');
  });

  test('a resubmission has the revision, the deal and the requested codes of its message', () => {
    const { storeDelivery } = play('live', 'send', says('rejected', 1));
    const resubmitted = resubmit(storeDelivery, day(9), content)?.storeDelivery;
    const { revision, deal, requestedTerritoryCodes } = resubmitted ?? storeDelivery;
    assert.deepEqual([revision, deal, requestedTerritoryCodes], [2, otherDeal, ['SE']]);
  });
});

test('contract §2: a new store delivery is pending, and nothing is known about the store', () => {
  assert.deepEqual(newStoreDelivery('aurora', content, day(1)), {
    storeId: 'aurora',
    status: 'pending',
    waitingFor: null,
    requestedTerritoryCodes: ['SE'],
    deal: otherDeal,
    revision: 2,
    update: null,
    rejection: null,
    liveAt: null,
    liveBasis: null,
    storeUrl: null,
    deliveredBy: null,
    takedown: null,
    takenDownBy: null,
    mayStillPublish: false,
    expectedBy: null,
    isOverdue: false,
    acknowledgedAt: null,
    message: { id: 'msg_09', kind: 'deliver', state: 'queued', isSentInOrder: false },
    updatedAt: day(1),
  });
});
