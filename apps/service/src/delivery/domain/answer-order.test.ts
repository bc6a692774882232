/**
 * Answers arrive late, repeated, out of order and to earlier messages. Where the order does not matter, and where the
 * last answer counts: a store that flags or removes a release it has is heard whenever it says so (ADR 0021).
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { explorations } from '../../../test/machine/explore.ts';
import { type Act, play, says } from '../../../test/machine/story.ts';
import type { AnswerKind } from './answer.ts';

const kinds = [
  'acknowledged',
  'delivered',
  'rejected',
  'action_required',
  'removed',
  'removal_refused',
] as const satisfies readonly AnswerKind[];
type Confirmation = ReturnType<typeof explorations>[number]['confirmation'];

const endOf = (confirmation: Confirmation, answers: readonly Act[]): string =>
  play(confirmation, 'send', ...answers).storeDelivery.status;

describe('contract §3: repeated answers', () => {
  for (const { confirmation, moves } of explorations())
    test(`the same answer applied twice changes nothing, in every state (${confirmation})`, () => {
      let repeated = 0;
      for (const { input, before, steps } of moves) {
        if (!input.isAnswer) continue;
        const after = steps.at(-1)?.storeDelivery ?? before;
        assert.deepEqual(input.actual(after), [], `${input.name} ${JSON.stringify(before)}`);
        repeated++;
      }
      assert.ok(repeated > 1_000, `${repeated}`);
    });

  test('ADR 0021: a flag that is repeated after the store confirmed the release flags it again', () => {
    const flagged = [says('action_required', 1), says('delivered', 1), says('action_required', 1)];
    assert.equal(endOf('live', flagged), 'action_required');
  });
});

/** Contract §3, catalogue §1.2, for the answers to one message of a store that announces availability. */
const table: Readonly<Record<string, Readonly<Partial<Record<AnswerKind, string>>>>> = {
  in_progress: { delivered: 'delivered', rejected: 'rejected', action_required: 'flagged' },
  flagged: { delivered: 'delivered', rejected: 'rejected' },
  delivered: { action_required: 'flagged while live', removed: 'taken_down' },
  'flagged while live': { delivered: 'delivered', rejected: 'rejected', removed: 'taken_down' },
  rejected: { delivered: 'delivered' },
  taken_down: {},
};
const statusOf = (row: string): string => (row.startsWith('flagged') ? 'action_required' : row);

describe('contract §3: answers to one message, in every order', () => {
  const lengthMax = 5;

  test('up to five answers, also repeated or impossible, end in the status of the table', () => {
    const reached = new Set<string>();
    let sequences = 0;
    const applyEverySequence = (answers: readonly AnswerKind[], row: string): void => {
      const acts = answers.map((kind) => says(kind, 1));
      assert.equal(endOf('live', acts), statusOf(row), answers.join());
      reached.add(row);
      sequences++;
      if (answers.length === lengthMax) return;
      for (const kind of kinds) applyEverySequence([...answers, kind], table[row]?.[kind] ?? row);
    };
    applyEverySequence([], 'in_progress');
    assert.equal(sequences, 1 + 6 + 6 ** 2 + 6 ** 3 + 6 ** 4 + 6 ** 5);
    assert.deepEqual([...reached].toSorted(), Object.keys(table).toSorted());
  });

  test('the order of two answers matters only if one of them announces, and the other flags or removes', () => {
    const pairs = kinds.flatMap((one, i) =>
      kinds.slice(i + 1).map((other) => [one, other] as const),
    );
    const dependent = pairs.filter(([one, other]) => {
      const [first, second] = [says(one, 1), says(other, 1)];
      return endOf('live', [first, second]) !== endOf('live', [second, first]);
    });
    assert.deepEqual(dependent, [
      ['delivered', 'action_required'],
      ['delivered', 'removed'],
    ]);
  });

  for (const confirmation of ['live', 'ingest', 'none'] as const)
    test(`without flags and removals, an announcement counts, else a rejection, in any order (${confirmation})`, () => {
      const calm = fc.constantFrom('acknowledged', 'delivered', 'rejected', 'removal_refused');
      fc.assert(
        fc.property(fc.array(calm, { maxLength: 30 }), (answers) => {
          const decided = (['delivered', 'rejected'] as const).find((kind) =>
            answers.includes(kind),
          );
          assert.equal(
            endOf(
              confirmation,
              answers.map((kind) => says(kind, 1)),
            ),
            decided ?? 'in_progress',
          );
        }),
        { numRuns: 1_000 },
      );
    });

  test('catalogue §1.3: silence before or after the rejection, it is rejected', () => {
    const silenceFirst = play('none', 'send', 'deadline', says('rejected', 1)).storeDelivery;
    const rejectionFirst = play('none', 'send', says('rejected', 1), 'deadline').storeDelivery;
    for (const { status, liveAt } of [silenceFirst, rejectionFirst])
      assert.deepEqual([status, liveAt], ['rejected', null]);
  });

  test('catalogue §1.3: the receipt before or after the deadline, it is inferred to be live', () => {
    const inTime = play('ingest', 'send', says('acknowledged', 1), 'deadline').storeDelivery;
    const late = play('ingest', 'send', 'deadline', says('acknowledged', 1)).storeDelivery;
    for (const { status, liveBasis } of [inTime, late])
      assert.deepEqual([status, liveBasis], ['delivered', 'inferred']);
  });
});

describe('catalogue §1.2: answers to earlier messages', () => {
  test('change nothing while a resubmission waits or is on its way', () => {
    for (const kind of kinds)
      for (const sent of [[], ['claim'], ['send']] as const) {
        const resubmitted = ['send', says('rejected', 1), 'resubmit', ...sent] as const;
        const { acts } = play('live', ...resubmitted, says(kind, 1));
        assert.deepEqual(acts.at(-1), [], kind);
      }
  });

  test('flag or remove the release if they name a message since the store has it, not one before', () => {
    const updatedTwice = ['update', 'send', 'update', 'send'] as const;
    const corrected = [
      'send',
      says('rejected', 1),
      'resubmit',
      'send',
      says('delivered', 2),
      ...updatedTwice,
    ] as const;
    for (const kind of ['action_required', 'removed'] as const) {
      const endsWith = (to: number | 'release') =>
        play('live', ...corrected, says(kind, to)).acts.at(-1);
      assert.deepEqual(endsWith(1), []);
      for (const to of [2, 3, 'release'] as const)
        assert.deepEqual(endsWith(to), [kind === 'removed' ? 'taken_down' : kind], `${to}`);
    }
  });
});
