/** A report that its store paid short, divided by the operator (ADR 0038): from the report to the end of the dispute. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { settleEarnings } from '../ledger-fixture.ts';
import { openOfficeInProcess, type OfficeInProcess } from '../royalty-office.ts';
import type { OrgClient } from '../test-service.ts';

const storeId = 'aurora';

describe('ADR 0038: a short payment that is prorated', () => {
  let office: OfficeInProcess;
  let one: OrgClient;
  let two: OrgClient;
  let report: Json;
  let remittance: Json;
  before(async () => {
    office = await openOfficeInProcess('2027-01-16T09:00:00.000Z');
    [one, two] = [await office.givenPartner(), await office.givenPartner()];
    const fee = ['--org', 'platform', '--basis-points', '1500', '--from', '2020-01'];
    await office.admin('fee-rules', 'set', ...fee);
    await office.givenHolding(storeId, one, 'QZABC2600001');
    await office.givenHolding(storeId, two, 'QZABC2600002');
  });
  after(() => office.closeOffice());

  const holdsOf = async ({ call }: OrgClient): Promise<Json[]> =>
    (await call('GET', '/v1/earning_holds')).json.data;
  const identityOf = async (caller: OrgClient): Promise<unknown> => {
    const statement = (await office.statementsOf(caller)).findLast((s) => s.status === 'published');
    const { opening_balance, net_amount, adjustment_amount, closing_balance, held_amount } =
      statement;
    return [opening_balance, net_amount, adjustment_amount, closing_balance, held_amount];
  };

  test('the report waits until the operator decides', async () => {
    report = await office.receive(storeId, [
      { isrc: 'QZABC2600001', amount: '60' },
      { isrc: 'QZABC2600001', amount: '40', territory: 'US' },
      { isrc: 'QZABC2600002', amount: '50' },
      { isrc: 'QZUNK2600009', amount: '10' },
    ]);
    assert.deepEqual(report.rows, { read: 4, matched: 3, suspense: 1, rejected: 0 });
    remittance = await office.pay(storeId, { reports: report.id, amount: '120' });
    assert.deepEqual(
      [remittance.status, Number(remittance.due_amount), remittance.decision],
      ['short', 160, null],
    );
    assert.equal((await office.decide(remittance.id, 'prorate')).decision, 'prorate');
  });

  test('the run credits the report in full, and holds each partner’s share of the rest, without its fee', async () => {
    const id = await office.calculate('2026-10');
    const { review, text } = await office.run('review', id);
    assert.deepEqual(review.problems, []);
    assert.equal(review.totals[0].netAmount, '127.500000');
    assert.deepEqual(review.held, [
      { reportId: report.id, storeId, currency: 'EUR', amount: '31.875000' },
    ]);
    assert.ok(text.includes(`  ${report.id}  ${storeId}  31.875000 EUR`));
    await office.approve(id);
    assert.deepEqual(await office.balanceOf(one), {
      available: '0.000000',
      pending: '85.000000',
      held: '0.000000',
    });
    await office.close(id);
    // Of 40 that are missing: 25 of the first, 12.50 of the second, 2.50 of nobody; each less 15 %.
    assert.deepEqual(await office.balanceOf(one), {
      available: '63.750000',
      pending: '0.000000',
      held: '21.250000',
    });
    assert.deepEqual(await office.balanceOf(two), {
      available: '31.875000',
      pending: '0.000000',
      held: '10.625000',
    });
    assert.deepEqual(await identityOf(one), [
      '0.000000',
      '85.000000',
      '0.000000',
      '85.000000',
      '21.250000',
    ]);
  });

  test('partners read which store disputes how much, and are told by an event', async () => {
    const [hold] = await holdsOf(one);
    const { status, reason, amount, currency, store_id, evidence } = hold;
    assert.deepEqual(
      { status, reason, amount, currency, store_id },
      {
        status: 'held',
        reason: 'store_dispute',
        amount: '21.250000',
        currency: 'EUR',
        store_id: storeId,
      },
    );
    assert.match(evidence, new RegExp(report.id));
    await office.service.sequenceEvents();
    const { data } = (await one.call('GET', '/v1/events?after=0')).json;
    const types: string[] = data.map(({ type }: Json) => type);
    assert.deepEqual(types.toSorted(), ['earnings.held', 'statement.published']);
  });

  test('the decision is final once a run has taken the report', async () => {
    await assert.rejects(office.decide(remittance.id, 'accept'), /a run has taken/i);
  });

  test('the store pays the rest: the operator releases, and the next statement has the same balance', async () => {
    const rest = await office.pay(storeId, { completes: remittance.id, amount: '40' });
    assert.equal(rest.completes, remittance.id);
    const shown = await office.admin('remittances', 'show', '--remittance', remittance.id);
    assert.equal(shown.status, 'paid');
    const [hold] = await holdsOf(two);
    await settleEarnings(office.service, two, 'release', hold.id);
    assert.deepEqual(await office.balanceOf(two), {
      available: '42.500000',
      pending: '0.000000',
      held: '0.000000',
    });
    assert.equal((await holdsOf(two))[0].status, 'released');
  });

  test('the store wins the dispute: the operator forfeits, which is a penalty of the next statement', async () => {
    const [hold] = await holdsOf(one);
    await settleEarnings(office.service, one, 'forfeit', hold.id);
    assert.deepEqual(await office.balanceOf(one), {
      available: '63.750000',
      pending: '0.000000',
      held: '0.000000',
    });
    const [adjustment] = (await one.call('GET', '/v1/adjustments')).json.data;
    assert.deepEqual(
      [adjustment.type, adjustment.amount, adjustment.refers_to],
      ['penalty', '-21.250000', hold.id],
    );
    const id = await office.calculate('2026-11');
    await office.approve(id);
    await office.close(id);
    const [zero, held] = ['0.000000', '0.000000'];
    assert.deepEqual(await identityOf(one), ['85.000000', zero, '-21.250000', '63.750000', held]);
    assert.deepEqual(await identityOf(two), ['42.500000', zero, zero, '42.500000', held]);
    const { organizations, wrong_totals } = await office.verifyLedger();
    assert.ok(organizations.every(({ intact }: Json) => intact));
    assert.deepEqual(wrong_totals, {});
  });
});
