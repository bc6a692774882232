/** Durations on the wire, such as `72h` (contract §4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { durationMs, durationPattern } from './duration.ts';

const pattern = new RegExp(durationPattern);
const msOf = { s: 1_000, m: 60 * 1_000, h: 60 * 60 * 1_000, d: 24 * 60 * 60 * 1_000 } as const;

describe('contract §4: a duration', () => {
  for (const [text, ms] of [
    ['0s', 0],
    ['0d', 0],
    ['45s', 45_000],
    ['30m', 1_800_000],
    ['72h', 259_200_000],
    ['10d', 864_000_000],
    ['007m', 420_000],
    ['999999d', 86_399_913_600_000],
  ] as const) {
    test(`${text} is ${ms} ms`, () => {
      assert.match(text, pattern);
      assert.equal(durationMs(text), ms);
    });
  }

  test('is any number of up to six digits of any unit', () => {
    fc.assert(
      fc.property(fc.nat(999_999), fc.constantFrom('s', 'm', 'h', 'd'), (count, unit) => {
        assert.match(`${count}${unit}`, pattern);
        assert.equal(durationMs(`${count}${unit}`), count * msOf[unit]);
      }),
    );
  });

  for (const text of [
    '',
    's',
    '5',
    '5S',
    '5 s',
    ' 5s',
    '5s ',
    '5s\n',
    '-5s',
    '+5s',
    '1.5h',
    '1e3s',
    '5w',
    '5ms',
    '1h30m',
    'P1D',
    'PT72H',
    '1000000s',
    '٣h',
  ]) {
    test(`${JSON.stringify(text)} is not a duration`, () => assert.doesNotMatch(text, pattern));
  }

  test('durationMs throws on a text that is not a duration', () => {
    assert.throws(() => durationMs('5w'), TypeError);
    assert.throws(() => durationMs(''), TypeError);
  });
});
