/** Canceling payouts, and their expiry (contract §3, §4; ADR 0036). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf } from '../delivery-fixture.ts';
import { balancesOf, openPayoutFixture, type PayoutFixture } from '../payout-fixture.ts';

describe('canceling payouts', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  test('contract §3: a pending payout is canceled, and its amount is available again', async () => {
    const caller = await fixture.givenPayee();
    const unpaid = await balancesOf(fixture.service, caller);
    const { json } = await fixture.create(caller);
    const reply = await caller.call('POST', `/v1/payouts/${json.id}/cancel`);
    assert.deepEqual([reply.status, reply.json.status], [200, 'canceled']);
    assert.deepEqual(await balancesOf(fixture.service, caller), unpaid);
    assert.deepEqual(await fixture.transitionsOf(caller, json.id), [
      '→pending created',
      'pending→canceled canceled',
    ]);
  });

  test('contract §3: a payout on hold is canceled, and no hold stays open', async () => {
    const caller = await fixture.givenPayee({ methodAgeMs: 0 });
    const { json } = await fixture.create(caller);
    assert.equal(json.status, 'on_hold');
    const reply = await caller.call('POST', `/v1/payouts/${json.id}/cancel`);
    assert.deepEqual([reply.status, reply.json.status, reply.json.holds], [200, 'canceled', []]);
    assert.deepEqual(await fixture.get(caller, json.id), reply.json);
  });

  test('contract §3: a payout that was canceled or sent cannot be canceled; nothing changes', async () => {
    const caller = await fixture.givenPayee();
    const canceled = (await fixture.create(caller)).json.id;
    await caller.call('POST', `/v1/payouts/${canceled}/cancel`);
    const sent = (await fixture.create(caller)).json.id;
    await fixture.advanceTo('2026-11-16T12:00:00.000Z');
    for (const id of [canceled, sent]) {
      const ended = await fixture.get(caller, id);
      assert.notEqual(ended.status, 'pending');
      const balances = await balancesOf(fixture.service, caller);
      const refused = await caller.call('POST', `/v1/payouts/${id}/cancel`);
      assert.deepEqual(codeOf(refused), [409, 'invalid_state']);
      assert.ok(refused.json.error.message.includes(ended.status));
      assert.deepEqual(await fixture.get(caller, id), ended);
      assert.deepEqual(await balancesOf(fixture.service, caller), balances);
    }
  });

  test('ADR 0036: during a compliance review a payout cannot be canceled, and the refusal says no more', async () => {
    const caller = await fixture.givenPayee();
    const { id } = (await fixture.create(caller)).json;
    await fixture.operator('hold', caller, id, '--reason', 'compliance_review');
    const refused = await caller.call('POST', `/v1/payouts/${id}/cancel`);
    assert.deepEqual(codeOf(refused), [409, 'invalid_state']);
    assert.equal(
      refused.json.error.message,
      'The payout cannot be canceled while its hold with the reason compliance_review is open.',
    );
    await fixture.operator('release', caller, id, '--reason', 'compliance_review');
    assert.equal((await caller.call('POST', `/v1/payouts/${id}/cancel`)).status, 200);
  });
});

describe('the expiry of payouts', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  test('ADR 0036: a payout that was not sent after 30 days is canceled; a review stops the 30 days', async () => {
    const [expiring, reviewed] = [await fixture.givenPayee(), await fixture.givenPayee()];
    const unpaid = await balancesOf(fixture.service, expiring);
    const manual = (await fixture.create(expiring)).json.id;
    await fixture.operator('hold', expiring, manual, '--reason', 'manual');
    const review = (await fixture.create(reviewed)).json.id;
    await fixture.operator('hold', reviewed, review, '--reason', 'manual');
    await fixture.advanceTo('2026-11-26T09:00:00.000Z');
    await fixture.operator('hold', reviewed, review, '--reason', 'compliance_review');
    await fixture.advanceTo('2026-12-16T08:59:59.000Z');
    assert.equal((await fixture.get(expiring, manual)).status, 'on_hold');
    await fixture.advanceTo('2026-12-16T09:00:00.000Z');
    const expired = await fixture.get(expiring, manual);
    assert.deepEqual([expired.status, expired.holds], ['canceled', []]);
    assert.deepEqual(await balancesOf(fixture.service, expiring), unpaid);
    assert.equal(
      (await fixture.transitionsOf(expiring, manual)).at(-1),
      'on_hold→canceled expired',
    );

    assert.equal((await fixture.get(reviewed, review)).status, 'on_hold');
    await fixture.advanceTo('2026-12-26T09:00:00.000Z');
    assert.equal((await fixture.get(reviewed, review)).status, 'on_hold', 'it never expires');
    // The review was open for 30 days; 20 of the other 30 days are left.
    await fixture.operator('release', reviewed, review, '--reason', 'compliance_review');
    await fixture.advanceTo('2027-01-15T08:59:59.000Z');
    assert.equal((await fixture.get(reviewed, review)).status, 'on_hold');
    await fixture.advanceTo('2027-01-15T09:00:00.000Z');
    assert.equal((await fixture.get(reviewed, review)).status, 'canceled');
  });
});
