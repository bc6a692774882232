/**
 * What can be resubmitted, updated or taken down (contract §3). One store that will do is enough, named or
 * not; where none will, each is listed with its place in the request.
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
  requestTakedown,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';

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

/** Wanted only where it can be, and in its lane only what is on its way (see store-delivery-transitions.test.ts). */
const canBeWanted = new Set<StoreDeliveryStatus>([
  'in_progress',
  'action_required',
  'takedown_requested',
]);
const situations = ['wanted', 'in its lane', 'sent'] as const;
type Situation = (typeof situations)[number];

const messageStateIn = (status: StoreDeliveryStatus, situation: Situation): State => {
  if (status === 'pending') return 'queued';
  return situation === 'in its lane' && status === 'in_progress' ? 'dispatched' : 'sent';
};

const storeDeliveryIn = (
  storeId: string,
  status: StoreDeliveryStatus,
  situation: Situation,
): StoreDelivery => {
  const isWanted = situation === 'wanted' && canBeWanted.has(status);
  return storeDeliveryWith(storeId, status, isWanted, messageStateIn(status, situation));
};

/** All alike half of the time, or hardly any list would fit as a whole. */
const lists = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.constantFrom(...storeDeliveryStatuses), { minLength: 1, maxLength: 6 }),
  )
  .map(([isAlike, list]) => (isAlike ? list.map(() => list[0]!) : list));
const storeDeliveries = fc
  .tuple(lists, fc.array(fc.constantFrom(...situations), { minLength: 6, maxLength: 6 }))
  .map(([list, each]) =>
    list.map((status, i) => storeDeliveryIn(`store_${i}`, status, each[i] ?? 'sent')),
  );
const storeIds = Array.from({ length: 6 }, (_, i) => `store_${i}`);
const capable = fc.oneof(fc.constant(storeIds), fc.subarray(storeIds));
const shuffled = fc.infiniteStream(fc.nat(99));

type Able = ReadonlySet<string>;
type Rule = {
  readonly refuse: (
    list: readonly StoreDelivery[],
    named: readonly string[] | undefined,
    able: Able,
  ) => Refusal | undefined;
  /** Contract §3, of one store. */
  readonly fits: (storeDelivery: StoreDelivery, able: Able) => boolean;
};

/** Not even its lane has begun to send it. */
const isUnsent = ({ status, message }: StoreDelivery): boolean =>
  status === 'pending' || (status === 'in_progress' && message.state === 'dispatched');
const isOnItsWay = ({ status }: StoreDelivery): boolean =>
  status === 'in_progress' || status === 'action_required';

const rules: Readonly<Record<string, Rule>> = {
  'a resubmission, of what was rejected or flagged,': {
    refuse: (list, named) => refuseResubmit(list, named),
    fits: ({ status }) => status === 'rejected' || status === 'action_required',
  },
  'an update, of what stores have and take anew,': {
    refuse: refuseUpdate,
    fits: ({ status, storeId }, able) => status === 'delivered' && able.has(storeId),
  },
  'a takedown, of what stores have, wait for or were not sent,': {
    refuse: refuseTakedown,
    fits: (storeDelivery, able) => {
      if (isUnsent(storeDelivery)) return true;
      if (!able.has(storeDelivery.storeId)) return false;
      return (
        storeDelivery.status === 'delivered' ||
        (isOnItsWay(storeDelivery) && !storeDelivery.takedownWanted)
      );
    },
  },
};

for (const [name, { refuse, fits }] of Object.entries(rules)) {
  describe(`contract §3: ${name}`, () => {
    test('of all stores is refused when none of them fits, and then lists them all', () => {
      let refused = 0;
      fc.assert(
        fc.property(storeDeliveries, capable, (list, able) => {
          const refusal = refuse(list, undefined, new Set(able));
          if (list.some((part) => fits(part, new Set(able)))) {
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

    test('of named stores is refused when none of them fits, and says where each is named', () => {
      let refused = 0;
      fc.assert(
        fc.property(storeDeliveries, capable, shuffled, (list, able, order) => {
          const named = list
            .map(({ storeId }) => [order.next().value ?? 0, storeId] as const)
            .toSorted(([a], [b]) => a - b)
            .map(([, storeId]) => storeId);
          const refusal = refuse(list, named, new Set(able));
          const isFit = list.some((storeDelivery) => fits(storeDelivery, new Set(able)));
          const fields = list.map(({ storeId }) => `stores[${named.indexOf(storeId)}]`);
          assert.equal(refusal?.code, isFit ? undefined : 'invalid_state');
          assert.deepEqual(refusal?.details?.map(({ field }) => field) ?? [], isFit ? [] : fields);
          if (refusal !== undefined) refused++;
        }),
        { numRuns: 2_000 },
      );
      assert.ok(refused > 50 && refused < 1_950, `${refused}`);
    });
  });
}

describe('contract §3: refusals and moves agree', () => {
  test('whatever a capable store may be asked to take down moves, and nothing else does', () => {
    for (const status of storeDeliveryStatuses)
      for (const situation of situations) {
        const part = storeDeliveryIn('aurora', status, situation);
        const moves = requestTakedown(part, part.updatedAt, 'msg_2') !== undefined;
        const label = `${status} ${situation}`;
        assert.equal(takedownIssue(part, new Set(['aurora'])) === undefined, moves, label);
      }
  });

  test('what was not sent yet is cancelled even at a store that takes no takedowns', () => {
    const free = (situation: Situation) =>
      storeDeliveryStatuses.filter(
        (status) =>
          takedownIssue(storeDeliveryIn('aurora', status, situation), new Set()) === undefined,
      );
    assert.deepEqual(free('sent'), ['pending']);
    assert.deepEqual(free('in its lane'), ['pending', 'in_progress']);
  });

  test('what the store has only flagged is asked back even before it is sent anew', () => {
    const held = { ...storeDeliveryIn('aurora', 'pending', 'sent'), mayStillPublish: true };
    assert.equal(
      requestTakedown(held, held.updatedAt, 'msg_2')?.storeDelivery.status,
      'takedown_requested',
    );
    assert.equal(takedownIssue(held, new Set(['aurora'])), undefined);
    assert.match(takedownIssue(held, new Set()) ?? '', /takes no takedowns/);
  });

  test('what is about to be taken down is not updated any more', () => {
    const live = { ...storeDeliveryIn('aurora', 'delivered', 'sent'), takedownWanted: true };
    const refusal = refuseUpdate([live], undefined, new Set(['aurora']));
    assert.match(refusal?.details?.[0]?.issue ?? '', /about to be taken down/);
  });

  test('nothing has changed when nothing did for any of the stores', () => {
    assert.equal(refuseUnchanged([])?.code, 'nothing_changed');
    assert.equal(refuseUnchanged([storeDeliveryIn('aurora', 'rejected', 'sent')]), undefined);
  });
});

describe('contract §1: the stores a request names', () => {
  const known = ['aurora', 'brook', 'cascade'];
  const names = fc.array(fc.constantFrom(...known, 'nowhere', 'constructor'), { maxLength: 8 });

  test('must be known, and each named once; whatever is wrong is listed with its place', () => {
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
