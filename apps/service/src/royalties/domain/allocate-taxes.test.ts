import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import { allocateTaxes } from './allocate-taxes.ts';
import type { CalculatedPart, PartSource, PartTaxBase } from './calculated-part.ts';
import type { SourceTax, WithholdingRate } from './calculation.ts';

const reportId = toWire('rpt', '9'.padStart(32, '0'));
const statementOf = (number: number) => toWire('stm', String(number).padStart(32, '0'));
const file = { path: '', rowCount: 0, sizeBytes: 0, sha256: '', amount: '0.000000' };

const partOf = (
  statement: number,
  part: number,
  { sources = [], taxBases = [] }: Partial<Pick<CalculatedPart, 'sources' | 'taxBases'>>,
): CalculatedPart => ({
  statementId: statementOf(statement),
  part,
  currency: 'EUR',
  items: file,
  recordCount: 0,
  playCount: 0,
  grossAmount: '0.000000',
  feeAmount: '0.000000',
  sources,
  taxBases,
});

const sourceOf = (amount: string, positiveGross = amount): PartSource => ({
  reportId,
  sourceCurrency: 'USD',
  rate: '0.5000000000',
  sourceAmount: amount,
  grossAmount: amount,
  positiveGross,
});

const taxOf = (amount: string): SourceTax => ({ reportId, sourceCurrency: 'USD', amount });

const baseOf = (base: string, positiveBase = base): PartTaxBase => ({
  territory: 'US',
  incomeType: 'royalty',
  base,
  positiveBase,
});

const withholding: readonly WithholdingRate[] = [
  { statementId: statementOf(1), territory: 'US', incomeType: 'royalty', basisPoints: 3_000 },
];

const sourceTaxesOf = (parts: readonly CalculatedPart[], amount: string) =>
  allocateTaxes(parts, [taxOf(amount)], []).parts.map(
    ({ sourceTaxes }) => sourceTaxes[0]?.amount ?? null,
  );

const payeeTaxesOf = (parts: readonly CalculatedPart[]) =>
  allocateTaxes(parts, [], withholding).parts.map(
    ({ payeeTaxes }) => payeeTaxes[0]?.amount ?? null,
  );

describe('a tax at source', () => {
  test('goes over statements by source amount, is converted once, and goes over parts by gross', () => {
    const parts = [
      partOf(2, 1, { sources: [sourceOf('1.000000')] }),
      partOf(1, 2, { sources: [sourceOf('1.000000', '3.000000')] }),
      partOf(1, 1, { sources: [sourceOf('1.000000')] }),
    ];
    // 3.333333, 6.666667 USD; the second is 3.333334 EUR (half-even of 3.3333335).
    assert.deepEqual(sourceTaxesOf(parts, '10'), ['1.666666', '2.500000', '0.833334']);
  });

  test('is not borne by a statement without income from the report', () => {
    const parts = [
      partOf(1, 1, { sources: [sourceOf('-1.000000', '2.000000')] }),
      partOf(2, 1, { sources: [sourceOf('5.000000')] }),
      partOf(3, 1, { sources: [sourceOf('0.0000001', '0.000000')] }),
      partOf(4, 1, {}),
    ];
    assert.deepEqual(sourceTaxesOf(parts, '10'), [null, '5.000000', null, null]);
  });

  test('that no statement can bear is reported', () => {
    const parts = [partOf(1, 1, { sources: [sourceOf('-1.000000', '0.000000')] })];
    assert.deepEqual(allocateTaxes(parts, [taxOf('10')], []).unallocated, [taxOf('10')]);
    assert.deepEqual(allocateTaxes(parts, [taxOf('0')], []).unallocated, []);
  });
});

describe('a tax of the payee', () => {
  test('is rounded once for the statement and goes over its parts', () => {
    const parts = [
      partOf(1, 1, { taxBases: [baseOf('0.000005')] }),
      partOf(1, 2, { taxBases: [baseOf('0.000010')] }),
    ];
    // 0.0000045 is a tie.
    assert.deepEqual(payeeTaxesOf(parts), ['0.000001', '0.000003']);
  });

  test('of a base below zero is nothing', () => {
    const parts = [
      partOf(1, 1, { taxBases: [baseOf('-10.000000', '1.000000')] }),
      partOf(1, 2, { taxBases: [baseOf('9.000000')] }),
    ];
    assert.deepEqual(payeeTaxesOf(parts), [null, null]);
  });
});
