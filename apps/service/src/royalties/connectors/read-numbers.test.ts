import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSourceAmount } from '../domain/source-amount.ts';
import { readAmount, readCount } from './read-numbers.ts';

const amountOf = (text: string) => readAmount(Buffer.from(text), 0, Buffer.byteLength(text));
const countOf = (text: string) => readCount(Buffer.from(text), 0, Buffer.byteLength(text));

test('an amount is read from bytes as from text', () => {
  const plain = fc.stringMatching(/^-?\d{1,18}(\.\d{1,10})?$/);
  const wrong = fc.stringMatching(/^[-+\d.e, ]{0,20}$/);
  fc.assert(
    fc.property(fc.oneof(plain, wrong), (text) => {
      const amount = amountOf(text);
      assert.equal(amount === undefined ? undefined : BigInt(amount), parseSourceAmount(text));
    }),
    { numRuns: 2_000 },
  );
});

test('amounts at the ends of what a double holds are exact', () => {
  for (const text of [
    '900719.9254740991',
    '900719.9254740992',
    '-900719.9254740993',
    '99999999.9999999999',
    '100000000',
    '-0',
    '0.0000000001',
    '999999999999999',
  ])
    assert.equal(BigInt(amountOf(text) ?? 1n), parseSourceAmount(text), text);
});

test('a count is a whole number of at most 64 bits, also with decimals that are 0', () => {
  const cases: readonly (readonly [string, bigint | undefined])[] = [
    ['0', 0n],
    ['-12', -12n],
    ['007', 7n],
    ['12.000', 12n],
    ['999999999999999', 999_999_999_999_999n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', undefined],
    ['0009223372036854775807', undefined],
    ['12.5', undefined],
    ['1e1', undefined],
    ['+1', undefined],
    ['-', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of cases) {
    const count = countOf(text);
    assert.equal(count === undefined ? undefined : BigInt(count), expected, text);
  }
});
