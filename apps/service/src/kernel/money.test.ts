import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { currencies } from './currency.ts';
import {
  floorToMinorUnits,
  formatMicros,
  formatMinorUnits,
  isWholeMinorUnits,
  negate,
  parseMicros,
  sumMicros,
  toMicros,
  type Micros,
} from './money.ts';

const limit = 10n ** 28n;
const largest = toMicros(limit - 1n);
const smallest = toMicros(-limit + 1n);

const micros = (text: string): Micros => {
  const amount = parseMicros(text);
  assert.ok(amount !== undefined, `${text} is an amount`);
  return amount;
};

const anyMicros = fc.bigInt({ min: smallest, max: largest }).map(toMicros);
const anyCurrency = fc.constantFrom(...currencies);

describe('micros', () => {
  test('an amount of 28 digits fits, one more does not', () => {
    assert.equal(toMicros(limit - 1n), limit - 1n);
    assert.equal(toMicros(1n - limit), 1n - limit);
    assert.throws(() => toMicros(limit), RangeError);
    assert.throws(() => toMicros(-limit), RangeError);
  });

  for (const [text, value] of [
    ['0', 0n],
    ['-0', 0n],
    ['-0.000000', 0n],
    ['0.5', 500_000n],
    ['-0.5', -500_000n],
    ['-0.000001', -1n],
    ['12.34', 12_340_000n],
    ['10', 10_000_000n],
    ['9007199254740993.000001', 9_007_199_254_740_993_000_001n],
    ['9999999999999999999999.999999', limit - 1n],
    ['-9999999999999999999999.999999', 1n - limit],
  ] as const) {
    test(`${text} is ${value} micros`, () => assert.equal(parseMicros(text), value));
  }

  for (const bad of [
    '',
    '-',
    '.',
    '.5',
    '5.',
    '+1',
    '--1',
    '007',
    '00',
    '-01',
    '1e3',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1_000',
    '0x10',
    '1.0000000',
    '1.2.3',
    '10000000000000000000000',
    'NaN',
    'Infinity',
    '１２',
  ]) {
    test(`${JSON.stringify(bad)} is not an amount`, () =>
      assert.equal(parseMicros(bad), undefined));
  }

  test('an amount is written with six decimals', () => {
    assert.equal(formatMicros(toMicros(12_340_000n)), '12.340000');
    assert.equal(formatMicros(toMicros(-1n)), '-0.000001');
    assert.equal(formatMicros(toMicros(0n)), '0.000000');
    assert.equal(formatMicros(smallest), '-9999999999999999999999.999999');
  });

  test('every amount survives the round trip through its text', () => {
    fc.assert(
      fc.property(anyMicros, (amount) => {
        assert.equal(parseMicros(formatMicros(amount)), amount);
      }),
    );
  });

  test('a sum is exact where a number would lose the last decimals', () => {
    const amounts = [micros('9007199254740992'), micros('0.000001'), micros('0.000002')];
    assert.equal(formatMicros(sumMicros(amounts)), '9007199254740992.000003');
    assert.equal(sumMicros([]), 0n);
  });

  test('a sum may pass the limit on the way, not at the end', () => {
    assert.equal(sumMicros([largest, toMicros(1n), toMicros(-1n)]), largest);
    assert.throws(() => sumMicros([largest, toMicros(1n)]), RangeError);
    assert.throws(() => sumMicros([smallest, toMicros(-1n)]), RangeError);
  });

  test('an amount and its negation add up to zero', () => {
    assert.equal(negate(toMicros(0n)), 0n);
    assert.equal(negate(largest), smallest);
    fc.assert(
      fc.property(anyMicros, (amount) => {
        assert.equal(sumMicros([amount, negate(amount)]), 0n);
      }),
    );
  });
});

describe('minor units', () => {
  test('an amount is written with the decimals of its currency', () => {
    assert.equal(formatMinorUnits(micros('1200'), 'JPY'), '1200');
    assert.equal(formatMinorUnits(micros('1.25'), 'KWD'), '1.250');
    assert.equal(formatMinorUnits(micros('0.05'), 'EUR'), '0.05');
    assert.equal(formatMinorUnits(micros('-0.05'), 'EUR'), '-0.05');
    assert.equal(formatMinorUnits(micros('-7'), 'JPY'), '-7');
    assert.equal(formatMinorUnits(micros('0'), 'JPY'), '0');
    assert.equal(formatMinorUnits(micros('0'), 'KWD'), '0.000');
  });

  test('an amount with a fraction of a minor unit is refused, not rounded', () => {
    assert.throws(() => formatMinorUnits(micros('1200.5'), 'JPY'), RangeError);
    assert.throws(() => formatMinorUnits(micros('0.001'), 'EUR'), RangeError);
    assert.throws(() => formatMinorUnits(micros('-0.0001'), 'KWD'), RangeError);
  });

  test('whether an amount is a whole number of minor units depends on the currency', () => {
    const amount = micros('-1.230');
    assert.ok(isWholeMinorUnits(amount, 'KWD'));
    assert.ok(isWholeMinorUnits(amount, 'EUR'));
    assert.ok(!isWholeMinorUnits(amount, 'JPY'));
    assert.ok(isWholeMinorUnits(micros('0'), 'JPY'));
  });

  test('flooring goes towards negative infinity', () => {
    assert.equal(floorToMinorUnits(micros('1.239999'), 'EUR'), 1_230_000n);
    assert.equal(floorToMinorUnits(micros('-1.230001'), 'EUR'), -1_240_000n);
    assert.equal(floorToMinorUnits(micros('-1.23'), 'EUR'), -1_230_000n);
    assert.equal(floorToMinorUnits(micros('0.999999'), 'JPY'), 0n);
    assert.equal(floorToMinorUnits(micros('-0.000001'), 'JPY'), -1_000_000n);
    assert.equal(floorToMinorUnits(micros('1.2509'), 'KWD'), 1_250_000n);
  });

  test('an amount that would be floored beyond the limit is refused', () => {
    assert.throws(() => floorToMinorUnits(smallest, 'JPY'), RangeError);
    assert.equal(floorToMinorUnits(largest, 'JPY'), limit - 1_000_000n);
  });

  test('the floor is whole, at most the amount, and less than one minor unit below', () => {
    const anySafeMicros = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(toMicros);
    fc.assert(
      fc.property(anySafeMicros, anyCurrency, (amount, currency) => {
        const floor = floorToMinorUnits(amount, currency);
        assert.ok(isWholeMinorUnits(floor, currency));
        assert.ok(floor <= amount);
        assert.equal(floor === amount, isWholeMinorUnits(amount, currency));
        assert.equal(floorToMinorUnits(floor, currency), floor);
        assert.equal(parseMicros(formatMinorUnits(floor, currency)), floor);
      }),
    );
  });
});
