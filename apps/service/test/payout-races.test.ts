/** Payouts at the same time cannot spend the same money (contract §4; ADR 0036). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { balancesOf, openPayoutFixture, type PayoutFixture } from './payout-fixture.ts';
import type { OrgClient, Reply } from './test-service.ts';

const requests = 200;
const sendsMax = 50;

/** A busy machine may answer 503: as the answer asks, the request is sent again with the same Idempotency-Key. */
async function createDurably(caller: OrgClient, body: object): Promise<Reply> {
  const key = { 'idempotency-key': randomUUID() };
  for (let sends = 1; ; sends++) {
    const reply = await caller.call('POST', '/v1/payouts', body, key);
    if ((reply.status !== 503 && reply.status !== 409) || sends === sendsMax) return reply;
  }
}

describe('payouts at the same time', () => {
  let fixture: PayoutFixture;
  before(async () => {
    fixture = await openPayoutFixture();
  });
  after(() => fixture.close());

  test('contract §4: of 200 concurrent payouts of a tenth of the balance, exactly 10 succeed', async () => {
    const caller = await fixture.givenPayee({ balance: '1000' });
    const replies = await Promise.all(
      Array.from({ length: requests }, () =>
        createDurably(caller, { amount: '100.00', currency: 'EUR' }),
      ),
    );
    const outcomes = Map.groupBy(replies, ({ status, json }) => json.error?.code ?? status);
    assert.deepEqual(
      Object.fromEntries([...outcomes].map(([outcome, { length }]) => [outcome, length])),
      { 201: 10, insufficient_balance: requests - 10 },
    );
    assert.deepEqual(await balancesOf(fixture.service, caller), {
      'EUR payout_reserved': '1000.000000',
      'EUR store_receivable': '-1000.000000',
    });
  });

  test('contract §3: of a cancellation and a hold at the same time, the payout ends in one state', async () => {
    for (let round = 0; round < 10; round++) {
      const caller = await fixture.givenPayee();
      const { id } = (await fixture.create(caller)).json;
      const [canceled, held] = await Promise.allSettled([
        caller.call('POST', `/v1/payouts/${id}/cancel`),
        fixture.operator('hold', caller, id, '--reason', 'compliance_review'),
      ]);
      assert.ok(canceled.status === 'fulfilled');
      const { status, holds } = await fixture.get(caller, id);
      const outcome = [canceled.value.status, held.status, status, holds.length];
      const possible = [
        [200, 'rejected', 'canceled', 0],
        [409, 'fulfilled', 'on_hold', 1],
      ];
      assert.ok(
        possible.some((each) => String(each) === String(outcome)),
        String(outcome),
      );
    }
  });
});
