import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toWire } from '../../kernel/ids.ts';
import { type Micros, parseMicros, toMicros } from '../../kernel/money.ts';
import {
  type PayableInput,
  payableReports,
  paymentsOf,
  type ShareOfReport,
  sourceTaxesOf,
} from './payable-report.ts';
import { type Remittance, remittanceStatus } from './remittance.ts';
import type { ReportId } from './report.ts';
import { formatSourceAmount, sourceUnits } from './source-amount.ts';

const uuidOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const report = (n: number): ReportId => toWire('rpt', uuidOf(n));
const partner = (n: number) => toWire('org', uuidOf(100 + n));

function micros(text: string): Micros {
  const amount = parseMicros(text);
  assert.ok(amount !== undefined);
  return amount;
}

const remittance = (fields: Partial<Remittance>): Remittance => ({
  id: toWire('rmt', uuidOf(1000)),
  completes: null,
  storeId: 'store',
  reference: 'one',
  currency: 'EUR',
  amount: micros('100'),
  sourceTax: micros('0'),
  settledCurrency: 'EUR',
  settledAmount: micros('100'),
  bankFee: micros('0'),
  valueDate: '2026-11-16',
  dueAmount: '100.0000000000',
  status: 'paid',
  decision: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});

type Given = {
  readonly shares: readonly (readonly [
    report: number,
    part: number,
    org: number,
    amount: string,
  ])[];
  readonly suspense?: string;
  readonly remittances?: readonly Remittance[];
  readonly isPaidOnReport?: boolean;
  readonly openParts?: readonly number[];
};

/** Reports 1 and 2 in EUR; `suspense` is of report 1. */
function inputOf(given: Given): PayableInput {
  const shares = given.shares.map(([reportNumber, partNumber, org, amount]): ShareOfReport => ({
    reportId: report(reportNumber),
    partNumber,
    orgId: partner(org),
    currency: 'EUR',
    amount,
  }));
  const ids = [...new Set(shares.map(({ reportId }) => reportId))];
  const [first] = given.remittances ?? [];
  return {
    reports: ids.map((reportId) => ({
      reportId,
      storeId: 'store',
      isPaidOnReport: given.isPaidOnReport ?? false,
      partNumbers: given.openParts ?? [1],
    })),
    totals: ids.map((reportId) => ({
      reportId,
      currency: 'EUR',
      declaredAmount: null,
      matchedAmount: formatSourceAmount(
        shares
          .filter((share) => share.reportId === reportId)
          .reduce((sum, { amount }) => sum + sourceUnits(amount), 0n),
      ),
      suspenseAmount: reportId === report(1) ? (given.suspense ?? '0') : '0',
      rejectedAmount: '0',
      otherAmount: '0',
    })),
    shares,
    carried: [],
    settlements:
      first === undefined ? [] : [{ first, all: given.remittances ?? [], reportIds: ids }],
  };
}

describe('the status of a remittance', () => {
  for (const [due, paid, currency, status] of [
    ['100.0000000000', '100', 'EUR', 'paid'],
    ['100.0099999999', '100', 'EUR', 'paid'],
    ['100.0100000000', '100', 'EUR', 'short'],
    ['99.9900000001', '100', 'EUR', 'paid'],
    ['99.9900000000', '100', 'EUR', 'over'],
    ['100.9999999999', '100', 'JPY', 'paid'],
    ['101.0000000000', '100', 'JPY', 'short'],
    ['99.0000000000', '100', 'JPY', 'over'],
    ['100.0009999999', '100', 'KWD', 'paid'],
    ['100.0010000000', '100', 'KWD', 'short'],
    ['-5.0000000000', '1', 'EUR', 'over'],
  ] as const) {
    test(`${paid} of ${due} ${currency} is ${status}`, () =>
      assert.equal(remittanceStatus(due, [micros(paid)], currency), status));
  }

  test('counts all payments', () => {
    const payments = ['60', '39.99', '0.01'].map(micros);
    const statuses = [1, 2, 3].map((n) =>
      remittanceStatus('100.0000000000', payments.slice(0, n), 'EUR'),
    );
    assert.deepEqual(statuses, ['short', 'short', 'paid']);
  });
});

describe('a report', () => {
  const shares = [
    [1, 1, 1, '60.0000000000'],
    [1, 1, 2, '40.0000000000'],
  ] as const;
  const isPayable = (given: Omit<Given, 'shares'>) =>
    payableReports(inputOf({ shares, ...given })).payable.length === 1;

  test('waits for a remittance, and names what is due', () => {
    const { payable, unpaid } = payableReports(inputOf({ shares }));
    assert.deepEqual(payable, []);
    assert.deepEqual(unpaid, [
      {
        reportId: report(1),
        storeId: 'store',
        unpaid: [{ currency: 'EUR', due: '100.0000000000' }],
      },
    ]);
  });

  test('of a store that pays on report does not wait', () =>
    assert.ok(isPayable({ isPaidOnReport: true })));

  test('is payable by status and decision', () => {
    for (const [status, decision, expected] of [
      ['paid', null, true],
      ['short', null, false],
      ['short', 'wait', false],
      ['short', 'accept', true],
      ['short', 'prorate', true],
      ['over', null, false],
      ['over', 'wait', false],
      ['over', 'accept', true],
    ] as const) {
      const remittances = [remittance({ status, decision })];
      assert.equal(isPayable({ remittances }), expected, `${status} ${decision}`);
    }
  });

  test('with less than a minor unit needs no remittance', () => {
    const given = (amount: string) => inputOf({ shares: [[1, 1, 1, amount]] });
    assert.equal(payableReports(given('0.0099999999')).payable.length, 1);
    assert.equal(payableReports(given('-0.0099999999')).payable.length, 1);
    assert.equal(payableReports(given('0.0100000000')).payable.length, 0);
    assert.equal(payableReports(given('-0.0100000000')).payable.length, 0);
  });

  test('has the tax of its open parts only, and the house bears the tax of what has no owner', () => {
    const paid = [remittance({ sourceTax: micros('10'), settledAmount: micros('90') })];
    const given = {
      shares: [
        [1, 1, 1, '50.0000000000'],
        [1, 2, 1, '30.0000000000'],
      ] as const,
      suspense: '20.0000000000',
      remittances: paid,
    };
    const taxOf = (openParts: readonly number[]) =>
      sourceTaxesOf(payableReports(inputOf({ ...given, openParts })).payable)[0]?.amount;
    assert.equal(taxOf([1]), '5.0000000000');
    assert.equal(taxOf([2]), '3.0000000000');
    assert.equal(taxOf([1, 2]), '8.0000000000');
  });

  test('has the payments of all its remittances, for one realized rate', () => {
    const usd = { settledCurrency: 'USD' as const };
    const remittances = [
      remittance({
        ...usd,
        amount: micros('60'),
        sourceTax: micros('10'),
        settledAmount: micros('55'),
      }),
      remittance({ ...usd, amount: micros('40'), settledAmount: micros('44') }),
    ];
    const { payable } = payableReports(inputOf({ shares, remittances }));
    const payment = paymentsOf(payable)[0]?.payments.get('EUR');
    assert.deepEqual(payment, { ...usd, settled: micros('99'), paid: micros('90') });
  });

  test('from which everything was withheld has no payment, so its rate is that of the set', () => {
    const remittances = [remittance({ sourceTax: micros('100'), settledAmount: micros('0') })];
    const { payable } = payableReports(inputOf({ shares, remittances }));
    assert.equal(payable[0]?.currencies[0]?.payment, null);
    assert.equal(sourceTaxesOf(payable)[0]?.amount, '100.0000000000');
  });

  test('prorated: the shortfall is disputed in proportion, and nothing else is', () => {
    const short = { status: 'short', amount: micros('90') } as const;
    const of = (decision: 'accept' | 'prorate') =>
      payableReports(inputOf({ shares, remittances: [remittance({ ...short, decision })] }))
        .payable[0]?.currencies[0]?.disputed;
    assert.deepEqual(of('accept'), []);
    assert.deepEqual(of('prorate'), [
      { partNumber: 1, orgId: partner(1), amount: '6.0000000000' },
      { partNumber: 1, orgId: partner(2), amount: '4.0000000000' },
    ]);
  });

  test('no share of a tax or a shortfall is lost, negative, or above its amount by a micro', () => {
    const anyShare = fc.tuple(
      fc.constantFrom(1, 2),
      fc.constant(1),
      fc.integer({ min: 1, max: 4 }),
      fc.bigInt({ min: -(10n ** 12n), max: 10n ** 14n }).map(formatSourceAmount),
    );
    const anyShares = fc
      .uniqueArray(anyShare, { minLength: 1, maxLength: 8, selector: ([r, , o]) => `${r} ${o}` })
      .filter((all) => all.reduce((sum, [, , , a]) => sum + sourceUnits(a), 0n) > 10n ** 11n);
    let disputes = 0;
    fc.assert(
      fc.property(anyShares, fc.bigInt({ min: 1n, max: 9n }), (all, tenths) => {
        const due = all.reduce((sum, [, , , amount]) => sum + sourceUnits(amount), 0n);
        const amount = toMicros((due / 10_000n / 10n) * tenths);
        const sourceTax = toMicros(amount / 7n);
        const first = remittance({
          amount,
          sourceTax,
          dueAmount: formatSourceAmount(due),
          status: 'short',
          decision: 'prorate',
        });
        const { payable } = payableReports(inputOf({ shares: all, remittances: [first] }));
        const taxes = sourceTaxesOf(payable).reduce(
          (sum, tax) => sum + sourceUnits(tax.amount),
          0n,
        );
        assert.equal(taxes, sourceTax * 10_000n);
        const found = payable.flatMap(({ reportId, currencies }) =>
          currencies.flatMap(({ disputed }) => disputed.map((each) => ({ reportId, ...each }))),
        );
        const total = found.reduce((sum, each) => sum + sourceUnits(each.amount), 0n);
        const short = due - amount * 10_000n;
        assert.equal(total, short - (short % 10n ** 8n), 'whole cents, all of them');
        for (const each of found) {
          const share = all.find(
            ([r, , o]) => report(r) === each.reportId && partner(o) === each.orgId,
          );
          const units = sourceUnits(share?.[3] ?? '0');
          assert.ok(sourceUnits(each.amount) > 0n && sourceUnits(each.amount) < units + 10_000n);
          disputes += 1;
        }
      }),
    );
    assert.ok(disputes > 100);
  });
});

test('source amounts have ten decimals, exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 28n) + 1n, max: 10n ** 28n - 1n }), (units) => {
      assert.equal(sourceUnits(formatSourceAmount(units)), units);
    }),
  );
  assert.equal(sourceUnits('-0.0000000001'), -1n);
  assert.equal(sourceUnits('1.5'), 15_000_000_000n);
  for (const text of ['', '1.', '.5', '1e3', '1.00000000001']) {
    assert.throws(() => sourceUnits(text), TypeError, text);
  }
});
