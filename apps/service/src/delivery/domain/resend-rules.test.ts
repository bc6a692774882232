/**
 * Which stores can be resubmitted to, updated or taken down (contract §3). A request is accepted if at least one
 * of its stores is eligible; otherwise the refusal lists each store with its index in the request.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { reachableStates } from '../../../test/machine/explore.ts';
import { play, says } from '../../../test/machine/story.ts';
import { refuseStores } from './chosen-stores.ts';
import { liveDateMoved } from './live-date.ts';
import {
  refuseMovedDate,
  refuseResubmit,
  refuseTakedown,
  refuseUnchanged,
  refuseUpdate,
  resubmitIssue,
  selectStores,
  takedownIssue,
  updateIssue,
} from './resend-rules.ts';
import { requestUpdate, resubmit } from './send-again.ts';
import { type StoreDelivery, targetRevision } from './store-delivery.ts';
import { requestTakedown } from './takedown.ts';

const reachable = reachableStates();
const capable = new Set(['aurora']);
const incapable: ReadonlySet<string> = new Set();

const newestContent = (storeDelivery: StoreDelivery) => ({
  revision: targetRevision(storeDelivery) + 1,
  deal: storeDelivery.deal,
  requestedTerritoryCodes: null,
  messageId: 'msg_9' as const,
});

/** The rule of each request, and the step that the request takes at a store to which it applies. */
const requests = {
  'a resubmission': {
    issueOf: () => resubmitIssue,
    refuse: refuseResubmit,
    step: (storeDelivery: StoreDelivery) =>
      resubmit(storeDelivery, storeDelivery.updatedAt, newestContent(storeDelivery)),
  },
  'an update': {
    issueOf: updateIssue,
    refuse: refuseUpdate,
    step: (storeDelivery: StoreDelivery) =>
      requestUpdate(storeDelivery, storeDelivery.updatedAt, newestContent(storeDelivery)),
  },
  'a takedown': {
    issueOf: takedownIssue,
    refuse: refuseTakedown,
    step: (storeDelivery: StoreDelivery) =>
      requestTakedown(storeDelivery, storeDelivery.updatedAt, 'msg_9', 'partner'),
  },
} as const;

const stepOfTakedown = requests['a takedown'].step;

const someStores = fc
  .array(fc.constantFrom(...reachable), { minLength: 1, maxLength: 6 })
  .map((list) => list.map((each, i): StoreDelivery => ({ ...each, storeId: `store_${i}` })));
const capableStores = fc
  .subarray(Array.from({ length: 6 }, (_, i) => `store_${i}`))
  .map((storeIds) => new Set(storeIds));

for (const [name, { issueOf, refuse, step }] of Object.entries(requests)) {
  describe(`contract §3: ${name}`, () => {
    test('applies to a store exactly where it takes a step, in every state that can be reached', () => {
      let applicable = 0;
      for (const storeDelivery of reachable) {
        const issue = issueOf(capable)(storeDelivery);
        const hasStep = step(storeDelivery) !== undefined;
        assert.equal(issue === undefined, hasStep, `${issue}: ${JSON.stringify(storeDelivery)}`);
        if (hasStep) applicable++;
      }
      assert.ok(applicable > 100 && applicable < reachable.length - 100, `${applicable}`);
    });

    test('is refused if it applies to no store, and the refusal lists each store by its index', () => {
      let refused = 0;
      fc.assert(
        fc.property(someStores, capableStores, fc.boolean(), (list, able, isNamed) => {
          const selection = selectStores(list, issueOf(able));
          assert.deepEqual(
            [
              ...selection.applicable.map((each) => each.storeId),
              ...skippedIds(selection),
            ].toSorted(),
            list.map(({ storeId }) => storeId),
          );
          for (const { store_id, reason } of selection.skipped)
            assert.ok(reason.startsWith(`${store_id} `));
          const named = isNamed ? list.map(({ storeId }) => storeId).toReversed() : undefined;
          const refusal = refuse(selection, named);
          if (selection.applicable.length > 0) {
            assert.equal(refusal, undefined);
            return;
          }
          refused++;
          assert.equal(refusal?.code, 'invalid_state');
          assert.deepEqual(
            refusal.details?.map(({ field }) => field),
            list.map(({ storeId }) => (named ? `stores[${named.indexOf(storeId)}]` : 'stores')),
          );
        }),
        { numRuns: 2_000 },
      );
      assert.ok(refused > 50, `${refused}`);
    });
  });
}

const skippedIds = ({ skipped }: ReturnType<typeof selectStores>) =>
  skipped.map(({ store_id }) => store_id);

describe('contract §3: a takedown', () => {
  test('cancels an unsent message and closes a rejected store even where stores take no takedowns', () => {
    for (const storeDelivery of reachable) {
      const isAccepted = takedownIssue(incapable)(storeDelivery) === undefined;
      const type = stepOfTakedown(storeDelivery)?.type;
      assert.equal(isAccepted, type === 'canceled' || type === 'closed');
    }
  });

  test('of a release that was flagged and resubmitted asks the store, before the message is sent', () => {
    const { storeDelivery } = play('live', 'send', says('action_required', 1), 'resubmit');
    assert.equal(stepOfTakedown(storeDelivery)?.type, 'takedown_requested');
    assert.match(takedownIssue(incapable)(storeDelivery) ?? '', /does not accept takedowns/);
  });

  test('that waits for the store cannot be repeated, until the store has the release', () => {
    const waiting = play('live', 'send', 'takedown').storeDelivery;
    assert.match(takedownIssue(capable)(waiting) ?? '', /as soon as it has the release/);
    const updating = ['send', says('delivered', 1), 'update', 'claim', 'takedown'] as const;
    const duringSend = play('live', ...updating).storeDelivery;
    assert.match(takedownIssue(capable)(duringSend) ?? '', /after the update/);
    // The store never answers the update: a second request asks it.
    const afterSend = play('live', ...updating, 'send').storeDelivery;
    assert.equal(takedownIssue(capable)(afterSend), undefined);
    assert.equal(stepOfTakedown(afterSend)?.type, 'takedown_requested');
  });
});

describe('contract §3: an update', () => {
  test('of a store that is about to be taken down, or takes no updates, is refused', () => {
    const live = ['send', says('delivered', 1)] as const;
    const wanted = play('live', ...live, 'update', 'claim', 'takedown').storeDelivery;
    assert.match(updateIssue(capable)(wanted) ?? '', /about to be taken down/);
    const { storeDelivery } = play('live', ...live);
    assert.match(updateIssue(incapable)(storeDelivery) ?? '', /does not accept updates/);
  });

  test('`nothing_changed` only if the release is unchanged for every store', () => {
    assert.equal(refuseUnchanged([], [], undefined)?.code, 'nothing_changed');
    assert.equal(refuseUnchanged(reachable.slice(0, 1), [], undefined), undefined);
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
            return [{ field: `stores[${i}]`, issue: 'is listed twice; list it once' }];
          const issue = `has "${storeId}", which is unknown`;
          return known.includes(storeId) ? [] : [{ field: `stores[${i}]`, issue }];
        });
        const refusal = refuseStores(named, known, 'is unknown');
        assert.deepEqual(
          (refusal?.details ?? []).map(({ field, issue }) => ({ field, issue })),
          expected,
        );
        assert.equal(refusal?.code, expected.length === 0 ? undefined : 'invalid_field');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('contract §3, §7: a refusal says what cannot be done, and names each store with the reason', () => {
  const skipped = [
    { store_id: 'aurora', reason: 'is pending' },
    { store_id: 'hanami', reason: 'is taken_down' },
  ];
  const details = [
    { field: 'stores[1]', issue: 'Store is pending' },
    { field: 'stores[0]', issue: 'Store is taken_down' },
  ];
  const named = ['hanami', 'aurora'];

  test('of a resubmission, an update and a takedown', () => {
    const refusals = [refuseResubmit, refuseUpdate, refuseTakedown].map((refuse) =>
      refuse({ applicable: [], skipped }, named),
    );
    const code = 'invalid_state';
    assert.deepEqual(refusals, [
      {
        code,
        message:
          'None of these stores rejected or flagged the release, so there is nothing to resubmit. Details name the state of each store.',
        details,
      },
      {
        code,
        message:
          'None of these stores can be updated: a store must have the release and accept updates. Details name the state of each store.',
        details,
      },
      {
        code,
        message:
          'There is nothing to take down: none of these stores has the release or is receiving it.',
        details,
      },
    ]);
  });

  test('catalogue §1.5: of an update that would move the date of a live release, if there is such a store', () => {
    const refusal = refuseMovedDate(skipped, named);
    assert.deepEqual([refusal?.code, refusal?.details], ['invalid_state', details]);
    assert.match(refusal?.message ?? '', /live/);
    assert.equal(refusal?.message, liveDateMoved.reason);
    assert.equal(refuseMovedDate([], named), undefined);
    assert.deepEqual(refuseMovedDate(skipped.slice(1), named)?.details, details.slice(1));
  });

  test('of a resubmission without a change', () => {
    const unchanged = {
      store_id: 'aurora',
      reason: 'aurora was already sent this release with the same territories.',
    };
    const sent = { field: 'stores', issue: `Store ${unchanged.reason}` };
    assert.deepEqual(refuseUnchanged([], [unchanged], undefined), {
      code: 'nothing_changed',
      message: 'The release has not changed since it was sent to these stores. Correct it first.',
      details: [sent],
    });
    const busy = { store_id: 'beatlane', reason: 'beatlane is in_progress.' };
    const refusal = refuseUnchanged([], [unchanged, busy], undefined);
    assert.match(refusal?.message ?? '', /or cannot be sent it now/);
    assert.deepEqual(refusal?.details, [
      sent,
      { field: 'stores', issue: 'Store beatlane is in_progress.' },
    ]);
    assert.equal(refuseUnchanged(['aurora'], [unchanged], undefined), undefined);
  });

  test('of a takedown that is requested or done', () => {
    const issueOf = takedownIssue(capable);
    const { storeDelivery } = play('live', 'send', says('delivered', 1), 'takedown');
    assert.equal(issueOf(storeDelivery), 'is takedown_requested');
    assert.equal(issueOf({ ...storeDelivery, status: 'taken_down' }), 'is taken_down');
  });
});
