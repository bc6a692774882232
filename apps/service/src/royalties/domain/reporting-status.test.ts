import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reportingStatuses } from './reporting-status.ts';

const now = new Date('2026-11-16T09:00:00Z');
const store = (storeId: string, firstLiveAt: string, reportDueDays = 45) => ({
  storeId,
  firstLiveAt: new Date(firstLiveAt),
  reportDueDays,
});
const shown = (...given: Parameters<typeof reportingStatuses>) =>
  reportingStatuses(...given).map(
    ({ storeId, usageMonth, state, expectedBy }) =>
      `${storeId} ${usageMonth} ${state} ${expectedBy}`,
  );

describe('the reporting status of stores', () => {
  test('a month that is not reported is not due, awaited or late, by its day', () => {
    assert.deepEqual(shown([store('aurora', '2026-08-31T23:59:59Z')], [], now), [
      'aurora 2026-11 not_due 2027-01-14',
      'aurora 2026-10 awaited 2026-12-15',
      'aurora 2026-09 late 2026-11-14',
      'aurora 2026-08 late 2026-10-15',
    ]);
    const [, october] = shown([store('aurora', '2026-10-01T00:00:00Z', 16)], [], now);
    assert.equal(october, 'aurora 2026-10 awaited 2026-11-16', 'the last day is in time');
  });

  test('a reported month has its state; months and stores are in their order', () => {
    const stores = [
      store('borealis', '2026-10-05T00:00:00Z'),
      store('aurora', '2026-09-05T00:00:00Z'),
    ];
    const reported = [
      { storeId: 'aurora', usageMonth: '2026-09', state: 'included' },
      { storeId: 'borealis', usageMonth: '2026-10', state: 'paid' },
      { storeId: 'other', usageMonth: '2026-10', state: 'paid' },
    ] as const;
    assert.deepEqual(shown(stores, reported, now), [
      'aurora 2026-11 not_due 2027-01-14',
      'borealis 2026-11 not_due 2027-01-14',
      'aurora 2026-10 awaited 2026-12-15',
      'borealis 2026-10 paid 2026-12-15',
      'aurora 2026-09 included 2026-11-14',
    ]);
  });

  test('without a store there is nothing to report, and a store with a later release is not listed yet', () => {
    assert.deepEqual(shown([], [], now), []);
    assert.deepEqual(shown([store('aurora', '2027-01-05T00:00:00Z')], [], now), []);
  });
});
