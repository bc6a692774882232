/** Every pair of states of a payout is tried on the database: only the moves of the table happen (contract §3). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { workflowOwner } from '../src/kernel/actor.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { auditPayout } from '../src/money/commands/audit-payout.ts';
import { lockPayoutWithHolds } from '../src/money/commands/lock-payout.ts';
import { movePayout } from '../src/money/commands/move-payout.ts';
import { type PayoutStatus, payoutStatuses } from '../src/money/domain/payout.ts';
import {
  type Balances,
  balancesOf,
  openPayoutFixture,
  type PayoutFixture,
} from './payout-fixture.ts';
import type { OrgClient } from './test-service.ts';

/** The table of ADR 0036, with what each move does to the balances of a payout of 100. */
const table: Readonly<Record<string, Balances>> = {
  'pending→on_hold': {},
  'pending→processing': {},
  'pending→canceled': { payable: '100', payout_reserved: '-100' },
  'on_hold→pending': {},
  'on_hold→canceled': { payable: '100', payout_reserved: '-100' },
  'processing→in_transit': { cash: '100', payout_reserved: '-100' },
  'processing→failed': { payable: '100', payout_reserved: '-100' },
  'in_transit→paid': {},
  'in_transit→returned': { payable: '100', cash: '-100' },
  'paid→returned': { payable: '100', cash: '-100' },
};

describe('contract §3: the moves between the states of a payout', () => {
  let fixture: PayoutFixture;
  let caller: OrgClient;
  before(async () => {
    fixture = await openPayoutFixture();
    caller = await fixture.givenPayee({ balance: '10000' });
  });
  after(() => fixture.close());

  /** A payout whose row says that it is in this state. */
  const givenPayout = async (status: PayoutStatus): Promise<Id<'pay'>> => {
    const { json } = await fixture.create(caller);
    await fixture.service.query('update payouts set status = $2 where id = $1', [
      toUuid(json.id),
      status,
    ]);
    return json.id;
  };
  const move = (id: Id<'pay'>, to: PayoutStatus): Promise<void> =>
    fixture.service.workerDb.transact(workflowOwner(caller.orgId as OrgId, 'test'), async (tx) => {
      const locked = await lockPayoutWithHolds(tx, id);
      assert.ok(locked !== undefined);
      const moved = await movePayout(tx, locked.payout, { to, cause: 'tried' });
      auditPayout(tx, 'payout.try', { before: locked, after: moved });
    });
  const stateOf = async (id: Id<'pay'>) => ({
    payout: await fixture.get(caller, id),
    transitions: await fixture.transitionsOf(caller, id),
    balances: await balancesOf(fixture.service, caller),
    events: (await fixture.service.query('select count(*) from events'))[0].count,
  });
  const differenceOf = (from: Balances, to: Balances): Balances =>
    Object.fromEntries(
      ['payable', 'payout_reserved', 'cash']
        .map((name) => {
          const [earlier, later] = [from, to].map((all) => Number(all[`EUR ${name}`] ?? 0));
          return [name, String((later ?? 0) - (earlier ?? 0))] as const;
        })
        .filter(([, difference]) => difference !== '0'),
    );

  for (const from of payoutStatuses) {
    for (const to of payoutStatuses) {
      const expected = table[`${from}→${to}`];
      const outcome = expected === undefined ? 'changes nothing' : 'happens';
      test(`${from} → ${to} ${outcome}`, async () => {
        const id = await givenPayout(from);
        const unmoved = await stateOf(id);
        if (expected === undefined) {
          await assert.rejects(move(id, to), /cannot move/);
          assert.deepEqual(await stateOf(id), unmoved);
          return;
        }
        await move(id, to);
        const moved = await stateOf(id);
        assert.equal(moved.payout.status, to);
        assert.deepEqual(moved.transitions, [...unmoved.transitions, `${from}→${to} tried`]);
        assert.deepEqual(differenceOf(unmoved.balances, moved.balances), expected);
        assert.equal(Number(moved.events), Number(unmoved.events) + 1);
      });
    }
  }

  for (const [from, to] of [
    ['on_hold', 'pending'],
    ['pending', 'processing'],
  ] as const) {
    test(`${from} → ${to} changes nothing while a hold is open`, async () => {
      const id = await givenPayout('pending');
      await fixture.operator('hold', caller, id, '--reason', 'manual');
      await fixture.service.query('update payouts set status = $2 where id = $1', [
        toUuid(id),
        from,
      ]);
      const unmoved = await stateOf(id);
      await assert.rejects(move(id, to), /has an open hold/);
      assert.deepEqual(await stateOf(id), unmoved);
    });
  }
});
