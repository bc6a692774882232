/** The aggregate status compared with contract §3, written here over the list of stores instead of their counts. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  sumCounts,
  aggregateStatus,
  isCompletedStatus,
  countStoresByStatus,
  type DeliveryStatus,
  deliveryStatuses,
} from './aggregate.ts';
import { type StoreDeliveryStatus, storeDeliveryStatuses } from './store-delivery.ts';

/** Contract §3, written over the list of stores. */
function expectedStatus(stores: readonly StoreDeliveryStatus[]): DeliveryStatus {
  const left = stores.filter((status) => status !== 'taken_down');
  if (left.length === 0) return 'taken_down';
  if (left.includes('rejected')) return 'rejected';
  if (left.includes('action_required')) return 'action_required';
  if (left.some((status) => status === 'pending' || status === 'in_progress')) return 'in_progress';
  return 'delivered';
}

const aggregate = (stores: readonly StoreDeliveryStatus[]): DeliveryStatus =>
  aggregateStatus(countStoresByStatus(stores.map((status) => ({ status }))));

const anyStatus = fc.constantFrom(...storeDeliveryStatuses);
const stores = fc.array(anyStatus, { minLength: 1, maxLength: 40 });
const runs = 2_000;

function* listsOf(length: number): Generator<StoreDeliveryStatus[]> {
  if (length === 0) yield [];
  else
    for (const rest of listsOf(length - 1))
      for (const each of storeDeliveryStatuses) yield [...rest, each];
}

describe('contract §3, the aggregate', () => {
  test('of up to five stores in every status is what the contract says', () => {
    const reached = new Set<DeliveryStatus>();
    for (const length of [1, 2, 3, 4, 5])
      for (const list of listsOf(length)) {
        assert.equal(aggregate(list), expectedStatus(list), list.join(' '));
        reached.add(aggregate(list));
      }
    assert.deepEqual([...reached].toSorted(), deliveryStatuses.toSorted());
  });

  test('of many stores is what the contract says, in any order of the stores', () => {
    fc.assert(
      fc.property(stores, (list) => {
        assert.equal(aggregate(list), expectedStatus(list));
        assert.equal(aggregate(list.toReversed()), expectedStatus(list));
      }),
      { numRuns: runs },
    );
  });

  test('spec §3.2: it is `delivered` only once every store has confirmed', () => {
    fc.assert(
      fc.property(stores, fc.constantFrom('pending', 'in_progress'), (list, unconfirmed) => {
        return aggregate([...list, unconfirmed]) !== 'delivered';
      }),
    );
  });

  test('does not change while a takedown propagates', () => {
    fc.assert(
      fc.property(stores, (list) => {
        const takenDown = list.map((each) => (each === 'delivered' ? 'takedown_requested' : each));
        assert.equal(aggregate(takenDown), aggregate(list));
      }),
    );
  });

  test('ignores stores that are taken down', () => {
    fc.assert(
      fc.property(stores, fc.nat(9), (list, count) => {
        const removed = Array.from({ length: count }, (): StoreDeliveryStatus => 'taken_down');
        assert.equal(aggregate([...list, ...removed]), aggregate(list));
      }),
    );
  });

  test('the sum of the counts of several lists is the count of all of them', () => {
    const count = (list: readonly StoreDeliveryStatus[]) =>
      countStoresByStatus(list.map((each) => ({ status: each })));
    fc.assert(
      fc.property(fc.array(stores, { maxLength: 5 }), (lists) => {
        assert.deepEqual(sumCounts(lists.map(count)), count(lists.flat()));
      }),
    );
  });

  test('spec §3.2: `delivered`, `rejected` and `action_required` complete a delivery', () => {
    assert.deepEqual(deliveryStatuses.filter(isCompletedStatus), [
      'delivered',
      'rejected',
      'action_required',
    ]);
  });
});
