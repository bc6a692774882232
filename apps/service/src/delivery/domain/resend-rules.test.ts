/**
 * Which stores can be resubmitted to, updated or taken down (contract §3). A request is accepted if at least one
 * of its stores is eligible; otherwise the refusal lists each store with its index in the request.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Refusal } from '../../kernel/problem.ts';
import { refuseStores } from './chosen-stores.ts';
import {
  refuseUnchanged,
  refuseResubmit,
  refuseTakedown,
  refuseUpdate,
  takedownIssue,
} from './resend-rules.ts';
import {
  type StoreDeliveryStatus,
  storeDeliveryStatuses,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';
import { requestTakedown } from './takedown.ts';

type State = StoreDelivery['message']['state'];

const storeDeliveryWith = (
  storeId: string,
  status: StoreDeliveryStatus,
  takedownWanted: boolean,
  state: State,
): StoreDelivery => ({
  ...newStoreDelivery(
    storeId,
    { revision: 1, territoryCodes: [], messageId: 'msg_1' },
    new Date('2027-01-01T00:00:00Z'),
  ),
  status,
  takedownWanted,
  message: { id: 'msg_1', kind: 'deliver', state, isSentInOrder: false },
});

/** Statuses with which `takedownWanted` occurs (see store-delivery-transitions.test.ts). */
const statusesWithTakedownWanted = new Set<StoreDeliveryStatus>([
  'in_progress',
  'action_required',
  'takedown_requested',
]);
const situations = ['takedown wanted', 'dispatched', 'sent'] as const;
type Situation = (typeof situations)[number];

const messageStateIn = (status: StoreDeliveryStatus, situation: Situation): State => {
  if (status === 'pending') return 'queued';
  return situation === 'dispatched' && status === 'in_progress' ? 'dispatched' : 'sent';
};

const storeDeliveryIn = (
  storeId: string,
  status: StoreDeliveryStatus,
  situation: Situation,
): StoreDelivery => {
  const isTakedownWanted =
    situation === 'takedown wanted' && statusesWithTakedownWanted.has(status);
  return storeDeliveryWith(storeId, status, isTakedownWanted, messageStateIn(status, situation));
};

/** Half of the lists repeat one status, because few lists of random statuses are wholly ineligible. */
const statusLists = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(...storeDeliveryStatuses), { minLength: 1, maxLength: 6 }),
  )
  .map(([isAlike, list]) => (isAlike ? list.map(() => list[0]!) : list));
const storeDeliveries = fc
  .tuple(statusLists, fc.array(fc.constantFrom(...situations), { minLength: 6, maxLength: 6 }))
  .map(([list, each]) =>
    list.map((status, i) => storeDeliveryIn(`store_${i}`, status, each[i] ?? 'sent')),
  );
const storeIds = Array.from({ length: 6 }, (_, i) => `store_${i}`);
const capableStores = fc.oneof(fc.constant(storeIds), fc.subarray(storeIds));
const randomNumbers = fc.infiniteStream(fc.nat(99));

type StoreIds = ReadonlySet<string>;
type Rule = {
  readonly refuse: (
    list: readonly StoreDelivery[],
    named: readonly string[] | undefined,
    capable: StoreIds,
  ) => Refusal | undefined;
  /** Contract §3, for one store. */
  readonly isEligible: (storeDelivery: StoreDelivery, capable: StoreIds) => boolean;
};

/** No lane has begun to send the message. */
const isUnclaimed = ({ status, message }: StoreDelivery): boolean =>
  status === 'pending' || (status === 'in_progress' && message.state === 'dispatched');
const isAwaitingAnswer = ({ status }: StoreDelivery): boolean =>
  status === 'in_progress' || status === 'action_required';

const rules: Readonly<Record<string, Rule>> = {
  'a resubmission to stores that rejected or flagged the release': {
    refuse: (list, named) => refuseResubmit(list, named),
    isEligible: ({ status }) => status === 'rejected' || status === 'action_required',
  },
  'an update of stores that have the release and accept updates': {
    refuse: refuseUpdate,
    isEligible: ({ status, storeId }, capable) => status === 'delivered' && capable.has(storeId),
  },
  'a takedown at stores that have the release, were sent it or wait for it': {
    refuse: refuseTakedown,
    isEligible: (storeDelivery, capable) => {
      if (isUnclaimed(storeDelivery)) return true;
      if (!capable.has(storeDelivery.storeId)) return false;
      return (
        storeDelivery.status === 'delivered' ||
        (isAwaitingAnswer(storeDelivery) && !storeDelivery.takedownWanted)
      );
    },
  },
};

for (const [name, { refuse, isEligible }] of Object.entries(rules)) {
  describe(`contract §3: ${name}`, () => {
    test('without `stores` is refused if no store is eligible, and the refusal lists all stores', () => {
      let refused = 0;
      fc.assert(
        fc.property(storeDeliveries, capableStores, (list, capable) => {
          const refusal = refuse(list, undefined, new Set(capable));
          if (list.some((storeDelivery) => isEligible(storeDelivery, new Set(capable)))) {
            assert.equal(refusal, undefined);
            return;
          }
          refused++;
          assert.equal(refusal?.code, 'invalid_state');
          const { details = [] } = refusal;
          assert.deepEqual(
            details.map(({ field }) => field),
            list.map(() => 'stores'),
          );
          for (const [i, { issue }] of details.entries())
            assert.ok(issue.startsWith(`store_${i} `));
        }),
        { numRuns: 2_000 },
      );
      assert.ok(refused > 50 && refused < 1_950, `${refused}`);
    });

    test('with `stores` is refused if none of them is eligible, and the refusal gives the index of each', () => {
      let refused = 0;
      fc.assert(
        fc.property(storeDeliveries, capableStores, randomNumbers, (list, capable, order) => {
          const named = list
            .map(({ storeId }) => [order.next().value ?? 0, storeId] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, storeId]) => storeId);
          const refusal = refuse(list, named, new Set(capable));
          const hasEligible = list.some((storeDelivery) =>
            isEligible(storeDelivery, new Set(capable)),
          );
          const fields = list.map(({ storeId }) => `stores[${named.indexOf(storeId)}]`);
          assert.equal(refusal?.code, hasEligible ? undefined : 'invalid_state');
          assert.deepEqual(
            refusal?.details?.map(({ field }) => field) ?? [],
            hasEligible ? [] : fields,
          );
          if (refusal !== undefined) refused++;
        }),
        { numRuns: 2_000 },
      );
      assert.ok(refused > 50 && refused < 1_950, `${refused}`);
    });
  });
}

describe('contract §3: a request is accepted if and only if the step does something', () => {
  test('a takedown is accepted exactly where requestTakedown returns a step', () => {
    for (const status of storeDeliveryStatuses)
      for (const situation of situations) {
        const storeDelivery = storeDeliveryIn('aurora', status, situation);
        const hasStep =
          requestTakedown(storeDelivery, storeDelivery.updatedAt, 'msg_2') !== undefined;
        const label = `${status} ${situation}`;
        assert.equal(
          takedownIssue(storeDelivery, new Set(['aurora'])) === undefined,
          hasStep,
          label,
        );
      }
  });

  test('an unsent message is cancelled even at a store without takedowns', () => {
    const cancellable = (situation: Situation) =>
      storeDeliveryStatuses.filter(
        (status) =>
          takedownIssue(storeDeliveryIn('aurora', status, situation), new Set()) === undefined,
      );
    assert.deepEqual(cancellable('sent'), ['pending']);
    assert.deepEqual(cancellable('dispatched'), ['pending', 'in_progress']);
  });

  test('after a flag and a resubmission, the store is asked to remove the release before the message is sent', () => {
    const resubmitted = { ...storeDeliveryIn('aurora', 'pending', 'sent'), mayStillPublish: true };
    assert.equal(
      requestTakedown(resubmitted, resubmitted.updatedAt, 'msg_2')?.storeDelivery.status,
      'takedown_requested',
    );
    assert.equal(takedownIssue(resubmitted, new Set(['aurora'])), undefined);
    assert.match(takedownIssue(resubmitted, new Set()) ?? '', /does not accept takedowns/);
  });

  test('a store with a wanted takedown cannot be updated', () => {
    const storeDelivery = {
      ...storeDeliveryIn('aurora', 'delivered', 'sent'),
      takedownWanted: true,
    };
    const refusal = refuseUpdate([storeDelivery], undefined, new Set(['aurora']));
    assert.match(refusal?.details?.[0]?.issue ?? '', /about to be taken down/);
  });

  test('`nothing_changed` only if the release is unchanged for every store', () => {
    assert.equal(refuseUnchanged([])?.code, 'nothing_changed');
    assert.equal(refuseUnchanged([storeDeliveryIn('aurora', 'rejected', 'sent')]), undefined);
  });
});

describe('contract §1: the stores a request names', () => {
  const known = ['aurora', 'brook', 'cascade'];
  const names = fc.array(fc.constantFrom(...known, 'nowhere', 'constructor'), { maxLength: 8 });

  test('must be known and listed once; the refusal gives the index of each that is not', () => {
    fc.assert(
      fc.property(names, (named) => {
        const expected = named.flatMap((storeId, i) => {
          if (named.indexOf(storeId) < i)
            return [{ field: `stores[${i}]`, issue: 'is listed twice' }];
          return known.includes(storeId) ? [] : [{ field: `stores[${i}]`, issue: 'is unknown' }];
        });
        const refusal = refuseStores(named, known, 'is unknown');
        assert.deepEqual(refusal?.details ?? [], expected);
        assert.equal(refusal?.code, expected.length === 0 ? undefined : 'invalid_field');
      }),
      { numRuns: 1_000 },
    );
  });
});
