/** When proofs that kill processes call a wait a hang. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hangMs, openHangLimit } from './proofs/hang-limit.ts';

test('a wait is a hang when it has lasted ten minutes without a fault', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const hangLimit = openHangLimit();
  const isHung = hangLimit.beginWait();
  t.mock.timers.tick(3 * hangMs);
  assert.equal(isHung(), false, 'processes are still killed');
  hangLimit.endFaults();
  t.mock.timers.tick(hangMs);
  assert.equal(isHung(), false);
  t.mock.timers.tick(1);
  assert.equal(isHung(), true);
  const isLaterHung = hangLimit.beginWait();
  assert.equal(isLaterHung(), false);
  t.mock.timers.tick(hangMs + 1);
  assert.equal(isLaterHung(), true);
});
