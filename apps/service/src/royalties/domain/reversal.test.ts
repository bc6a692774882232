import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import { parseMicros, toMicros } from '../../kernel/money.ts';
import { correctionOf, type LineTotals, paidFor, type Reversal, reversalsOf } from './reversal.ts';

const uuidOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const statementId = toWire('stm', uuidOf(1));
const withholding = [
  { statementId, territory: 'US', incomeType: 'royalty', basisPoints: 3_000 },
  { statementId, territory: 'US', incomeType: 'sale', basisPoints: 525 },
] as const;

const totals = (gross: number, fee: number, royalty: number, sale: number): LineTotals => ({
  gross: String(gross),
  fee: String(fee),
  bases: [{ territory: 'US', royalty: String(royalty), sale: String(sale) }],
});

const reversal: Reversal = {
  paidStatementId: statementId,
  reportId: toWire('rpt', uuidOf(2)),
  supersededBy: toWire('rpt', uuidOf(3)),
  storeId: 'aurora',
  paidRunId: toWire('run', uuidOf(4)),
  partnerOrgId: toWire('org', uuidOf(5)),
  currency: 'EUR',
  grossAmount: toMicros(60n),
  sourceTaxAmount: toMicros(6n),
  otherGrossAmount: toMicros(-20n),
  otherFeeAmount: toMicros(-2n),
  feeAmount: null,
  payeeTaxAmount: null,
  problem: null,
};

describe('the reversal of a report', () => {
  test('tax is that of a base above zero, once per territory and income type', () => {
    assert.deepEqual(paidFor(totals(100, 10, 95, -5), withholding), {
      grossAmount: 100n,
      feeAmount: 10n,
      payeeTaxAmount: 28n,
    });
    assert.equal(paidFor({ gross: '5', fee: '0', bases: [] }, withholding).payeeTaxAmount, 0n);
  });

  test('is what the statement paid, less what it pays without the report', () => {
    const paid = [totals(100, 10, 90, 0), totals(40, 4, 36, 0)].map((each) =>
      paidFor(each, withholding),
    );
    const [found] = reversalsOf(statementId, [reversal], paid, paid[0]!);
    assert.deepEqual(found, {
      paidStatementId: statementId,
      reportId: reversal.reportId,
      feeAmount: 6n,
      payeeTaxAmount: 16n,
      problem: null,
    });
  });

  test('has a problem if the line items are not what the statement paid', () => {
    const paid = [totals(100, 10, 90, 0), totals(40, 4, 36, 0)].map((each) =>
      paidFor(each, withholding),
    );
    const problemOf = (gross: bigint, expected: bigint): boolean => {
      const other = { ...paid[0]!, feeAmount: toMicros(expected) };
      const [found] = reversalsOf(
        statementId,
        [{ ...reversal, grossAmount: toMicros(gross) }],
        paid,
        other,
      );
      return found?.problem !== null;
    };
    assert.deepEqual(
      [problemOf(60n, 10n), problemOf(60n, 11n), problemOf(61n, 10n)],
      [false, true, true],
    );
  });

  test('becomes one adjustment with its fines, and with the signs changed', () => {
    const calculated = { ...reversal, feeAmount: toMicros(6n), payeeTaxAmount: toMicros(16n) };
    const { grossAmount, feeAmount, sourceTaxAmount, payeeTaxAmount } = correctionOf(calculated);
    assert.deepEqual([grossAmount, feeAmount, sourceTaxAmount, payeeTaxAmount].map(parseMicros), [
      -40n,
      -4n,
      -6n,
      -16n,
    ]);
    assert.throws(() => correctionOf(reversal), /is not calculated/);
  });
});
