/** Which advances of the sandbox's clock are refused (contract §4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { refuseTarget, refuseWhileAdvancing, defaultClock } from './clock.ts';

const dayMs = 86_400_000;
const realNow = new Date('2026-11-16T12:00:00.000Z');
const daysLater = (days: number, extraMs = 0): Date =>
  new Date(realNow.getTime() + days * dayMs + extraMs);
const atRealTime = { now: realNow, realNow };

describe('contract §4: where the clock may be moved', () => {
  test('to where it is, and to anywhere within 400 days', () => {
    for (const target of [realNow, daysLater(0, 1), daysLater(1), daysLater(400)]) {
      assert.equal(refuseTarget(target, atRealTime, 'by'), undefined, target.toISOString());
    }
  });

  test('not back, not by a millisecond', () => {
    const refusal = refuseTarget(daysLater(0, -1), atRealTime, 'to');
    assert.equal(refusal?.code, 'invalid_field');
    assert.deepEqual(refusal.details, [
      { field: 'to', issue: 'lies in the past: it is 2026-11-16T12:00:00.000Z' },
    ]);
  });

  test('not before business time, even if after real time', () => {
    const now = daysLater(30);
    assert.equal(refuseTarget(daysLater(29), { now, realNow }, 'to')?.code, 'invalid_field');
    assert.equal(refuseTarget(daysLater(31), { now, realNow }, 'to'), undefined);
  });

  test('not more than 400 days at once, counted from business time', () => {
    const refusal = refuseTarget(daysLater(400, 1), atRealTime, 'by');
    assert.deepEqual([refusal?.code, refusal?.details?.[0]?.field], ['invalid_field', 'by']);
    const now = daysLater(390);
    assert.equal(refuseTarget(daysLater(790), { now, realNow }, 'by'), undefined);
    assert.ok(refuseTarget(daysLater(790, 1), { now, realNow }, 'by'));
  });

  test('not more than ten years ahead of real time', () => {
    const now = daysLater(3_600);
    assert.equal(refuseTarget(daysLater(3_660), { now, realNow }, 'to'), undefined);
    const refusal = refuseTarget(daysLater(3_660, 1), { now, realNow }, 'to');
    assert.deepEqual(
      [refusal?.code, refusal?.details],
      ['invalid_field', [{ field: 'to', issue: 'is more than ten years ahead of real time' }]],
    );
  });

  test('any advance is allowed exactly if it is forward, by at most 400 days and within ten years', () => {
    const days = fc.integer({ min: -500, max: 4_000 });
    let allowed = 0;
    fc.assert(
      fc.property(fc.nat(3_660), days, (ahead, by) => {
        const now = daysLater(ahead);
        const target = new Date(now.getTime() + by * dayMs);
        const isAllowed = by >= 0 && by <= 400 && ahead + by <= 3_660;
        const refusal = refuseTarget(target, { now, realNow }, 'by');
        assert.equal(refusal === undefined, isAllowed, `${ahead} + ${by}`);
        if (isAllowed) allowed++;
      }),
      { numRuns: 1_000 },
    );
    assert.ok(allowed > 10, 'some are allowed');
  });
});

describe('contract §4: while the clock is being advanced', () => {
  test('another advance is refused: 409 invalid_state, with the time of the first', () => {
    const refusal = refuseWhileAdvancing({ ...defaultClock, advancingTo: daysLater(3) });
    assert.equal(refusal?.code, 'invalid_state');
    assert.match(refusal.message, /2026-11-19T12:00:00\.000Z/);
  });

  test('after it, manual or running, an advance is allowed', () => {
    assert.equal(refuseWhileAdvancing(defaultClock), undefined);
    assert.equal(refuseWhileAdvancing({ ...defaultClock, mode: 'manual' }), undefined);
  });
});
