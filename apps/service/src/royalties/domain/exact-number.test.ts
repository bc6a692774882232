import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { divideHalfEven } from '../../kernel/money.ts';
import {
  add,
  createExactList,
  getExact,
  halfEven,
  halfEvenProduct,
  multiply,
  setExact,
  subtract,
  toExact,
} from './exact-number.ts';

const edge = 2n ** 53n;
const values = [0n, 1n, -1n, 7n, -12_345n, edge - 1n, edge, edge + 1n, -edge - 1n, 10n ** 24n];

describe('exact numbers', () => {
  test('equal bigints around the limit of numbers', () => {
    for (const a of values) {
      for (const b of values) {
        assert.equal(BigInt(add(toExact(a), toExact(b))), a + b);
        assert.equal(BigInt(subtract(toExact(a), toExact(b))), a - b);
        assert.equal(BigInt(multiply(toExact(a), toExact(b))), a * b);
      }
    }
    assert.ok(Object.is(multiply(0, -1), 0));
  });

  test('are numbers below 2^53 only', () => {
    assert.equal(typeof toExact(edge - 1n), 'number');
    assert.equal(typeof add(Number.MAX_SAFE_INTEGER, 1), 'bigint');
    assert.equal(typeof subtract(edge, 1), 'number');
  });

  test('round half to even', () => {
    for (const divisor of [1, 2, 3, 10_000, 7_919]) {
      for (const value of [...values, 5_000n, 15_000n, -5_000n, -15_000n, 3n, -3n]) {
        const expected = divideHalfEven(value, BigInt(divisor));
        assert.equal(BigInt(halfEven(toExact(value), divisor)), expected, `${value} / ${divisor}`);
      }
    }
  });

  test('round products half to even, near ties and beyond numbers', () => {
    const divisor = 100_000_000_000_000;
    const rates = [10_000_000_000n, 5_000_000_000n, 11_234_567_891n, 99_999_999_999_999_999n];
    const amounts = [1n, 10_000n, 15_000n, 25_000n, -15_000n, 123_456_789_012_345n, edge * 9n];
    for (const rate of rates) {
      for (const amount of amounts) {
        const expected = divideHalfEven(amount * rate, BigInt(divisor));
        const found = halfEvenProduct(toExact(amount), toExact(rate), divisor);
        assert.equal(BigInt(found), expected, `${amount} × ${rate}`);
      }
    }
  });

  test('are kept in lists', () => {
    const list = createExactList(3);
    setExact(list, 0, -5);
    setExact(list, 1, edge * 3n);
    setExact(list, 2, null);
    assert.deepEqual(
      [0, 1, 2].map((index) => getExact(list, index)),
      [-5, edge * 3n, 0],
    );
  });
});
