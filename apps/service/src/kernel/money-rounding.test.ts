import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  allocate,
  convertAt,
  divideHalfEven,
  formatFxRate,
  formatMicros,
  negate,
  parseFxRate,
  parseMicros,
  sumMicros,
  takeBasisPoints,
  toMicros,
  type FxRate,
  type Micros,
} from './money.ts';

const largest = toMicros(10n ** 28n - 1n);
const smallest = negate(largest);

const micros = (text: string): Micros => {
  const amount = parseMicros(text);
  assert.ok(amount !== undefined, `${text} is an amount`);
  return amount;
};
const fxRate = (text: string): FxRate => {
  const rate = parseFxRate(text);
  assert.ok(rate !== undefined, `${text} is a rate`);
  return rate;
};

const anyMicros = fc.bigInt({ min: smallest, max: largest }).map(toMicros);
const anyWeights = fc
  .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 50 })
  .filter((weights) => weights.some((weight) => weight > 0n));

describe('half-even division', () => {
  for (const [numerator, denominator, quotient] of [
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [-1n, 2n, 0n],
    [-3n, 2n, -2n],
    [-5n, 2n, -2n],
    [1n, -2n, 0n],
    [3n, -2n, -2n],
    [-3n, -2n, 2n],
    [-5n, -2n, 2n],
    [2n, 3n, 1n],
    [1n, 3n, 0n],
    [-2n, 3n, -1n],
    [2n, -3n, -1n],
    [-2n, -3n, 1n],
    [-1n, 3n, 0n],
    [49n, 100n, 0n],
    [51n, 100n, 1n],
    [0n, -7n, 0n],
    [6n, 3n, 2n],
  ] as const) {
    test(`${numerator} / ${denominator} is ${quotient}`, () =>
      assert.equal(divideHalfEven(numerator, denominator), quotient));
  }

  test('division by zero is refused', () => {
    assert.throws(() => divideHalfEven(1n, 0n), RangeError);
    assert.throws(() => divideHalfEven(0n, 0n), RangeError);
  });

  test('the result is at most half away, and even if exactly half', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -1_000n, max: 1_000n }),
        fc.bigInt({ min: -50n, max: 50n }).filter((denominator) => denominator !== 0n),
        (numerator, denominator) => {
          const quotient = divideHalfEven(numerator, denominator);
          const twiceAway = 2n * (numerator - quotient * denominator);
          assert.ok(twiceAway ** 2n <= denominator ** 2n);
          if (twiceAway ** 2n === denominator ** 2n) assert.equal(quotient % 2n, 0n);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('basis points', () => {
  test('10,000 are all of the amount, 0 are nothing', () => {
    assert.equal(takeBasisPoints(largest, 10_000), largest);
    assert.equal(takeBasisPoints(smallest, 10_000), smallest);
    assert.equal(takeBasisPoints(largest, 0), 0n);
  });

  test('ties go to the even micro, with either sign', () => {
    assert.equal(takeBasisPoints(toMicros(1n), 5_000), 0n);
    assert.equal(takeBasisPoints(toMicros(3n), 5_000), 2n);
    assert.equal(takeBasisPoints(toMicros(-1n), 5_000), 0n);
    assert.equal(takeBasisPoints(toMicros(-3n), 5_000), -2n);
    assert.equal(takeBasisPoints(toMicros(10n), 1_500), 2n);
    assert.equal(takeBasisPoints(toMicros(10n), 2_500), 2n);
  });

  test('a fee of 15 % is exact', () => {
    assert.equal(formatMicros(takeBasisPoints(micros('12.34'), 1_500)), '1.851000');
  });

  for (const bad of [-1, 10_001, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`${bad} basis points are refused`, () =>
      assert.throws(() => takeBasisPoints(toMicros(1n), bad), RangeError));
  }
});

describe('FX rates', () => {
  test('a rate has up to ten digits on each side of the point', () => {
    assert.equal(parseFxRate('1'), 10_000_000_000n);
    assert.equal(parseFxRate('0.0000000001'), 1n);
    assert.equal(parseFxRate('9999999999.9999999999'), 10n ** 20n - 1n);
    assert.equal(formatFxRate(fxRate('1.08')), '1.0800000000');
    assert.equal(formatFxRate(fxRate('0.0000000001')), '0.0000000001');
  });

  for (const bad of [
    '',
    '0',
    '0.0',
    '-1',
    '+1',
    '01',
    '.5',
    '1.',
    '1e2',
    ' 1',
    '1\n',
    '10000000000',
    '0.00000000001',
  ]) {
    test(`${JSON.stringify(bad)} is not a rate`, () => assert.equal(parseFxRate(bad), undefined));
  }

  test('a conversion is rounded once, half-even', () => {
    assert.equal(formatMicros(convertAt(micros('100'), fxRate('1.0823456789'))), '108.234568');
    assert.equal(convertAt(toMicros(1n), fxRate('0.5')), 0n);
    assert.equal(convertAt(toMicros(3n), fxRate('0.5')), 2n);
    assert.equal(convertAt(toMicros(-1n), fxRate('0.5')), 0n);
    assert.equal(convertAt(toMicros(-3n), fxRate('0.5')), -2n);
    assert.equal(convertAt(toMicros(1n), fxRate('0.5000000001')), 1n);
    assert.equal(convertAt(toMicros(-1n), fxRate('0.5000000001')), -1n);
    assert.equal(convertAt(toMicros(3n), fxRate('0.4999999999')), 1n);
  });

  test('a rate of one changes nothing, and a result beyond the limit is refused', () => {
    assert.equal(convertAt(largest, fxRate('1')), largest);
    assert.throws(() => convertAt(largest, fxRate('1.0000000001')), RangeError);
    assert.throws(() => convertAt(smallest, fxRate('2')), RangeError);
  });
});

describe('allocation by largest remainder', () => {
  for (const [total, weights, shares] of [
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [101n, [1n, 1n, 1n], [34n, 34n, 33n]],
    [-101n, [1n, 1n, 1n], [-34n, -34n, -33n]],
    [10n, [1n, 2n, 3n], [2n, 3n, 5n]],
    [1n, [1n, 2n], [0n, 1n]],
    [1n, [0n, 1n, 0n, 1n], [0n, 1n, 0n, 0n]],
    [7n, [0n, 5n, 0n], [0n, 7n, 0n]],
    [0n, [3n, 4n], [0n, 0n]],
    [5n, [9n], [5n]],
    [2n, [1n, 1n, 1n, 1n], [1n, 1n, 0n, 0n]],
  ] as const) {
    test(`${total} by ${weights.join(':')} is ${shares.join(', ')}`, () =>
      assert.deepEqual(allocate(toMicros(total), weights), shares));
  }

  test('the largest amount is divided without loss', () => {
    const shares = allocate(largest, [1n, 10n ** 28n, 3n]);
    assert.equal(sumMicros(shares), largest);
  });

  test('weights that are negative, all zero or missing are refused', () => {
    assert.throws(() => allocate(toMicros(1n), []), RangeError);
    assert.throws(() => allocate(toMicros(1n), [0n, 0n]), RangeError);
    assert.throws(() => allocate(toMicros(1n), [2n, -1n]), RangeError);
    assert.throws(() => allocate(toMicros(1n), [1n, -1n]), RangeError);
    assert.throws(() => allocate(toMicros(0n), [-1n, -1n]), RangeError);
  });

  test('the shares add up to the total, each within one micro of its quota', () => {
    fc.assert(
      fc.property(anyMicros, anyWeights, (total, weights) => {
        const shares = allocate(total, weights);
        const weightSum = weights.reduce((sum, weight) => sum + weight, 0n);
        assert.equal(shares.length, weights.length);
        assert.equal(sumMicros(shares), total);
        for (const [i, share] of shares.entries()) {
          const weight = weights[i] ?? 0n;
          assert.ok((share * weightSum - total * weight) ** 2n < weightSum ** 2n);
          if (weight === 0n) assert.equal(share, 0n);
        }
      }),
    );
  });

  test('a negative total gives the mirror image', () => {
    fc.assert(
      fc.property(anyMicros, anyWeights, (total, weights) => {
        assert.deepEqual(allocate(negate(total), weights), allocate(total, weights).map(negate));
      }),
    );
  });

  test('equal weights never favor a later index', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 9n }).map(toMicros),
        fc.integer({ min: 1, max: 50 }),
        (total, count) => {
          const shares = allocate(
            total,
            Array.from({ length: count }, () => 1n),
          );
          assert.deepEqual(
            shares,
            shares.toSorted((a, b) => Number(b - a)),
          );
        },
      ),
    );
  });
});
