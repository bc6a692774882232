import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs, dayMs } from '../../kernel/duration.ts';
import { planRoyalties, reportsPlannedDaysAgo } from './seed-royalties.ts';

test('the twelve months that are closed are reported once each, after the month and before its closing', () => {
  for (const [now, first, last] of [
    ['2026-11-15T08:59:59.000Z', '2025-10', '2026-09'],
    ['2026-11-15T09:00:00.000Z', '2025-11', '2026-10'],
    ['2026-12-31T00:00:00.000Z', '2025-12', '2026-11'],
    ['2027-01-01T00:00:00.000Z', '2025-12', '2026-11'],
  ] as const) {
    const reports = planRoyalties(new Date(now)).filter(({ storeId }) => storeId === 'aurora');
    assert.deepEqual(
      [reports.length, reports[0]?.period, reports.at(-1)?.period],
      [12, first, last],
      now,
    );
    for (const { period, arrivesAt } of reports) {
      const arrived = arrivesAt.toISOString();
      assert.ok(arrived > `${period}-31T23:59:59` && arrived < now, `${period} ${arrived}`);
      assert.equal(arrived.slice(8, 10), '05');
    }
    const planned = addMs(new Date(now), -reportsPlannedDaysAgo * dayMs).toISOString();
    assert.ok(planned < `${first}-01`, 'the stores have the release in the whole first month');
  }
});
