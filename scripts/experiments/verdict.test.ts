import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Bar, missed } from './verdict.ts';

describe('a bar', () => {
  const bar: Bar = { lost: { equals: 0 }, kills: { atLeast: 30 }, share: { atMost: 1.2 } };

  test('holds when every bound is met, at its edge too', () => {
    assert.deepEqual(missed(bar, { lost: 0, kills: 30, share: 1.2, other: 7 }), []);
  });

  test('names the figures that miss their bounds', () => {
    assert.deepEqual(missed(bar, { lost: 1, kills: 29, share: 1.21 }), ['lost', 'kills', 'share']);
  });

  test('is missed by a figure that was not measured or is not a number', () => {
    assert.deepEqual(missed(bar, { lost: '0', kills: Number.NaN }), ['lost', 'kills', 'share']);
  });

  test('without bounds is refused', () => {
    assert.throws(() => missed({}, { lost: 0 }), /at least one bound/);
  });
});
