/** Counts, status and completion of a delivery, compared with the list of its stores after each step (contract §3). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyDeal } from '../../../test/machine/story.ts';
import { aggregateStatus, countStoresByStatus, type DeliveryStatus } from './aggregate.ts';
import { advance, type Delivery, refuseLegalHold, refuseDuplicateDelivery } from './delivery.ts';
import {
  type StoreDeliveryStatus,
  storeDeliveryStatuses,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';

const runs = 2_000;
const anyStatus = fc.constantFrom(...storeDeliveryStatuses);

/** Contract §3, written over the list of stores. */
function expectedStatus(stores: readonly StoreDeliveryStatus[]): DeliveryStatus {
  const left = stores.filter((status) => status !== 'taken_down');
  if (left.length === 0) return 'taken_down';
  if (left.includes('rejected')) return 'rejected';
  if (left.includes('action_required')) return 'action_required';
  if (left.some((status) => status === 'pending' || status === 'in_progress')) return 'in_progress';
  return 'delivered';
}

const moment = (minute: number): Date => new Date(Date.UTC(2027, 0, 1, 0, minute));

const storeDeliveryWith = (storeId: string, changes: Partial<StoreDelivery>): StoreDelivery => ({
  ...newStoreDelivery(
    storeId,
    { revision: 1, deal: anyDeal, requestedTerritoryCodes: null, messageId: 'msg_1' },
    moment(0),
  ),
  ...changes,
});

const deliveryOf = (storeDeliveries: readonly StoreDelivery[]): Delivery => ({
  id: 'dlv_1',
  reference: null,
  metadata: {},
  releaseId: 'rel_1',
  revision: 1,
  status: aggregateStatus(countStoresByStatus(storeDeliveries)),
  territoryCodes: ['WORLDWIDE'],
  counts: countStoresByStatus(storeDeliveries),
  dispatches: 0,
  unsent: 0,
  checkAt: null,
  dispatchAt: null,
  dispatchTimerId: null,
  createdAt: moment(0),
  updatedAt: moment(0),
  completedAt: null,
});

type Moment = { readonly delivery: Delivery; readonly storeDeliveries: readonly StoreDelivery[] };
type StatusChange = { readonly store: number; readonly to: StoreDeliveryStatus; readonly at: Date };

/** The delivery before the first change, then after each. */
function history(count: number, changes: readonly StatusChange[]): readonly Moment[] {
  const storeDeliveries = Array.from({ length: count }, (_, i) =>
    storeDeliveryWith(`store_${i}`, {}),
  );
  let delivery = deliveryOf(storeDeliveries);
  const moments: Moment[] = [{ delivery, storeDeliveries: [...storeDeliveries] }];
  for (const { store, to, at } of changes) {
    const before = storeDeliveries[store % count]!;
    const storeDelivery = { ...before, status: to, updatedAt: at };
    delivery = advance(delivery, before, { type: 'dispatched', storeDelivery });
    storeDeliveries[store % count] = storeDelivery;
    moments.push({ delivery, storeDeliveries: [...storeDeliveries] });
  }
  return moments;
}

/** The indexes at which the delivery became completed, computed from the list of stores alone. */
function completionsOf(moments: readonly Moment[]): readonly number[] {
  const statuses = moments.map(({ storeDeliveries }) =>
    expectedStatus(storeDeliveries.map((storeDelivery) => storeDelivery.status)),
  );
  const completed = new Set<string>(['delivered', 'rejected', 'action_required']);
  return statuses.flatMap((status, i) =>
    i > 0 && status !== statuses[i - 1] && completed.has(status) ? [i] : [],
  );
}

const statusChanges = fc
  .array(fc.record({ store: fc.nat(7), to: anyStatus }), { maxLength: 60 })
  .map((list) => list.map((change, i): StatusChange => ({ ...change, at: moment(i + 1) })));
const histories = fc
  .tuple(fc.integer({ min: 1, max: 6 }), statusChanges)
  .map(([count, list]) => history(count, list));

describe('contract §3, a delivery after each change of a store', () => {
  test('counts and status are those of its stores', () => {
    fc.assert(
      fc.property(histories, (moments) => {
        for (const { delivery, storeDeliveries } of moments) {
          assert.deepEqual(delivery.counts, countStoresByStatus(storeDeliveries));
          const statuses = storeDeliveries.map(({ status }) => status);
          assert.equal(delivery.status, expectedStatus(statuses));
        }
      }),
      { numRuns: runs },
    );
  });

  test('spec §6: it is completed each time it enters one of the three statuses, and at no other time', () => {
    let [completions, repeated] = [0, 0];
    fc.assert(
      fc.property(histories, (moments) => {
        const found = moments.flatMap(({ delivery }, i) =>
          delivery.completedAt?.getTime() === moment(i).getTime() ? [i] : [],
        );
        assert.deepEqual(found, completionsOf(moments));
        completions += found.length;
        if (found.length > 1) repeated++;
      }),
      { numRuns: runs },
    );
    assert.ok(completions > 0 && repeated > 0);
  });

  test('`completed_at` is the time of the latest completion, null while in progress, and kept after a takedown', () => {
    fc.assert(
      fc.property(histories, (moments) => {
        const completions = completionsOf(moments);
        for (const [i, { delivery, storeDeliveries }] of moments.entries()) {
          const statuses = moments
            .slice(0, i + 1)
            .map((each) => expectedStatus(each.storeDeliveries.map(({ status }) => status)));
          const latest = completions.findLast((index) => index <= i) ?? -1;
          const isOpen = latest <= statuses.lastIndexOf('in_progress');
          assert.deepEqual(
            delivery.completedAt,
            isOpen ? null : moment(latest),
            `${storeDeliveries.length}`,
          );
        }
      }),
      { numRuns: runs },
    );
  });

  test('a takedown that leaves the status at `delivered` is not a completion', () => {
    const steps: readonly [number, StoreDeliveryStatus][] = [
      [0, 'delivered'],
      [1, 'delivered'],
      [0, 'takedown_requested'],
      [0, 'taken_down'],
      [1, 'takedown_requested'],
      [1, 'delivered'],
    ];
    const moments = history(
      2,
      steps.map(([store, to], i) => ({ store, to, at: moment(i + 1) })),
    );
    const found = moments.map(({ delivery }) => [delivery.status, delivery.completedAt?.getTime()]);
    const completed = ['delivered', moment(2).getTime()];
    const open = ['in_progress', undefined];
    assert.deepEqual(found, [open, open, completed, completed, completed, completed, completed]);
  });

  test('`updated_at` never decreases, in any order of the times of its stores', () => {
    const changesAtAnyTime = fc.array(
      fc.record({ store: fc.nat(5), to: anyStatus, at: fc.nat(99).map(moment) }),
    );
    fc.assert(
      fc.property(changesAtAnyTime, (list) => {
        const times = history(3, list).map(({ delivery }) => delivery.updatedAt.getTime());
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

describe('contract §3, what refuses a delivery', () => {
  test('a second delivery of a release to a store is refused, and the refusal gives the first for each store', () => {
    const conflicts = [
      { storeId: 'brook', deliveryId: 'dlv_1' },
      { storeId: 'delta', deliveryId: 'dlv_2' },
    ] as const;
    const refusal = refuseDuplicateDelivery(conflicts, ['aurora', 'delta', 'brook']);
    assert.equal(refusal?.code, 'duplicate_submission');
    assert.match(refusal.message, /dlv_1/);
    assert.deepEqual(refusal.details, [
      {
        field: 'stores[2]',
        issue:
          'names brook, which already gets this release from dlv_1; resubmit or update that delivery',
      },
      {
        field: 'stores[1]',
        issue:
          'names delta, which already gets this release from dlv_2; resubmit or update that delivery',
      },
    ]);
    assert.equal(refuseDuplicateDelivery([], ['aurora']), undefined);
  });

  test('a release under legal hold is refused with the reason', () => {
    assert.equal(refuseLegalHold(undefined), undefined);
    const refusal = refuseLegalHold({ reason: 'Court order 7' });
    assert.equal(refusal?.code, 'invalid_state');
    assert.match(refusal.message, /Court order 7/);
  });
});
