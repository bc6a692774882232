/** A delivery as its stores move: counts, status and completion against the list of its stores (contract §3). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
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

/** Contract §3, word by word. */
function reading(stores: readonly StoreDeliveryStatus[]): DeliveryStatus {
  const left = stores.filter((status) => status !== 'taken_down');
  if (left.length === 0) return 'taken_down';
  if (left.includes('rejected')) return 'rejected';
  if (left.includes('action_required')) return 'action_required';
  if (left.some((status) => status === 'pending' || status === 'in_progress')) return 'in_progress';
  return 'delivered';
}

const moment = (minute: number): Date => new Date(Date.UTC(2027, 0, 1, 0, minute));

const storeDeliveryWith = (storeId: string, changes: Partial<StoreDelivery>): StoreDelivery => ({
  ...newStoreDelivery(storeId, { revision: 1, territoryCodes: [], messageId: 'msg_1' }, moment(0)),
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
  createdAt: moment(0),
  updatedAt: moment(0),
  completedAt: null,
});

type Moment = { readonly delivery: Delivery; readonly storeDeliveries: readonly StoreDelivery[] };
type Turn = { readonly store: number; readonly to: StoreDeliveryStatus; readonly at: Date };

/** The delivery after each turn of one of its stores, the first being before any. */
function history(count: number, turns: readonly Turn[]): readonly Moment[] {
  const storeDeliveries = Array.from({ length: count }, (_, i) =>
    storeDeliveryWith(`store_${i}`, {}),
  );
  let delivery = deliveryOf(storeDeliveries);
  const moments: Moment[] = [{ delivery, storeDeliveries: [...storeDeliveries] }];
  for (const { store, to, at } of turns) {
    const before = storeDeliveries[store % count]!;
    const storeDelivery = { ...before, status: to, updatedAt: at };
    delivery = advance(delivery, before, { type: 'dispatched', storeDelivery });
    storeDeliveries[store % count] = storeDelivery;
    moments.push({ delivery, storeDeliveries: [...storeDeliveries] });
  }
  return moments;
}

/** The moments at which one of the three was entered, told from the list of stores alone. */
function entriesOf(moments: readonly Moment[]): readonly number[] {
  const read = moments.map(({ storeDeliveries }) =>
    reading(storeDeliveries.map((storeDelivery) => storeDelivery.status)),
  );
  const completing = new Set<string>(['delivered', 'rejected', 'action_required']);
  return read.flatMap((is, i) => (i > 0 && is !== read[i - 1] && completing.has(is) ? [i] : []));
}

const turns = fc
  .array(fc.record({ store: fc.nat(7), to: anyStatus }), { maxLength: 60 })
  .map((list) => list.map((turn, i): Turn => ({ ...turn, at: moment(i + 1) })));
const histories = fc
  .tuple(fc.integer({ min: 1, max: 6 }), turns)
  .map(([count, list]) => history(count, list));

describe('contract §3, a delivery as its stores move', () => {
  test('counts and status are at every moment those of its stores', () => {
    fc.assert(
      fc.property(histories, (moments) => {
        for (const { delivery, storeDeliveries: parts } of moments) {
          assert.deepEqual(delivery.counts, countStoresByStatus(parts));
          assert.equal(delivery.status, reading(parts.map((part) => part.status)));
        }
      }),
      { numRuns: runs },
    );
  });

  test('spec §6: it is completed at every entry into one of the three, and at no other moment', () => {
    let [entries, again] = [0, 0];
    fc.assert(
      fc.property(histories, (moments) => {
        const found = moments.flatMap(({ delivery }, i) =>
          delivery.completedAt?.getTime() === moment(i).getTime() ? [i] : [],
        );
        assert.deepEqual(found, entriesOf(moments));
        entries += found.length;
        if (found.length > 1) again++;
      }),
      { numRuns: runs },
    );
    assert.ok(entries > 0 && again > 0);
  });

  test('`completed_at` is of the latest entry, none while in progress, and stays when all is taken down', () => {
    fc.assert(
      fc.property(histories, (moments) => {
        const entries = entriesOf(moments);
        for (const [i, { delivery, storeDeliveries: parts }] of moments.entries()) {
          const read = moments
            .slice(0, i + 1)
            .map((each) => reading(each.storeDeliveries.map((p) => p.status)));
          const latest = entries.findLast((entry) => entry <= i) ?? -1;
          const isOpen = latest <= read.lastIndexOf('in_progress');
          assert.deepEqual(delivery.completedAt, isOpen ? null : moment(latest), `${parts.length}`);
        }
      }),
      { numRuns: runs },
    );
  });

  test('a takedown that merely leaves it at `delivered` is no entry', () => {
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
    const seen = moments.map(({ delivery }) => [delivery.status, delivery.completedAt?.getTime()]);
    const completed = ['delivered', moment(2).getTime()];
    const open = ['in_progress', undefined];
    assert.deepEqual(seen, [open, open, completed, completed, completed, completed, completed]);
  });

  test('its time never goes back, whatever the times of its stores', () => {
    const clocked = fc.array(
      fc.record({ store: fc.nat(5), to: anyStatus, at: fc.nat(99).map(moment) }),
    );
    fc.assert(
      fc.property(clocked, (list) => {
        const times = history(3, list).map(({ delivery }) => delivery.updatedAt.getTime());
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
      }),
    );
  });
});

describe('contract §3, what stands in the way of a delivery', () => {
  test('one delivery per release and store: a second is refused, naming the first for each store', () => {
    const taken = [
      { storeId: 'brook', deliveryId: 'dlv_1' },
      { storeId: 'delta', deliveryId: 'dlv_2' },
    ] as const;
    const refusal = refuseDuplicateDelivery(taken, ['aurora', 'delta', 'brook']);
    assert.equal(refusal?.code, 'duplicate_submission');
    assert.match(refusal.message, /dlv_1/);
    assert.deepEqual(refusal.details, [
      { field: 'stores[2]', issue: 'brook is served by dlv_1' },
      { field: 'stores[1]', issue: 'delta is served by dlv_2' },
    ]);
    assert.equal(refuseDuplicateDelivery([], ['aurora']), undefined);
  });

  test('a release held for legal reasons goes to no store, and is told why', () => {
    assert.equal(refuseLegalHold(undefined), undefined);
    const refusal = refuseLegalHold({ reason: 'Court order 7' });
    assert.equal(refusal?.code, 'invalid_state');
    assert.match(refusal.message, /Court order 7/);
  });
});
