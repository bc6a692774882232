/** The status of a release compared with contract §3, written here over a list of stores instead of their counts. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sumCounts, countStoresByStatus, type StoreCounts } from './aggregate.ts';
import { releaseStatusFrom, nextReleaseStatus } from './release-status.ts';
import { type StoreDeliveryStatus, storeDeliveryStatuses } from './store-delivery.ts';

const releaseStatuses = ['draft', 'submitted', 'delivered', 'rejected'] as const;
type ReleaseStatus = (typeof releaseStatuses)[number];

/** Contract §3, written over the list of stores. Stores that are taken down do not count, as in the aggregate. */
function expectedStatus(
  before: ReleaseStatus,
  stores: readonly StoreDeliveryStatus[],
): ReleaseStatus {
  // A store with a requested takedown set `delivered` earlier, if it had the release.
  const left = stores.filter(
    (status) => status !== 'taken_down' && status !== 'takedown_requested',
  );
  if (before === 'draft' || before === 'delivered' || left.length === 0) return before;
  if (left.includes('delivered')) return 'delivered';
  return left.every((status) => status === 'rejected') ? 'rejected' : 'submitted';
}

const count = (stores: readonly StoreDeliveryStatus[]): StoreCounts =>
  countStoresByStatus(stores.map((status) => ({ status })));

/** Mostly `rejected`: otherwise few lists would be rejected by every store. */
const store = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<StoreDeliveryStatus>('rejected', 'taken_down') },
  { weight: 1, arbitrary: fc.constantFrom(...storeDeliveryStatuses) },
);
const stores = fc.array(store, { minLength: 1, maxLength: 8 });
const deliveries = fc.array(stores, { minLength: 1, maxLength: 5 });
const anyReleaseStatus = fc.constantFrom(...releaseStatuses);
const numRuns = 5_000;

function* listsOf(length: number): Generator<StoreDeliveryStatus[]> {
  if (length === 0) yield [];
  else
    for (const rest of listsOf(length - 1))
      for (const each of storeDeliveryStatuses) yield [...rest, each];
}

describe('contract §3, the release', () => {
  test('of up to four stores in every status is what the contract says, from every earlier status', () => {
    const transitions = new Set<string>();
    for (const length of [1, 2, 3, 4])
      for (const list of listsOf(length))
        for (const status of releaseStatuses) {
          const next = nextReleaseStatus(status, count(list));
          assert.equal(next, expectedStatus(status, list), `${status}: ${list.join(' ')}`);
          if (next !== status) transitions.add(`${status} → ${next}`);
        }
    assert.deepEqual([...transitions].toSorted(), [
      'rejected → delivered',
      'rejected → submitted',
      'submitted → delivered',
      'submitted → rejected',
    ]);
  });

  test('several deliveries give the same status as one delivery with all of their stores', () => {
    fc.assert(
      fc.property(anyReleaseStatus, deliveries, (status, lists) => {
        const together = nextReleaseStatus(status, sumCounts(lists.map(count)));
        assert.equal(together, nextReleaseStatus(status, count(lists.flat())));
        assert.equal(together, expectedStatus(status, lists.flat()));
      }),
      { numRuns },
    );
  });

  test('is `delivered` once any store of any delivery is, and stays so', () => {
    fc.assert(
      fc.property(fc.constantFrom('submitted', 'rejected'), deliveries, (status, lists) => {
        const counts = sumCounts([...lists.map(count), count(['delivered'])]);
        assert.equal(nextReleaseStatus(status, counts), 'delivered');
        assert.equal(nextReleaseStatus('delivered', sumCounts(lists.map(count))), 'delivered');
      }),
    );
  });

  test('does not change while releaseStatusFrom of each delivery stays the same', () => {
    let [same, other] = [0, 0];
    fc.assert(
      fc.property(anyReleaseStatus, deliveries, stores, stores, (status, others, before, after) => {
        const statusWith = (list: readonly StoreDeliveryStatus[]) =>
          nextReleaseStatus(status, sumCounts([...others, list].map(count)));
        if (releaseStatusFrom(count(before)) === releaseStatusFrom(count(after))) {
          assert.equal(statusWith(before), statusWith(after));
          same++;
        } else other++;
      }),
      { numRuns },
    );
    assert.ok(same > numRuns / 10 && other > numRuns / 10, `${same} and ${other}`);
  });

  test('does not change without a store', () => {
    for (const status of releaseStatuses) {
      assert.equal(nextReleaseStatus(status, count([])), status);
      assert.equal(nextReleaseStatus(status, count(['taken_down', 'taken_down'])), status);
    }
  });
});
