import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import { toMicros } from '../../kernel/money.ts';
import { carriedPayments } from './carried-payment.ts';
import type { Settlement } from './payable-report.ts';

const uuidOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const report = (n: number) => toWire('rpt', uuidOf(n));

/** Of 100 units and 3 of tax, settled as 291. */
const settlementOf = (...reportIds: readonly number[]): Settlement => {
  const first = {
    id: toWire('rmt', uuidOf(9)),
    completes: null,
    storeId: 'aurora',
    reference: 'one',
    currency: 'GBP',
    amount: toMicros(100n),
    sourceTax: toMicros(3n),
    settledCurrency: 'EUR',
    settledAmount: toMicros(291n),
    bankFee: toMicros(0n),
    valueDate: '2026-11-16',
    dueAmount: '0.0001000000',
    status: 'paid',
    decision: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  } as const;
  return { first, all: [first], reportIds: reportIds.map(report) };
};

const share = (n: number, amount: string) => ({
  reportId: report(n),
  partNumber: 1,
  orgId: toWire('org', uuidOf(50)),
  currency: 'GBP' as const,
  amount,
});
const total = (n: number, matchedAmount: string, suspenseAmount: string) => ({
  reportId: report(n),
  currency: 'GBP' as const,
  declaredAmount: null,
  matchedAmount,
  suspenseAmount,
  rejectedAmount: '0',
  otherAmount: '0',
});

const carriedOf = (settlement: Settlement, replaced: number) =>
  carriedPayments({
    replacements: [{ reportId: report(replaced), supersededBy: report(3) }],
    settlements: [settlement],
    totals: [total(1, '0.00006', '0.00001'), total(2, '0.00003', '0')],
    shares: [share(1, '0.00006'), share(2, '0.00003')],
  }).map(({ amount, sourceTax, settledAmount }) => [amount, sourceTax, settledAmount]);

describe('a payment that counts for the successor of a report', () => {
  test('is the whole remittance, if it was for the replaced report only', () => {
    assert.deepEqual(carriedOf(settlementOf(1), 1), [[100n, 3n, 291n]]);
    assert.deepEqual(carriedOf(settlementOf(2), 1), []);
  });

  test('is the part of the replaced report, also of its rows without an owner; the parts add up', () => {
    const [one = [], two = []] = [1, 2].map((n) => carriedOf(settlementOf(1, 2), n)[0]);
    assert.deepEqual(one, [70n, 2n, 204n]);
    assert.deepEqual(
      one.map((amount, i) => amount + (two[i] ?? 0n)),
      [100n, 3n, 291n],
    );
  });
});
