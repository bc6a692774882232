/** The directory of what stores have (catalogue §1.2), after every sequence of steps that is possible. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Exploration,
  explorations,
  keyOf,
  type Move,
  withoutStep,
} from '../../../test/machine/explore.ts';
import { initial, reduce } from '../../../test/machine/inputs.ts';
import { anyDeal, play, says } from '../../../test/machine/story.ts';
import { beginsHolding, endsHolding, holdingsOf } from './holdings.ts';
import type { StoreDelivery } from './store-delivery.ts';

/** Whether the store has an open row in the directory. */
type Held = { readonly key: string; readonly isHeld: boolean };
const nameOf = ({ key, isHeld }: Held): string => `${isHeld} ${key}`;

/** As collect-holdings.ts. */
function isHeldAfter({ before, steps }: Move, isHeld: boolean): boolean {
  let [held, previous] = [isHeld, before];
  for (const { storeDelivery } of steps) {
    if (endsHolding(previous, storeDelivery)) held = false;
    if (beginsHolding(previous, storeDelivery)) held = true;
    previous = storeDelivery;
  }
  return held;
}

/** Every state with every content that the directory can have then. */
function* heldStates({ states, moves }: Exploration) {
  const movesFrom = Map.groupBy(moves, ({ before }) => before);
  const found = new Map<string, Held>();
  const add = (held: Held) => found.set(nameOf(held), found.get(nameOf(held)) ?? held);
  add({ key: keyOf(initial), isHeld: false });
  for (const { key, isHeld } of found.values()) {
    const storeDelivery = states.get(key) ?? initial;
    for (const move of movesFrom.get(storeDelivery) ?? [])
      add({ key: move.to, isHeld: isHeldAfter(move, isHeld) });
    for (const after of withoutStep(storeDelivery)) add({ key: keyOf(reduce(after)), isHeld });
    yield { storeDelivery, isHeld };
  }
}

/** A store that flags a resubmission has not confirmed it; what it had before, it may have rejected. */
const hasRelease = ({ status, liveAt, message, deliveredBy }: StoreDelivery): boolean =>
  status === 'delivered' ||
  (status === 'action_required' &&
    liveAt !== null &&
    (message.kind !== 'deliver' || message.id === deliveredBy));

for (const exploration of explorations())
  describe(`catalogue §1.2: the directory of what stores have (${exploration.confirmation})`, () => {
    test('has the release while the store has it, and not after it is taken down or rejected', () => {
      let [held, notHeld] = [0, 0];
      for (const { storeDelivery, isHeld } of heldStates(exploration)) {
        const label = JSON.stringify(storeDelivery);
        if (hasRelease(storeDelivery)) assert.ok(isHeld, label);
        if (storeDelivery.liveAt === null) assert.ok(!isHeld, label);
        if (storeDelivery.status === 'taken_down' || storeDelivery.status === 'rejected')
          assert.ok(!isHeld, label);
        if (isHeld) held++;
        else notHeld++;
      }
      assert.ok(held > 100 && notHeld > 100, `${held} ${notHeld}`);
    });

    test('gets another row when the store has another revision or deal', () => {
      const updates = exploration.moves
        .flatMap(({ before, steps }) =>
          steps.map(({ storeDelivery }) => [before, storeDelivery] as const),
        )
        .filter(([before, after]) => hasRelease(before) && hasRelease(after));
      for (const [before, after] of updates) {
        const isOther = before.revision !== after.revision || before.deal !== after.deal;
        assert.equal(beginsHolding(before, after), isOther);
      }
      assert.ok(updates.length > 100);
    });
  });

test('catalogue §1.2: one row for the UPC and one for each ISRC, with the territories of its track', () => {
  const { storeDelivery } = play('live', 'send');
  const tracks = [
    { trackId: 'trk_2', territoryCodes: ['SE'], useTypes: ['download'] },
    { trackId: 'trk_3', territoryCodes: [], useTypes: [] },
  ] as const;
  const held = holdingsOf(
    { ...storeDelivery, deal: { ...anyDeal, tracks } },
    {
      upc: '123456789012',
      ean: null,
      tracks: [1, 2, 3].map((n) => ({ id: `trk_${n}` as const, isrc: `SETON270000${n}` })),
    },
  );
  assert.deepEqual(
    held.map(({ code, trackId, territoryCodes }) => [code, trackId, ...territoryCodes]),
    [
      ['123456789012', null, 'DE'],
      ['SETON2700001', 'trk_1', 'DE'],
      ['SETON2700002', 'trk_2', 'SE'],
    ],
  );
});

test('catalogue §4: a release with an EAN is held under it; under the UPC if the EAN is this UPC', () => {
  const { storeDelivery } = play('live', 'send');
  const { storeId } = storeDelivery;
  const tracks = [{ id: 'trk_1', isrc: 'SETON2700001' }] as const;
  const heldWith = (ean: string) =>
    holdingsOf(storeDelivery, { upc: '123456789012', ean, tracks }).map((held) => [
      held.storeId,
      held.code,
    ]);
  const ofTrack = [storeId, 'SETON2700001'];
  assert.deepEqual(heldWith('4006381333931'), [[storeId, '4006381333931'], ofTrack]);
  assert.deepEqual(heldWith('0123456789012'), [[storeId, '123456789012'], ofTrack]);
});

test('catalogue §1.2: a flag of a resubmission begins no row; its confirmation does', () => {
  const flagged = play(
    'live',
    'send',
    says('delivered', 1),
    says('action_required', 1),
    'resubmit',
    'send',
  ).storeDelivery;
  const again = play(
    'live',
    'send',
    says('delivered', 1),
    says('action_required', 1),
    'resubmit',
    'send',
    says('action_required', 2),
  ).storeDelivery;
  const confirmed = { ...again, status: 'delivered', deliveredBy: again.message.id } as const;
  assert.equal(beginsHolding(flagged, again), false);
  assert.equal(beginsHolding(again, confirmed), true);
});
