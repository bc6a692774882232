/** What stores paid, as operators record it and a run reads it (ADR 0038). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import type { ReportId } from '../src/royalties/domain/report.ts';
import { readPayableReports } from '../src/royalties/store/run-rules.ts';
import type { Json } from './delivery-fixture.ts';
import { type GivenReport, givenReport, includeReport } from './paid-report-fixture.ts';
import { type OrgClient, openTestService, type TestService } from './test-service.ts';

describe('remittances', () => {
  let service: TestService;
  let partner: OrgClient;
  let storeId: string;
  let otherStoreId: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T12:00:00Z' });
    [storeId = '', otherStoreId = ''] = await listStores();
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const run = (...argv: readonly string[]): Promise<Json> => service.admin(...argv);
  const listStores = async (): Promise<string[]> => (await run('stores', 'seed')).stores;

  const report = (fields: Partial<GivenReport> = {}): Promise<ReportId> =>
    givenReport(service, { storeId, shares: { [partner.orgId]: '100' }, ...fields });
  const flagsOf = (fields: Readonly<Record<string, string>>): string[] =>
    Object.entries(fields).map(([name, value]) => `--${name}=${value}`);
  const record = (fields: Readonly<Record<string, string>>): Promise<Json> =>
    run(
      'remittances',
      'record',
      ...flagsOf({
        store: storeId,
        reference: randomUUID(),
        currency: 'EUR',
        amount: '100',
        'value-date': '2026-11-15',
        ...fields,
      }),
    );
  const decide = (remittance: string, as: string): Promise<Json> =>
    run('remittances', 'decide', '--remittance', remittance, '--as', as);
  const show = (remittance: string): Promise<Json> =>
    run('remittances', 'show', '--remittance', remittance);
  const read = (orgId = systemOrgId) =>
    service.workerDb.readTogether(orgId, (db) => readPayableReports(db, orgId));
  const payable = async (id: ReportId) =>
    (await read()).payable.find(({ reportId }) => reportId === id);
  const rowsOf = async () =>
    service.query(
      `select (select count(*)::int from remittances) as remittances, (select count(*)::int from remittance_reports) as
        reports, (select count(*)::int from ledger_transactions) as postings, (select count(*)::int from audit) as audits`,
    );

  test('a payment makes its report payable; the ledger has what was settled and the bank’s fee', async () => {
    const id = await report();
    assert.equal(await payable(id), undefined);
    const due = await run('remittances', 'due');
    assert.ok(due.reports.some((each: Json) => each.report_id === id));
    const recorded = await record({
      reports: id,
      'source-tax': '10',
      'settled-currency': 'USD',
      'settled-amount': '97.20',
      'bank-fee': '4.50',
    });
    assert.deepEqual(recorded, {
      id: recorded.id,
      completes: null,
      store_id: storeId,
      reference: recorded.reference,
      currency: 'EUR',
      amount: '100.000000',
      source_tax: '10.000000',
      settled_currency: 'USD',
      settled_amount: '97.200000',
      realized_rate: '1.0800000000',
      bank_fee: '4.500000',
      value_date: '2026-11-15',
      report_ids: [id],
      due_amount: '100.0000000000',
      status: 'paid',
      decision: null,
      created_at: '2026-11-16T12:00:00.000Z',
    });
    assert.deepEqual(await payable(id), {
      reportId: id,
      storeId,
      partNumbers: [1],
      currencies: [
        {
          currency: 'EUR',
          amount: '100.0000000000',
          sourceTax: '10.0000000000',
          payment: { settledCurrency: 'USD', settled: 97_200_000n, paid: 90_000_000n },
          disputed: [],
        },
      ],
    });
    const entries = await service.query(
      `select account, amount from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
        where t.key = $1 order by account`,
      [`remittance.recorded:${recorded.id}`],
    );
    assert.deepEqual(entries, [
      { account: 'bank_fees', amount: '-4.500000' },
      { account: 'cash', amount: '-92.700000' },
      { account: 'store_receivable', amount: '97.200000' },
    ]);
    assert.ok((await run('ledger', 'verify')).organizations.every((o: Json) => o.intact));
  });

  test('the same reference again answers the existing remittance, and other content is refused', async () => {
    const id = await report();
    const content = { reports: id, reference: 'BANK-1' };
    const first = await record(content);
    const existing = await service.query('select count(*)::int as n from ledger_transactions');
    assert.deepEqual(await record(content), first);
    assert.deepEqual(await record({ ...content, reports: `${id},${id}` }), first);
    for (const other of [
      { amount: '99' },
      { 'bank-fee': '1' },
      { 'value-date': '2026-11-14' },
      { 'source-tax': '1' },
      { reports: await report() },
    ]) {
      await assert.rejects(record({ ...content, ...other }), /is recorded with other content/);
    }
    assert.deepEqual(
      await service.query('select count(*)::int as n from ledger_transactions'),
      existing,
    );
  });

  test('what is due is every row: matched, in suspense, rejected, fines and fees', async () => {
    const id = await report({ suspense: '10', rejected: '5', other: '-3.25' });
    const { due_amount, status } = await record({ reports: id, amount: '111.75' });
    assert.deepEqual([due_amount, status], ['111.7500000000', 'paid']);
  });

  test('one remittance pays several reports, also a negative one', async () => {
    const ids = [await report(), await report({ shares: { [partner.orgId]: '-30' } })];
    const { status, report_ids } = await record({ reports: ids.join(','), amount: '70' });
    assert.deepEqual([status, report_ids], ['paid', ids.toSorted()]);
    for (const id of ids) assert.ok(await payable(id));
  });

  test('a second remittance completes a short one', async () => {
    const id = await report();
    const first = await record({ reports: id, amount: '60' });
    assert.equal(first.status, 'short');
    assert.equal(await payable(id), undefined);
    await decide(first.id, 'accept');
    assert.ok(await payable(id));
    const second = await record({ completes: first.id, amount: '30' });
    assert.deepEqual([second.completes, second.status, second.report_ids], [first.id, null, [id]]);
    const stillShort = await show(first.id);
    assert.deepEqual([stillShort.status, stillShort.decision], ['short', null]);
    assert.equal(await payable(id), undefined, 'the decision was about another difference');
    const third = await record({ completes: first.id, amount: '10' });
    const paid = await show(third.id);
    assert.deepEqual(
      paid.payments.map((each: Json) => [each.id, each.status]),
      [
        [first.id, 'paid'],
        [second.id, null],
        [third.id, null],
      ],
    );
    assert.ok(await payable(id));
  });

  for (const [amount, status, decisions] of [
    ['90', 'short', { wait: false, accept: true, prorate: true }],
    ['110', 'over', { wait: false, accept: true, prorate: /only a shortfall can be prorated/ }],
    [
      '100',
      'paid',
      { wait: /nothing to decide/, accept: /nothing to decide/, prorate: /nothing to decide/ },
    ],
  ] as const) {
    test(`${status}: every decision, and every one after another`, async () => {
      const id = await report();
      const remittance = await record({ reports: id, amount });
      assert.equal(remittance.status, status);
      for (const [first, firstResult] of Object.entries(decisions)) {
        for (const [second, secondResult] of Object.entries(decisions)) {
          for (const [decision, result] of [
            [first, firstResult],
            [second, secondResult],
          ] as const) {
            if (typeof result === 'boolean') {
              assert.equal((await decide(remittance.id, decision)).decision, decision);
              assert.equal((await payable(id)) !== undefined, result, decision);
            } else await assert.rejects(decide(remittance.id, decision), result);
          }
        }
      }
    });
  }

  test('prorated, the shortfall is disputed in proportion, and the house bears that of suspense', async () => {
    const other = await service.givenOrganization();
    const shares = { [partner.orgId]: '50', [other.orgId]: '30' };
    const id = await report({ shares, suspense: '20' });
    const { id: remittance } = await record({ reports: id, amount: '90' });
    await decide(remittance, 'prorate');
    const disputed = (await payable(id))?.currencies[0]?.disputed ?? [];
    assert.deepEqual(
      new Map(disputed.map(({ orgId, amount }) => [orgId, amount])),
      new Map([
        [partner.orgId, '5.0000000000'],
        [other.orgId, '3.0000000000'],
      ]),
    );
  });

  test('a decision is final when a run has taken the report', async () => {
    const id = await report();
    const { id: remittance } = await record({ reports: id, amount: '90' });
    await decide(remittance, 'accept');
    await includeReport(service, id);
    for (const decision of ['wait', 'accept', 'prorate']) {
      await assert.rejects(decide(remittance, decision), /the decision is final/);
    }
    assert.equal(await payable(id), undefined, 'no part is left');
    await record({ completes: remittance, amount: '5' });
    assert.equal((await show(remittance)).decision, 'accept');
    await record({ completes: remittance, amount: '5' });
    assert.equal((await show(remittance)).status, 'paid');
  });

  test('refusals leave no trace', async () => {
    const id = await report();
    const paid = await report();
    const first = await record({ reports: paid });
    const completing = await record({ completes: first.id, amount: '1' });
    const unknown = 'rpt_01h455vb4pex5vsknk084sn02q';
    const existing = await rowsOf();
    const usd = { 'settled-currency': 'USD', 'settled-amount': '108' };
    for (const [fields, message] of [
      [{ reports: id, amount: '0' }, /amount must be above zero/],
      [{ reports: id, amount: '1.0000001' }, /at most six decimals/],
      [{ reports: id, 'source-tax': '-1' }, /source_tax must be zero or more/],
      [
        { reports: id, 'source-tax': '100.01' },
        /source_tax must be zero or more, and at most amount/,
      ],
      [{ reports: id, 'settled-amount': '99' }, /settled_amount must be amount - source_tax/],
      [{ reports: id, 'settled-currency': 'USD' }, /--settled-amount is required/],
      [{ reports: id, ...usd, 'settled-amount': '1.001' }, /whole number of minor units of USD/],
      [{ reports: id, 'settled-currency': 'JPY', 'settled-amount': '160.5' }, /minor units of JPY/],
      [
        { reports: id, 'settled-currency': 'KWD', 'settled-amount': '33.0001' },
        /minor units of KWD/,
      ],
      [{ reports: id, ...usd, 'settled-amount': '0' }, /zero if, and only if/],
      [{ reports: id, ...usd, 'source-tax': '100' }, /zero if, and only if/],
      [{ reports: id, ...usd, 'bank-fee': '108.01' }, /bank_fee must be/],
      [{ reports: id, ...usd, 'bank-fee': '-1' }, /bank_fee must be/],
      [{ reports: id, amount: '0.000001', ...usd, 'settled-amount': '10000' }, /must give a rate/],
      [{ reports: id, store: 'nostore' }, /No store has the store_id nostore/],
      [{ reports: id, currency: 'XXX' }, /ISO 4217/],
      [{ reports: id, 'value-date': '2026-02-30' }, /date of the calendar/],
      [{ reports: id, reference: 'x'.repeat(201) }, /at most 200 characters/],
      [{ reports: unknown }, /There is no report/],
      [{ reports: 'rel_x' }, /--reports must be a list .* \(rpt_… id\)/],
      [{ reports: id, currency: 'USD' }, /must have amounts in USD/],
      [{ reports: paid }, /send --completes/],
      [{}, /Send --reports, or --completes/],
      [{ reports: id, completes: first.id }, /Send --reports, or --completes/],
      [{ completes: 'rmt_01h455vb4pex5vsknk084sn02q' }, /There is no remittance/],
      [{ completes: completing.id }, new RegExp(`must be ${first.id}`)],
      [{ completes: first.id, currency: 'USD' }, /must be a remittance of/],
      [{ completes: first.id, ...usd }, /settled_currency must be EUR/],
    ] as const) {
      await assert.rejects(record(fields), message);
    }
    for (const status of ['received', 'rejected', 'superseded']) {
      const other = await report({ status });
      await assert.rejects(record({ reports: other }), new RegExp(`is ${status}`));
    }
    await assert.rejects(decide(completing.id, 'accept'), /Decide about rmt_/);
    await assert.rejects(
      decide('rmt_01h455vb4pex5vsknk084sn02q', 'wait'),
      /There is no remittance/,
    );
    await assert.rejects(show('rmt_01h455vb4pex5vsknk084sn02q'), /There is no remittance/);
    assert.deepEqual(await rowsOf(), existing);
  });

  test('a report of another store is refused', async () => {
    const id = await report({ storeId: otherStoreId });
    await assert.rejects(record({ reports: id }), /must be reports of/);
  });

  test('everything withheld: nothing is posted and the report is paid', async () => {
    const id = await report();
    const { status, realized_rate } = await record({ reports: id, 'source-tax': '100' });
    assert.deepEqual([status, realized_rate], ['paid', null]);
    assert.equal((await payable(id))?.currencies[0]?.payment, null);
  });

  test('two remittances of one report at once: one is recorded', async () => {
    const id = await report();
    const results = await Promise.allSettled([record({ reports: id }), record({ reports: id })]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  test('a store that pays on report, and a report of a partner, need no remittance', async () => {
    const id = await report();
    const set = await run('stores', 'pay-on', '--store', storeId, '--on', 'report');
    assert.deepEqual(set, { store_id: storeId, pay_on: 'report' });
    assert.ok(await payable(id));
    await run('stores', 'seed');
    assert.ok(await payable(id), 'seeding does not change it');
    await run('stores', 'pay-on', '--store', storeId, '--on', 'remittance');
    assert.equal(await payable(id), undefined);
    await assert.rejects(
      run('stores', 'pay-on', '--store', 'nostore', '--on', 'report'),
      /No store/,
    );
    const own = await report({ orgId: partner.orgId });
    const { payable: ownReports } = await read(partner.orgId as typeof systemOrgId);
    assert.deepEqual(
      ownReports.map(({ reportId }) => reportId),
      [own],
    );
  });

  test('list shows the newest first, of one store if asked', async () => {
    const { remittances } = await run('remittances', 'list', '--store', storeId);
    assert.ok(remittances.length > 10);
    const { remittances: none } = await run('remittances', 'list', '--store', 'nostore');
    assert.deepEqual(none, []);
  });
});
