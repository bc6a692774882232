/** Catalogue §1.5: moving a live release's date into the future is a takedown in disguise. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { day } from '../../../test/machine/story.ts';
import { isLiveDateMoved, liveDateMoved } from './live-date.ts';

test('catalogue §1.5: only a date that is in the future and later than the one the store has is `live_date_moved`', () => {
  const [past, now, soon, later] = [day(1), day(2), day(3), day(4)];
  assert.equal(isLiveDateMoved(past, soon, now), true);
  assert.equal(isLiveDateMoved(soon, later, now), true);
  assert.equal(isLiveDateMoved(soon, soon, now), false, 'the same date');
  assert.equal(isLiveDateMoved(later, soon, now), false, 'an earlier date');
  assert.equal(isLiveDateMoved(past, now, now), false, 'it is out now');
  assert.equal(isLiveDateMoved(day(0), past, now), false, 'in the past');
  assert.equal(liveDateMoved.code, 'live_date_moved');
});
