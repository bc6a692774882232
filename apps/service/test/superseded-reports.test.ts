/** Reports that replace others which runs have paid already, on a real database and object store. */

import assert from 'node:assert/strict';
import { after, before as beforeAll, describe, test } from 'node:test';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { wakeRun } from '../src/royalties/messages.ts';
import type { Json } from './delivery-fixture.ts';
import { checkLedger } from './payout-fixture.ts';
import {
  adjustmentsOf,
  balanceOf,
  openReversalFixture,
  statusOf,
  uuidOf,
} from './reversal-world.ts';
import type { RunFixture } from './run-fixture.ts';

describe('a report that supersedes one which a run has paid', () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openReversalFixture();
  });
  after(async () => {
    await checkLedger(fixture.service);
    await fixture.close();
  });

  test('a statement whose net was zero can be corrected: the partner had no money, and no open statement', async () => {
    const [partner, other] = [await fixture.givenPartner(), await fixture.givenPartner()];
    const points = ['--basis-points', '10000', '--from', '2015-01'];
    await fixture.admin('fee-rules', 'set', '--org', partner.orgId, ...points);
    const replaced = await fixture.givenReport({
      lines: [{ org: partner, isrc: 'QZABC2600091', amount: '10' }],
    });
    await fixture.closeMonth('2027-03');
    const successor = await fixture.givenReport({
      lines: [{ org: other, isrc: 'QZABC2600092', amount: '10' }],
      supersedes: [replaced],
    });
    await fixture.closeMonth('2027-04');
    const statements = await fixture.statementsOf(partner);
    assert.deepEqual(
      statements.map((each) => [each['status'], each['net_amount'], each['adjustment_amount']]),
      [
        ['published', '0.000000', '0.000000'],
        ['published', '0.000000', '0.000000'],
        ['open', '0.000000', '0.000000'],
      ],
    );
    assert.equal(await statusOf(fixture, replaced), 'superseded');
    assert.equal(await statusOf(fixture, successor), 'included');
  });

  test('the review shows what is taken back; a discarded run leaves no trace, and the next one is the same', async () => {
    const partner = await fixture.givenPartner();
    const points = ['--basis-points', '1000', '--from', '2015-01'];
    await fixture.admin('fee-rules', 'set', '--org', partner.orgId, ...points);
    const line = { org: partner, isrc: 'QZABC2600001' };
    const replaced = await fixture.givenReport({
      lines: [{ ...line, amount: '100', territory: 'US' }],
    });
    await fixture.closeMonth('2027-05');
    const [paid] = await fixture.statementsOf(partner);
    assert.equal(paid?.net_amount, '63.000000');
    const successor = await fixture.givenReport({
      lines: [{ ...line, amount: '60' }],
      supersedes: [replaced],
    });
    const traces = async () => ({
      adjustments: await adjustmentsOf(partner),
      balance: await balanceOf(partner),
      statuses: [await statusOf(fixture, replaced), await statusOf(fixture, successor)],
      reversals: await fixture.service.query(
        `select run.id from run_reversals join royalty_runs run on run.id = run_id where run.status <> 'closed'`,
      ),
    });
    const before = await traces();
    assert.deepEqual(before.statuses, ['included', 'matched']);
    const calculated = async () => {
      const { id } = await fixture.create('2027-06');
      const again = () => fixture.handle(wakeRun(systemOrgId, id, 'calculate'));
      for (let unit = 0; unit < 3; unit++) await again();
      await fixture.runUntilIdle();
      const [{ input_digest: digest }] = await fixture.service.query(
        'select input_digest from royalty_runs where id = $1',
        [toUuid(id)],
      );
      return { id, digest, ...(await fixture.run('review', id)) };
    };
    const first = await calculated();
    const expected = {
      reportId: replaced,
      supersededBy: successor,
      currency: 'EUR',
      statementCount: 1,
      grossAmount: '100.000000',
      feeAmount: '10.000000',
      taxAmount: '27.000000',
      netAmount: '63.000000',
    };
    const [{ storeId, ...correction }] = first.review.corrections;
    assert.deepEqual(correction, expected);
    const text = first.text.join('\n');
    assert.match(text, /Taken back of superseded reports\n {2}rpt_.* net 63\.000000 EUR/);
    await fixture.run('discard', first.id);
    await fixture.runUntilIdle();
    assert.deepEqual(await traces(), before);

    const second = await calculated();
    assert.deepEqual(second.digest, first.digest);
    assert.deepEqual(second.review.corrections, [{ ...correction, storeId }]);
    await fixture.run('approve', second.id);
    await fixture.runUntilIdle();
    await fixture.run('close', second.id);
    const close = () => fixture.handle(wakeRun(systemOrgId, second.id, 'close'));
    await Promise.all([close(), close()]);
    await fixture.runUntilIdle();
    await close();
    const [adjustment, ...rest] = await adjustmentsOf(partner);
    assert.equal(rest.length, 0);
    assert.deepEqual(
      [
        adjustment?.gross_amount,
        adjustment?.fee_amount,
        adjustment?.tax_amount,
        adjustment?.amount,
        adjustment?.refers_to,
      ],
      ['-100.000000', '-10.000000', '-27.000000', '-63.000000', toWire('stm', paid?.id)],
    );
    assert.equal((await balanceOf(partner)).available, '54.000000');
    assert.deepEqual(
      [await statusOf(fixture, replaced), await statusOf(fixture, successor)],
      ['superseded', 'included'],
    );
    await fixture.closeMonth('2027-07');
    assert.equal((await adjustmentsOf(partner)).length, 1, 'it is taken back once');
  });

  test('a report that is replaced while its run is not closed: discarded, it is not paid; closed, it is taken back', async () => {
    const partner = await fixture.givenPartner();
    const line = { org: partner, isrc: 'QZABC2600001' };
    const approved = async (month: string) => {
      const { id } = await fixture.create(month);
      await fixture.runUntilIdle();
      await fixture.run('approve', id);
      await fixture.runUntilIdle();
      return id;
    };
    const one = await fixture.givenReport({ lines: [{ ...line, amount: '5' }] });
    const discarded = await approved('2027-08');
    const two = await fixture.givenReport({
      lines: [{ ...line, amount: '7' }],
      supersedes: [one],
    });
    await fixture.run('discard', discarded);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(fixture, one), 'superseded');
    const closed = await approved('2027-08');
    const three = await fixture.givenReport({
      lines: [{ ...line, amount: '11' }],
      supersedes: [two],
    });
    await fixture.run('close', closed);
    await fixture.runUntilIdle();
    assert.equal((await balanceOf(partner)).available, '7.000000');
    // Replaced before a run has taken it: its successor takes back what it would have taken back.
    await fixture.service.query(`update store_reports set status = 'superseded' where id = $1`, [
      toUuid(three as Id<'rpt'>),
    ]);
    await fixture.givenReport({ lines: [{ ...line, amount: '13' }], supersedes: [three] });
    await fixture.closeMonth('2027-09');
    assert.equal((await balanceOf(partner)).available, '13.000000');
    assert.equal(await statusOf(fixture, two), 'superseded');
  });

  test('what a store has paid and withheld counts for the successor; holds of the replaced report end', async () => {
    const storeId = 'paid-later';
    await fixture.service.query(
      `insert into stores select (jsonb_populate_record(store, jsonb_build_object('store_id', $1::text, 'pay_on', 'remittance'))).*
         from stores store limit 1`,
      [storeId],
    );
    const remit = (reportId: string, amount: string, tax: string, settled: string) =>
      fixture.admin(
        'remittances',
        'record',
        `--store=${storeId}`,
        `--reference=${reportId}`,
        '--currency=GBP',
        `--amount=${amount}`,
        `--source-tax=${tax}`,
        '--settled-currency=EUR',
        `--settled-amount=${settled}`,
        '--value-date=2027-12-01',
        `--reports=${reportId}`,
      );
    const [held, forfeited] = [await fixture.givenPartner(), await fixture.givenPartner()];
    const linesOf = (one: string, two: string) => [
      { org: held, isrc: 'QZABC2600001', amount: one },
      { org: forfeited, isrc: 'QZABC2600002', amount: two },
    ];
    const given = { storeId, currency: 'GBP' };
    const replaced = await fixture.givenReport({ ...given, lines: linesOf('100', '100') });
    const short = await remit(replaced, '160', '16', '165.60');
    assert.equal(short.status, 'short');
    await fixture.admin('remittances', 'decide', '--remittance', short.id, '--as', 'prorate');
    await fixture.closeMonth('2027-10');
    const { available, held: heldAmount } = await balanceOf(held);
    assert.deepEqual([available, heldAmount], ['84.640000', '21.160000']);
    const [hold] = (await forfeited.call('GET', '/v1/earning_holds')).json.data;
    await fixture.admin('earnings', 'forfeit', '--org', forfeited.orgId, '--hold', hold.id);

    const lines = linesOf('90', '80');
    const successor = await fixture.givenReport({ ...given, lines, supersedes: [replaced] });
    const due = await fixture.admin('remittances', 'due');
    assert.deepEqual(
      due.reports.find((each: Json) => each.report_id === successor)?.unpaid,
      [{ currency: 'GBP', due_amount: '10.0000000000' }],
      JSON.stringify(due),
    );
    assert.equal((await remit(successor, '10', '1', '10.35')).status, 'paid');
    await fixture.closeMonth('2027-11');
    for (const [partner, closing] of [
      [held, '93.150000'],
      [forfeited, '82.800000'],
    ] as const) {
      const balance = await balanceOf(partner);
      assert.deepEqual([balance.available, balance.held], [closing, '0.000000']);
    }
    const [correction] = await adjustmentsOf(held);
    assert.deepEqual(
      [correction?.gross_amount, correction?.tax_amount, correction?.amount],
      ['-115.000000', '-9.200000', '-105.800000'],
    );
    assert.deepEqual(
      (await adjustmentsOf(forfeited)).map(({ amount, refers_to }) => [
        amount,
        String(refers_to).slice(0, 3),
      ]),
      [
        ['21.160000', 'hld'],
        ['-105.800000', 'stm'],
      ],
    );
    const [owed] = await fixture.service.query(
      `select sum(entry.amount) as amount
         from ledger_entries entry join ledger_transactions posting on posting.id = entry.transaction_id
        where entry.account = 'store_receivable' and entry.currency = 'EUR'
          and (entry.org_id = any ($1::uuid[]) or posting.key like 'remittance.recorded:%')`,
      [[uuidOf(held), uuidOf(forfeited)]],
    );
    assert.equal(owed.amount, '0.000000', 'the store owes nothing');
  });
});
