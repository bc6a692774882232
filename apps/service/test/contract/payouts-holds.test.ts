/** Holds of payouts: what opens them, what closes them, and what they say (contract §2, §3; ADR 0036). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { germanAccount } from '../money-fixture.ts';
import { addTaxProfile, openPayoutFixture, type PayoutFixture } from '../payout-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const hourMs = 3_600_000;

describe('holds of payouts', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  const create = async (caller: OrgClient): Promise<Json> => {
    const { status, json, text } = await fixture.create(caller);
    assert.equal(status, 201, text);
    return json;
  };
  const reasonsOf = ({ holds }: Json): readonly string[] => holds.map(({ reason }: Json) => reason);
  const verify = (caller: OrgClient, status: string, ...requirements: string[]) =>
    fixture.service.admin(
      'org',
      'verify',
      '--org',
      caller.orgId,
      '--status',
      status,
      ...requirements,
    );
  test('contract §2: a payout of an unverified organization is on hold, with what must be sent', async () => {
    const caller = await fixture.givenPayee();
    await verify(caller, 'pending', '--requirement', 'company_register:Send the extract.');
    const payout = await create(caller);
    assert.equal(payout.status, 'on_hold');
    assert.deepEqual(payout.holds, [
      {
        reason: 'identity_verification',
        since: '2026-11-16T09:00:00.000Z',
        requirements: [{ code: 'company_register', description: 'Send the extract.' }],
        due_by: '2026-12-16T09:00:00.000Z',
      },
    ]);
    assert.deepEqual(await fixture.transitionsOf(caller, payout.id), [
      '→pending created',
      'pending→on_hold hold_opened',
    ]);
    await fixture.runUntilIdle();
    assert.deepEqual(await fixture.get(caller, payout.id), payout, 'checked, and unchanged');

    await verify(caller, 'verified');
    await fixture.runUntilIdle();
    const verified = await fixture.get(caller, payout.id);
    assert.deepEqual([verified.status, verified.holds], ['pending', []]);
    assert.equal(
      (await fixture.transitionsOf(caller, payout.id)).at(-1),
      'on_hold→pending holds_released',
    );
  });

  test('contract §6: every change of the status is announced, with the holds', async () => {
    const caller = await fixture.givenPayee();
    await verify(caller, 'unverified');
    const { id } = await create(caller);
    await verify(caller, 'verified');
    await fixture.runUntilIdle();
    await fixture.service.sequenceEvents();
    const { data } = (await caller.call('GET', '/v1/events?type=payout.status.changed&limit=100'))
      .json;
    assert.deepEqual(
      data
        .toReversed()
        .filter((event: Json) => event.data.payout.id === id)
        .map((event: Json) => [
          event.data.previous_status,
          event.data.payout.status,
          ...reasonsOf(event.data.payout),
        ]),
      [
        [null, 'pending'],
        ['pending', 'on_hold', 'identity_verification'],
        ['on_hold', 'pending'],
      ],
    );
  });

  test('ADR 0036: an expired tax form holds a payout until there is a valid one', async () => {
    const caller = await fixture.givenPayee({ taxFormExpiresOn: '2026-11-15' });
    const payout = await create(caller);
    assert.deepEqual(reasonsOf(payout), ['tax_form_missing']);
    assert.equal(payout.holds[0].requirements[0].code, 'update_tax_form');
    await addTaxProfile(fixture.service, caller, '2026-11-16');
    await verify(caller, 'verified');
    await fixture.runUntilIdle();
    assert.equal((await fixture.get(caller, payout.id)).status, 'pending');
  });

  test('ADR 0036: a compliance review says no more than its reason', async () => {
    const caller = await fixture.givenPayee();
    const { id } = await create(caller);
    const held = await fixture.operator('hold', caller, id, '--reason', 'compliance_review');
    assert.deepEqual(held['holds'], [
      {
        reason: 'compliance_review',
        since: '2026-11-16T09:00:00.000Z',
        requirements: [],
        due_by: null,
      },
    ]);
    await assert.rejects(
      fixture.operator('hold', caller, id, '--reason', 'compliance_review', '--requirement', 'a:b'),
      /says no more than its reason/,
    );
  });

  test('contract §3: a payout is pending again only when its last hold is released', async () => {
    const caller = await fixture.givenPayee();
    await verify(caller, 'unverified');
    const { id } = await create(caller);
    await fixture.operator(
      'hold',
      caller,
      id,
      '--reason',
      'manual',
      '--requirement',
      'call:Call us.',
    );
    await fixture.operator('hold', caller, id, '--reason', 'compliance_review');
    await verify(caller, 'verified');
    await fixture.runUntilIdle();
    const two = await fixture.get(caller, id);
    assert.deepEqual([two.status, ...reasonsOf(two)], ['on_hold', 'manual', 'compliance_review']);
    const one = await fixture.operator('release', caller, id, '--reason', 'compliance_review');
    assert.deepEqual([one['status'], ...reasonsOf(one)], ['on_hold', 'manual']);
    const none = await fixture.operator('release', caller, id, '--reason', 'manual');
    assert.deepEqual([none['status'], none['holds']], ['pending', []]);
  });

  test('ADR 0036: a released hold whose cause is still there opens again', async () => {
    const caller = await fixture.givenPayee({ methodAgeMs: 0 });
    const { id } = await create(caller);
    const released = await fixture.operator(
      'release',
      caller,
      id,
      '--reason',
      'payout_method_changed',
    );
    assert.deepEqual(
      [released['status'], ...reasonsOf(released)],
      ['on_hold', 'payout_method_changed'],
      'nobody passes the 72 hours',
    );
  });

  test('ADR 0036: the hold of a method that was added holds payouts to other methods too, until its due date', async () => {
    const caller = await fixture.givenPayee();
    const { id } = await create(caller);
    const added = await caller.call('POST', '/v1/payout_methods', germanAccount);
    assert.equal(added.status, 201, added.text);
    assert.deepEqual(reasonsOf(await fixture.get(caller, id)), ['payout_method_changed']);
    await fixture.operator('hold', caller, id, '--reason', 'manual');
    const released = await fixture.operator('release', caller, id, '--reason', 'manual');
    assert.deepEqual(reasonsOf(released), ['payout_method_changed'], 'a check does not close it');
  });

  test('ADR 0036: a rejected hold cancels the payout, with every other hold', async () => {
    const caller = await fixture.givenPayee({ methodAgeMs: 0 });
    const { id } = await create(caller);
    await fixture.operator('hold', caller, id, '--reason', 'manual');
    const rejected = await fixture.operator('reject', caller, id, '--reason', 'manual');
    assert.deepEqual([rejected['status'], rejected['holds']], ['canceled', []]);
    assert.equal(
      (await fixture.transitionsOf(caller, id)).at(-1),
      'on_hold→canceled hold_rejected',
    );
  });

  test('ADR 0036: operators cannot open a hold twice, nor one on a payout that has ended', async () => {
    const caller = await fixture.givenPayee();
    const { id } = await create(caller);
    await fixture.operator('hold', caller, id, '--reason', 'manual');
    const invalidState = { code: 'invalid_state' };
    await assert.rejects(fixture.operator('hold', caller, id, '--reason', 'manual'), invalidState);
    await assert.rejects(
      fixture.operator('release', caller, id, '--reason', 'compliance_review'),
      invalidState,
    );
    await caller.call('POST', `/v1/payouts/${id}/cancel`);
    await assert.rejects(fixture.operator('hold', caller, id, '--reason', 'manual'), invalidState);
    await assert.rejects(
      fixture.operator('hold', caller, 'pay_01h455vb4pex5vsknk084sn02q', '--reason', 'manual'),
      { code: 'resource_not_found' },
    );
  });

  test('ADR 0036: operators list payouts with their holds', async () => {
    const caller = await fixture.givenPayee({ methodAgeMs: 0 });
    const payout = await create(caller);
    const list = (...flags: string[]) =>
      fixture.service.admin('payouts', 'list', '--org', caller.orgId, ...flags);
    assert.deepEqual(await list(), { payouts: [payout] });
    assert.deepEqual(await list('--status', 'paid'), { payouts: [] });
  });
});

describe('holds of payouts and the clock', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  test('ADR 0036: the hold of a new method ends by itself after 72 hours; then the next cut-off sends', async () => {
    const caller = await fixture.givenPayee({ methodAgeMs: hourMs });
    const { json } = await fixture.create(caller);
    assert.equal(json.holds[0].due_by, '2026-11-19T08:00:00.000Z');
    await fixture.advanceTo('2026-11-19T07:59:59.000Z');
    assert.equal((await fixture.get(caller, json.id)).status, 'on_hold');
    await fixture.advanceTo('2026-11-19T08:00:00.000Z');
    const released = await fixture.get(caller, json.id);
    assert.deepEqual([released.status, released.holds], ['pending', []]);
    await fixture.advanceTo('2026-11-19T11:59:59.000Z');
    assert.equal((await fixture.get(caller, json.id)).status, 'pending');
    await fixture.advanceTo('2026-11-19T12:00:00.000Z');
    const causes = await fixture.transitionsOf(caller, json.id);
    assert.ok(causes.includes('pending→processing cut_off'), causes.join());
  });

  test('ADR 0036: all checks run again at the cut-off', async () => {
    const caller = await fixture.givenPayee({ taxFormExpiresOn: '2026-11-20' });
    await fixture.advanceTo('2026-11-20T13:00:00.000Z'); // Friday, after the cut-off
    const { json } = await fixture.create(caller);
    assert.equal(json.status, 'pending');
    await fixture.advanceTo('2026-11-23T12:00:00.000Z');
    const held = await fixture.get(caller, json.id);
    assert.deepEqual([held.status, held.holds[0].reason], ['on_hold', 'tax_form_missing']);
  });

  test('ADR 0036: no operator holds a payout that was sent', async () => {
    const caller = await fixture.givenPayee();
    const { json } = await fixture.create(caller);
    await fixture.advanceTo('2026-11-24T12:00:00.000Z');
    await assert.rejects(fixture.operator('hold', caller, json.id, '--reason', 'manual'), {
      code: 'invalid_state',
    });
  });

  test('ADR 0036: a review that was released answers the screening at the cut-off that follows', async () => {
    const caller = await fixture.givenPayee();
    const scenario = { message: 'payout', steps: [{ action: 'review_at_cut_off' }] };
    const scripted = await caller.call('POST', '/v1/sandbox/scenarios', scenario);
    assert.equal(scripted.status, 201, scripted.text);
    const { json } = await fixture.create(caller);
    assert.equal(json.status, 'pending');
    await fixture.advanceTo('2026-11-25T12:00:00.000Z');
    const held = await fixture.get(caller, json.id);
    assert.deepEqual([held.status, held.holds[0].reason], ['on_hold', 'compliance_review']);
    await fixture.operator('release', caller, json.id, '--reason', 'compliance_review');
    await fixture.advanceTo('2026-11-26T12:00:00.000Z');
    const sent = await fixture.get(caller, json.id);
    assert.ok(!['pending', 'on_hold'].includes(sent.status), sent.status);
  });
});
