/** Answers for stores that have the release, had it, or never confirm: catalogue §1.2, §1.3, contract §3, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { codeOf, type Json, monday } from '../delivery-fixture.ts';
import {
  addMs,
  hourMs,
  openSandboxFixture,
  type DrivenPartner,
  type SandboxFixture,
} from '../sandbox-fixture.ts';

const flag = { answer: 'action_required', code: 'rights', reason: 'Another party claims it.' };
const out = '2026-11-25T00:00:00.000Z';

describe('late answers for a store', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
  });
  beforeEach(async () => {
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const given = (storeId = 'aurora') =>
    partner.givenDelivery([storeId], { release_date: out.slice(0, 10) });
  const givenLive = async (storeId = 'aurora'): Promise<Json> => {
    const { id } = await given(storeId);
    await partner.advance({ to: addMs(out, hourMs) });
    const delivery = await partner.delivery(id);
    assert.equal(delivery.stores[0].status, 'delivered');
    return delivery;
  };
  const request = async ({ id }: Json, action: string, body: object = {}): Promise<Json> => {
    await partner.ask('POST', `/v1/deliveries/${id}/${action}`, body);
    await sandbox.runUntilIdle();
    return partner.delivery(id);
  };
  const update = async (delivery: Json): Promise<Json> => {
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    return request(delivery, 'update');
  };
  /** Answers for the only store, and returns it. */
  const answer = async ({ id, stores: [{ store_id }] }: Json, body: object): Promise<Json> => {
    const { status, json, text } = await partner.answer(id, store_id, body);
    assert.equal(status, 200, text);
    await sandbox.runUntilIdle();
    return json.stores[0];
  };
  const refuse = async ({ id, stores: [{ store_id }] }: Json, body: object): Promise<string> => {
    const reply = await partner.answer(id, store_id, body);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state'], reply.text);
    return reply.json.error.message;
  };
  const storeOf = ({ id, stores: [{ store_id }] }: Json) => partner.storeOf(id, store_id);
  const timelineTypes = async ({ id, stores: [{ store_id }] }: Json) =>
    (await partner.storeTimeline(id, store_id)).map(([type]) => type);

  describe('while an update is under way', () => {
    test('contract §4: action_required flags the update, and the release stays delivered', async () => {
      const store = await answer(await update(await givenLive()), flag);
      assert.deepEqual(
        [store.status, store.rejection_code, store.update.status, store.update.rejection_code],
        ['delivered', null, 'flagged', 'rights'],
      );
    });

    test('catalogue §1.2: about the release: it is flagged, the update continues and the store confirms it', async () => {
      const delivery = await update(await givenLive());
      const { pending_revision, expected_by } = delivery.stores[0];
      const flagged = await answer(delivery, { ...flag, about: 'release' });
      assert.deepEqual(
        [flagged.status, flagged.rejection_code, flagged.update.status, flagged.expected_by],
        ['action_required', 'rights', 'pending', expected_by],
      );
      await partner.advance({ by: '6h' });
      const { status, revision, update: open, live_at } = await storeOf(delivery);
      assert.deepEqual(
        [status, revision, open, live_at],
        ['delivered', pending_revision, null, out],
      );
    });

    test('catalogue §1.2: about the release, then the update is refused: still flagged, nothing pending', async () => {
      const delivery = await update(await givenLive());
      await answer(delivery, { ...flag, about: 'release' });
      const store = await answer(delivery, { answer: 'rejected', code: 'no' });
      assert.deepEqual(
        [store.status, store.rejection_code, store.pending_revision, store.update.status],
        ['action_required', 'rights', null, 'rejected'],
      );
    });

    test('contract §4: about the message is the same as without about', async () => {
      const store = await answer(await update(await givenLive()), { ...flag, about: 'message' });
      assert.deepEqual([store.status, store.update.status], ['delivered', 'flagged']);
    });

    test('catalogue §1.2: removed: taken_down by the store, and its later answer to the update changes nothing', async () => {
      const delivery = await update(await givenLive());
      const store = await answer(delivery, { answer: 'removed', about: 'release' });
      assert.deepEqual(
        [store.status, store.taken_down_by, store.update],
        ['taken_down', 'store', null],
      );
      await partner.advance({ by: '30d' });
      assert.equal((await storeOf(delivery)).status, 'taken_down');
    });
  });

  test('contract §4: a receipt leaves the answer that the store has scheduled', async () => {
    const delivery = await given();
    const { acknowledged_at, status } = await answer(delivery, { answer: 'acknowledged' });
    assert.deepEqual([acknowledged_at, status], [monday, 'in_progress']);
    await partner.advance({ to: out });
    const store = await storeOf(delivery);
    assert.deepEqual([store.status, store.live_at], ['delivered', out]);
    const types = await timelineTypes(delivery);
    assert.deepEqual(types, ['created', 'dispatched', 'acknowledged', 'delivered']);
  });

  test('catalogue §1.2: a store that announces what it rejected has it', async () => {
    const delivery = await given();
    await answer(delivery, { answer: 'rejected', code: 'no' });
    const store = await answer(delivery, { answer: 'delivered' });
    assert.deepEqual(
      [store.status, store.rejection_code, store.live_at, store.live_basis],
      ['delivered', null, store.updated_at, 'store'],
    );
  });

  test('catalogue §1.2: a store that announces what was taken down is asked again', async () => {
    const delivery = await givenLive();
    await request(delivery, 'takedown');
    await partner.advance({ by: '72h' });
    const store = await answer(delivery, { answer: 'delivered' });
    assert.deepEqual([store.status, store.taken_down_by], ['takedown_requested', null]);
    assert.deepEqual((await timelineTypes(delivery)).slice(-3), [
      'unexpectedly_live',
      'takedown_requested',
      'takedown_dispatched',
    ]);
    await partner.advance({ by: '72h' });
    assert.equal((await storeOf(delivery)).status, 'taken_down');
    assert.deepEqual(sandbox.sentOf(delivery.id), [
      'aurora deliver 3',
      'aurora takedown 3',
      'aurora takedown 3',
    ]);
  });

  test('contract §7: where a newer delivery has the release, the refusal names it', async () => {
    const delivery = await givenLive();
    await request(delivery, 'takedown');
    await partner.advance({ by: '72h' });
    const newer = await partner.deliver(delivery.release_id, ['aurora']);
    await sandbox.runUntilIdle();
    const message = await refuse(delivery, { answer: 'delivered' });
    assert.ok(message.includes(newer.id) && message.includes('taken_down'), message);
    assert.equal((await storeOf(delivery)).status, 'taken_down');
  });

  test('contract §7: a refused answer says what the store is and which answers apply', async () => {
    const delivery = await givenLive();
    assert.equal(
      await refuse(delivery, { answer: 'removal_refused' }),
      'The answer removal_refused changes nothing: aurora is delivered, and its latest message (deliver) was sent. Answers that apply now: acknowledged, action_required, removed.',
    );
    await answer(delivery, flag);
    assert.match(await refuse(delivery, flag), /action_required with another code or reason/);
    await partner.setMode('manual');
    const unsent = await partner.deliver(await partner.submit(), ['aurora']);
    assert.equal(
      await refuse(unsent, { answer: 'delivered' }),
      'The answer delivered changes nothing: aurora is pending, and its latest message (deliver) has not been sent yet. No answer of the store applies now.',
    );
  });

  describe('at a store that sends receipts', () => {
    test('catalogue §1.3: acknowledged confirms an update and a takedown at once', async () => {
      const delivery = await update(await givenLive('jangala'));
      const { pending_revision } = delivery.stores[0];
      const updated = await answer(delivery, { answer: 'acknowledged' });
      assert.deepEqual(
        [updated.status, updated.revision, updated.update],
        ['delivered', pending_revision, null],
      );
      await request(delivery, 'takedown');
      const removed = await answer(delivery, { answer: 'acknowledged' });
      assert.deepEqual([removed.status, removed.taken_down_by], ['taken_down', 'partner']);
    });

    test('catalogue §1.3: it may also announce the release itself', async () => {
      const delivery = await givenLive('jangala');
      const store = await answer(delivery, { answer: 'delivered' });
      assert.deepEqual([store.live_at, store.live_basis], [out, 'store']);
    });
  });

  describe('at a silent store', () => {
    test('catalogue §1.3: rejected after the inferred delivery: rejected, no longer live', async () => {
      const delivery = await givenLive('emberline');
      const store = await answer(delivery, { answer: 'rejected', code: 'no' });
      assert.deepEqual(
        [store.status, store.rejection_code, store.live_at, store.live_basis],
        ['rejected', 'no', null, null],
      );
    });

    test('catalogue §1.3: removal_refused after the inferred takedown: delivered', async () => {
      const delivery = await givenLive('emberline');
      await request(delivery, 'takedown');
      await partner.advance({ by: '72h' });
      assert.equal((await storeOf(delivery)).status, 'taken_down');
      const store = await answer(delivery, { answer: 'removal_refused', code: 'promo' });
      assert.deepEqual([store.status, store.rejection_code], ['delivered', 'promo']);
    });

    test('catalogue §1.3: a rejected update that counted as done shows in update', async () => {
      const delivery = await update(await givenLive('emberline'));
      await partner.advance({ by: '10d' });
      assert.equal((await storeOf(delivery)).update, null);
      const store = await answer(delivery, { answer: 'rejected', code: 'no' });
      assert.deepEqual(
        [store.status, store.update.status, store.update.rejection_code],
        ['delivered', 'rejected', 'no'],
      );
    });
  });
});
