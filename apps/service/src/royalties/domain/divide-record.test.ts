import assert from 'node:assert/strict';
import { test } from 'node:test';
import { divideRecord } from './divide-record.ts';

const noTax = { sourceTax: 0, payeeTax: { royalty: 0, sale: 0 } };
const stream = (gross: number, feeNumerator: number) =>
  ({ incomeType: 'royalty', gross, feeNumerator }) as const;
const download = (gross: number, feeNumerator: number) =>
  ({ incomeType: 'sale', gross, feeNumerator }) as const;

test('the rounded fee of a record goes to the largest remainders of its uses', () => {
  // 1.4 + 1.4 + 0.7 = 3.5 micros, rounded to the even 4.
  const uses = [stream(10, 14_000), stream(10, 14_000), stream(5, 7_000)];
  const fees = divideRecord(uses, { fee: 4, ...noTax }).map(({ fee }) => fee);
  assert.deepEqual(fees, [2, 1, 1]);
});

test('returns have negative fees, and the sum stays the fee of the record', () => {
  const uses = [stream(30, 45_000), stream(-10, -15_000)];
  const fees = divideRecord(uses, { fee: 3, ...noTax }).map(({ fee }) => fee);
  assert.deepEqual(fees, [5, -2]);
});

test('streams bear the tax on royalties and downloads the tax on sales', () => {
  const uses = [stream(100, 0), download(100, 0), stream(200, 0)];
  const deductions = { fee: 0, sourceTax: 40, payeeTax: { royalty: 31, sale: 7 } };
  assert.deepEqual(divideRecord(uses, deductions), [
    { fee: 0, sourceTax: 10, payeeTax: 10 },
    { fee: 0, sourceTax: 10, payeeTax: 7 },
    { fee: 0, sourceTax: 20, payeeTax: 21 },
  ]);
});

test('a tax without a use that earns anything goes to the first bearer; a negative tax keeps its sign', () => {
  const uses = [download(-5, 0), stream(-3, 0), stream(-2, 0)];
  const deductions = { fee: 0, sourceTax: 2, payeeTax: { royalty: -3, sale: 0 } };
  assert.deepEqual(
    divideRecord(uses, deductions).map(({ sourceTax, payeeTax }) => [sourceTax, payeeTax]),
    [
      [2, 0],
      [0, -3],
      [0, 0],
    ],
  );
  const refunded = { fee: 0, sourceTax: -3, payeeTax: { royalty: 0, sale: 0 } };
  assert.deepEqual(
    divideRecord([stream(1, 0), stream(1, 0)], refunded).map(({ sourceTax }) => sourceTax),
    [-2, -1],
  );
});

test('amounts above 2^53 are divided exactly', () => {
  const large = 2n ** 60n;
  const uses = [
    { incomeType: 'royalty', gross: large, feeNumerator: large * 1_500n },
    { incomeType: 'royalty', gross: 1n, feeNumerator: 1_500 },
  ] as const;
  const fee = (large * 1_500n + 1_500n) / 10_000n + 1n;
  const shares = divideRecord(uses, { fee, ...noTax });
  assert.equal(
    shares.reduce((sum, share) => sum + BigInt(share.fee), 0n),
    fee,
  );
});
