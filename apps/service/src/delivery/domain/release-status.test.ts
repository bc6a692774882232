/** A release follows its deliveries (contract §3), read over all of their stores rather than over counts. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sumCounts, countStoresByStatus, type StoreCounts } from './aggregate.ts';
import { releaseStatusFrom, nextReleaseStatus } from './release-status.ts';
import { type StoreDeliveryStatus, storeDeliveryStatuses } from './store-delivery.ts';

const releaseStatuses = ['draft', 'submitted', 'delivered', 'rejected'] as const;
type ReleaseStatus = (typeof releaseStatuses)[number];

/** Contract §3. A store that is taken down has no say, as in the aggregate of a delivery. */
function reading(was: ReleaseStatus, stores: readonly StoreDeliveryStatus[]): ReleaseStatus {
  // One that is being taken down has said what it had to say when it was delivered.
  const left = stores.filter(
    (status) => status !== 'taken_down' && status !== 'takedown_requested',
  );
  const has = left.includes('delivered');
  if (was === 'draft' || was === 'delivered' || left.length === 0) return was;
  if (has) return 'delivered';
  return left.every((status) => status === 'rejected') ? 'rejected' : 'submitted';
}

const count = (stores: readonly StoreDeliveryStatus[]): StoreCounts =>
  countStoresByStatus(stores.map((status) => ({ status })));

/** Mostly refused, or what every store has refused would hardly come up. */
const store = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<StoreDeliveryStatus>('rejected', 'taken_down') },
  { weight: 1, arbitrary: fc.constantFrom(...storeDeliveryStatuses) },
);
const stores = fc.array(store, { minLength: 1, maxLength: 8 });
const deliveries = fc.array(stores, { minLength: 1, maxLength: 5 });
const was = fc.constantFrom(...releaseStatuses);
const numRuns = 5_000;

function* listsOf(length: number): Generator<StoreDeliveryStatus[]> {
  if (length === 0) yield [];
  else
    for (const rest of listsOf(length - 1))
      for (const each of storeDeliveryStatuses) yield [...rest, each];
}

describe('contract §3, the release', () => {
  test('of up to four stores in every state is what the contract says, whatever it was', () => {
    const seen = new Set<string>();
    for (const length of [1, 2, 3, 4])
      for (const list of listsOf(length))
        for (const status of releaseStatuses) {
          const is = nextReleaseStatus(status, count(list));
          assert.equal(is, reading(status, list), `${status}: ${list.join(' ')}`);
          if (is !== status) seen.add(`${status} → ${is}`);
        }
    assert.deepEqual([...seen].toSorted(), [
      'rejected → delivered',
      'rejected → submitted',
      'submitted → delivered',
      'submitted → rejected',
    ]);
  });

  test('several deliveries together decide as all of their stores in one', () => {
    fc.assert(
      fc.property(was, deliveries, (status, lists) => {
        const together = nextReleaseStatus(status, sumCounts(lists.map(count)));
        assert.equal(together, nextReleaseStatus(status, count(lists.flat())));
        assert.equal(together, reading(status, lists.flat()));
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

  test('changes only where the leaning of a single delivery has changed', () => {
    let [same, other] = [0, 0];
    fc.assert(
      fc.property(was, deliveries, stores, stores, (status, others, before, after) => {
        const decided = (list: readonly StoreDeliveryStatus[]) =>
          nextReleaseStatus(status, sumCounts([...others, list].map(count)));
        if (releaseStatusFrom(count(before)) === releaseStatusFrom(count(after))) {
          assert.equal(decided(before), decided(after));
          same++;
        } else other++;
      }),
      { numRuns },
    );
    assert.ok(same > numRuns / 10 && other > numRuns / 10, `${same} and ${other}`);
  });

  test('without any store it stays what it is', () => {
    for (const status of releaseStatuses) {
      assert.equal(nextReleaseStatus(status, count([])), status);
      assert.equal(nextReleaseStatus(status, count(['taken_down', 'taken_down'])), status);
    }
  });
});
