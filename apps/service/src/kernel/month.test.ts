import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMonth, lastDayOf, nextMonth } from './month.ts';

test('a month has four digits, a hyphen and 01 to 12', () => {
  for (const month of ['2026-01', '2026-12', '1999-09']) assert.ok(isMonth(month), month);
  for (const text of ['2026-00', '2026-13', '2026-1', '0999-01', '2026-01-01', ' 2026-01', '']) {
    assert.ok(!isMonth(text), text);
  }
});

test('December is followed by January of the next year', () => {
  assert.deepEqual(['2026-11', '2026-12', '2026-09'].map(nextMonth), [
    '2026-12',
    '2027-01',
    '2026-10',
  ]);
});

test('the last day knows leap years', () => {
  assert.deepEqual(['2026-02', '2028-02', '2100-02', '2026-12', '2026-04'].map(lastDayOf), [
    '2026-02-28',
    '2028-02-29',
    '2100-02-28',
    '2026-12-31',
    '2026-04-30',
  ]);
});
