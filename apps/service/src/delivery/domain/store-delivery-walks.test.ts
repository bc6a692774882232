/**
 * Long random lives of one store delivery, with its own ids, revisions and times, compared with the model after every
 * act. The enumeration (store-delivery-transitions.test.ts) reduces these; here they grow as in production.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as commandModel from '../../../test/machine/model-commands.ts';
import { answer as answerModel, type Named } from '../../../test/machine/model.ts';
import { anyDeal, day } from '../../../test/machine/story.ts';
import type { AnswerContent, AnswerKind } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import { reachDeadline } from './infer.ts';
import type { MessageId } from './message.ts';
import { dispatch, rejectBeforeSending, requestUpdate, resubmit } from './send-again.ts';
import {
  newStoreDelivery,
  type StoreDelivery,
  type StoreStep,
  targetRevision,
} from './store-delivery.ts';
import { replaceSendWithTakedown, requestTakedown, takeDownIfWanted } from './takedown.ts';

type Steps = readonly StoreStep[];
type Compared = { readonly actual: Steps; readonly expected: Steps };
type Moment = {
  readonly storeDelivery: StoreDelivery;
  readonly now: Date;
  readonly newId: MessageId;
  readonly confirmation: 'live' | 'ingest' | 'none';
};

const toSteps = (...steps: readonly (StoreStep | undefined)[]): Steps =>
  steps.filter((step) => step !== undefined);
const rejection = { code: 'c', reason: 'no' };
const leadDays = 3;

const commands = {
  dispatch: ({ storeDelivery, now, ...clock }: Moment) => {
    const due = new Date(now.getTime() + leadDays * 86_400_000);
    return {
      actual: toSteps(dispatch(storeDelivery, now, due)),
      expected: commandModel.dispatch(storeDelivery, { ...clock, now }, due),
    };
  },
  takedown: ({ storeDelivery, now, newId }: Moment) => ({
    actual: toSteps(requestTakedown(storeDelivery, now, newId, 'partner')),
    expected: commandModel.takedown(storeDelivery, { now, newId }, 'partner'),
  }),
  replace: ({ storeDelivery, now, newId }: Moment) => ({
    actual: toSteps(replaceSendWithTakedown(storeDelivery, now, newId)),
    expected: commandModel.replaceSend(storeDelivery, { now, newId }),
  }),
  resubmit: (moment: Moment) => ({
    actual: toSteps(resubmit(moment.storeDelivery, moment.now, contentOf(moment))),
    expected: commandModel.resubmit(moment.storeDelivery, moment, contentOf(moment)),
  }),
  update: (moment: Moment) => ({
    actual: toSteps(requestUpdate(moment.storeDelivery, moment.now, contentOf(moment))),
    expected: commandModel.requestUpdate(moment.storeDelivery, moment, contentOf(moment)),
  }),
  refuse: ({ storeDelivery, now, newId }: Moment) => ({
    actual: toSteps(rejectBeforeSending(storeDelivery, now, rejection)),
    expected: commandModel.rejectBeforeSending(storeDelivery, { now, newId }, rejection),
  }),
  deadline: ({ storeDelivery, now, newId, confirmation }: Moment) => {
    const step = reachDeadline(storeDelivery, now, confirmation);
    return {
      actual: toSteps(step, step && takeDownIfWanted(step.storeDelivery, now, newId)),
      expected: commandModel.deadline(storeDelivery, { now, newId }, confirmation),
    };
  },
} as const satisfies Record<string, (moment: Moment) => Compared>;

const contentOf = ({ storeDelivery, newId }: Moment) => ({
  revision: targetRevision(storeDelivery) + 1,
  deal: anyDeal,
  requestedTerritoryCodes: null,
  messageId: newId,
});

function namedBy({ message, deliveredBy }: StoreDelivery, id: MessageId | null): Named {
  if (id === null) return 'release';
  if (id === message.id) return 'current';
  if (id === deliveredBy) return 'delivered_by';
  return deliveredBy !== null && id > deliveredBy ? 'between' : 'before';
}

function answered(moment: Moment, content: AnswerContent, messageId: MessageId | null): Compared {
  const { storeDelivery, now, newId, confirmation } = moment;
  return {
    actual: applyAnswer(
      storeDelivery,
      { ...content, messageId },
      { now, confirmation, takedownId: newId },
    ),
    expected: answerModel(storeDelivery, {
      now,
      newId,
      confirmation,
      content,
      messageId,
      named: namedBy(storeDelivery, messageId),
    }),
  };
}

const contentWith = (kind: AnswerKind, reason: string): AnswerContent => {
  if (kind === 'delivered') return { kind, url: null };
  return kind === 'acknowledged' || kind === 'removed'
    ? { kind }
    : { kind, rejection: { code: 'c', reason } };
};

const anyAnswer = fc.record({
  kind: fc.constantFrom<AnswerKind>(
    'acknowledged',
    'delivered',
    'rejected',
    'action_required',
    'removed',
    'removal_refused',
  ),
  /** 0: the latest message; n: the n-th before it; null: only the release. */
  messagesBack: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.nat(4) },
  ),
  reason: fc.constantFrom('one', 'two'),
});
type CommandName = keyof typeof commands;
const anyCommand = fc.constantFrom(...(Object.keys(commands) as CommandName[]));
const anyAct = fc.oneof(
  { weight: 3, arbitrary: anyAnswer },
  { weight: 3, arbitrary: anyCommand },
  { weight: 3, arbitrary: fc.constantFrom('claim' as const, 'send' as const) },
);
type RandomAct = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

function inLane(storeDelivery: StoreDelivery, act: 'claim' | 'send'): StoreDelivery {
  const { message, takedown } = storeDelivery;
  const mayClaim = message.kind === 'takedown' || takedown === null;
  if (act === 'claim' && message.state === 'dispatched' && mayClaim)
    return { ...storeDelivery, message: { ...message, state: 'sending' } };
  return act === 'send' && message.state === 'sending'
    ? { ...storeDelivery, message: { ...message, state: 'sent' } }
    : storeDelivery;
}

const idOf = (number: number): MessageId => `msg_${String(number).padStart(3, '0')}`;

/** Plays the acts on the given days; `check` sees what each did. */
function walk(
  confirmation: Moment['confirmation'],
  acts: readonly (readonly [act: RandomAct, now: Date])[],
  check: (compared: Compared, before: StoreDelivery) => void,
): void {
  const first = { revision: 1, deal: anyDeal, requestedTerritoryCodes: null, messageId: idOf(1) };
  let storeDelivery = newStoreDelivery('aurora', first, day(1));
  let messages = 1;
  for (const [act, now] of acts) {
    if (act === 'claim' || act === 'send') {
      storeDelivery = inLane(storeDelivery, act);
      continue;
    }
    const moment = { storeDelivery, now, newId: idOf(messages + 1), confirmation };
    const compared =
      typeof act === 'string'
        ? commands[act](moment)
        : answered(
            moment,
            contentWith(act.kind, act.reason),
            act.messagesBack === null ? null : idOf(Math.max(1, messages - act.messagesBack)),
          );
    check(compared, storeDelivery);
    const after = compared.actual.at(-1)?.storeDelivery ?? storeDelivery;
    if (after.message.id !== storeDelivery.message.id) messages++;
    storeDelivery = after;
  }
}

const anyConfirmation = fc.constantFrom('live', 'ingest', 'none');

test('contract §3: a long life of a store delivery goes as the table says', () => {
  const statuses = new Set<string>();
  fc.assert(
    fc.property(
      anyConfirmation,
      fc.array(anyAct, { maxLength: 80, size: 'max' }),
      (confirmation, acts) => {
        const dated = acts.map((act, i) => [act, day(2 + i)] as const);
        walk(confirmation, dated, ({ actual, expected }) => {
          assert.deepEqual(actual, expected);
          for (const { storeDelivery } of actual) statuses.add(storeDelivery.status);
        });
      },
    ),
    { numRuns: 1_500 },
  );
  assert.equal(statuses.size, 7, 'every status was reached');
});

test('`updated_at` never decreases, and no step is lost, if the clocks of machines differ', () => {
  const anyDay = fc.nat(60).map((n) => day(1 + n));
  fc.assert(
    fc.property(
      anyConfirmation,
      fc.array(fc.tuple(anyAct, anyDay), { maxLength: 60, size: 'max' }),
      (confirmation, acts) => {
        walk(confirmation, acts, ({ actual, expected }, before) => {
          for (const { storeDelivery } of actual)
            assert.ok(storeDelivery.updatedAt >= before.updatedAt);
          assert.deepEqual(
            actual.map(({ type }) => type),
            expected.map(({ type }) => type),
          );
        });
      },
    ),
    { numRuns: 1_000 },
  );
});
