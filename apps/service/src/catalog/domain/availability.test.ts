import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithdrawn, releaseStartsAt } from './availability.ts';

test('a release starts at its release_at, else at 00:00 UTC of its release date', () => {
  const releaseDate = '2027-01-15';
  const startOf = (releaseAt: string | null) => releaseStartsAt({ releaseDate, releaseAt });
  assert.deepEqual(startOf(null), new Date('2027-01-15T00:00:00.000Z'));
  assert.deepEqual(startOf('2027-01-14T13:00:00.000Z'), new Date('2027-01-14T13:00:00.000Z'));
});

test('a track is withdrawn by an empty list of use types, not by a missing one', () => {
  assert.equal(isWithdrawn({ useTypes: [] }), true);
  assert.equal(isWithdrawn({ useTypes: null }), false);
  assert.equal(isWithdrawn({ useTypes: ['download'] }), false);
});
