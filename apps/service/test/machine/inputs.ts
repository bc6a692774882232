/**
 * Every input of a store delivery, with what the domain does (`actual`) and what the model says (`expected`). Times, ids,
 * revisions, deals and reasons are reduced to what the rules compare (`reduce`), so that there are finitely many states.
 */

import type { AnswerContent } from '../../src/delivery/domain/answer.ts';
import { applyAnswer } from '../../src/delivery/domain/apply-answer.ts';
import type { Deal } from '../../src/delivery/domain/deal.ts';
import { reachDeadline } from '../../src/delivery/domain/infer.ts';
import type { MessageId, Rejection } from '../../src/delivery/domain/message.ts';
import {
  dispatch,
  refuseUpdateRequest,
  rejectBeforeSending,
  requestUpdate,
  resubmit,
  wait,
} from '../../src/delivery/domain/send-again.ts';
import {
  type MessageContent,
  newStoreDelivery,
  type StoreDelivery,
  type StoreStep,
} from '../../src/delivery/domain/store-delivery.ts';
import {
  replaceSendWithTakedown,
  requestTakedown,
  takeDownIfWanted,
} from '../../src/delivery/domain/takedown.ts';
import type { Confirmation } from '../../src/network/face.ts';
import * as commandModel from './model-commands.ts';
import { hasOpenUpdate } from './model-steps.ts';
import * as model from './model.ts';

const past = new Date('2027-01-01T00:00:00Z');
export const due = new Date('2027-01-02T00:00:00Z');
export const now = new Date('2027-01-03T00:00:00Z');
export const future = new Date('2027-01-04T00:00:00Z');

/** Ids in the order in which the messages were sent. */
const ids = {
  before: 'msg_1',
  delivered_by: 'msg_3',
  between: 'msg_4',
  current: 'msg_5',
  new: 'msg_9',
} as const satisfies Record<string, MessageId>;
const clock = { now, newId: ids.new };

const dealWith = (...territoryCodes: readonly string[]): Deal => ({
  territoryCodes,
  useTypes: ['download'],
  isWorldwide: false,
  tracks: [],
});
const deal = dealWith('DE');
const otherDeal = dealWith('SE');

const known: Rejection = { code: 'c', reason: 'known' };
const other: Rejection = { code: 'c', reason: 'other' };
const otherCode: Rejection = { code: 'd', reason: 'known' };

const knownUrl = 'https://a.example/1';
const otherUrl = 'https://a.example/2';

const onlyKnown = (rejection: Rejection | null): Rejection | null => rejection && known;

/** The same state for the rules: what happened is past, the store has revision 5 and the first deal. */
export function reduce(storeDelivery: StoreDelivery): StoreDelivery {
  const { message, deliveredBy, update, expectedBy, takedown } = storeDelivery;
  return {
    ...storeDelivery,
    deal,
    revision: 5,
    update: update && {
      ...update,
      revision: update.revision > storeDelivery.revision ? 6 : 5,
      deal: update.deal === storeDelivery.deal ? deal : otherDeal,
      rejection: onlyKnown(update.rejection),
    },
    rejection: onlyKnown(storeDelivery.rejection),
    acknowledgedAt: storeDelivery.acknowledgedAt && past,
    expectedBy: expectedBy && (expectedBy > now ? future : due),
    liveAt: storeDelivery.liveAt && past,
    // Never null, so that it shows whether an input keeps or replaces them.
    storeUrl: knownUrl,
    requestedTerritoryCodes: ['NO'],
    deliveredBy: deliveredBy && (deliveredBy === message.id ? ids.current : ids.delivered_by),
    takedown: takedown && { ...takedown, requestedAt: past },
    message: { ...message, id: ids.current },
    updatedAt: past,
  };
}

export const initial = reduce(
  newStoreDelivery(
    'aurora',
    { revision: 5, deal, requestedTerritoryCodes: null, messageId: ids.current },
    past,
  ),
);

type Steps = readonly StoreStep[];
export type Input = {
  readonly name: string;
  readonly isAnswer: boolean;
  readonly appliesTo: (storeDelivery: StoreDelivery) => boolean;
  readonly actual: (storeDelivery: StoreDelivery) => Steps;
  readonly expected: (storeDelivery: StoreDelivery) => Steps;
};

const toSteps = (step: StoreStep | undefined): Steps => (step === undefined ? [] : [step]);
const always = () => true;

const contents: readonly (readonly [name: string, content: AnswerContent])[] = [
  ['acknowledged', { kind: 'acknowledged' }],
  ['delivered', { kind: 'delivered', url: null }],
  ['delivered with a URL', { kind: 'delivered', url: otherUrl }],
  ['rejected', { kind: 'rejected', rejection: other }],
  ['action_required', { kind: 'action_required', rejection: other }],
  ['action_required for the known reason', { kind: 'action_required', rejection: known }],
  ['action_required with another code', { kind: 'action_required', rejection: otherCode }],
  ['removed', { kind: 'removed' }],
  ['removal_refused', { kind: 'removal_refused', rejection: other }],
];

/** A store that got the release by the current message cannot name a message between the two. */
const canName = (which: model.Named, { deliveredBy, message }: StoreDelivery): boolean =>
  (which !== 'delivered_by' && which !== 'between') ||
  (deliveredBy !== null && deliveredBy !== message.id);

const answerInputs = (confirmation: Confirmation): readonly Input[] =>
  model.named.flatMap((which) =>
    contents.map(([name, content]): Input => {
      const answer = { ...content, messageId: which === 'release' ? null : ids[which] };
      return {
        name: `${name}, naming ${which}`,
        isAnswer: true,
        appliesTo: (storeDelivery) => canName(which, storeDelivery),
        actual: (storeDelivery) =>
          applyAnswer(storeDelivery, answer, { now, confirmation, takedownId: ids.new }),
        expected: (storeDelivery) =>
          model.answer(storeDelivery, { ...clock, ...answer, named: which, content, confirmation }),
      };
    }),
  );

const content = (revision: number, ofDeal: Deal): MessageContent => ({
  revision,
  deal: ofDeal,
  requestedTerritoryCodes: ofDeal === deal ? null : ['SE'],
  messageId: ids.new,
});

const resubmissions = [content(6, deal), content(6, otherDeal)].map((each): Input => ({
  name: `resubmission with the deal of ${each.deal.territoryCodes.join()}`,
  isAnswer: false,
  appliesTo: always,
  actual: (storeDelivery) => toSteps(resubmit(storeDelivery, now, each)),
  expected: (storeDelivery) => commandModel.resubmit(storeDelivery, clock, each),
}));

const updates = [4, 5, 6, 7].flatMap((revision) =>
  [deal, otherDeal].map((ofDeal): Input => {
    const each = content(revision, ofDeal);
    return {
      name: `update to revision ${revision} with the deal of ${ofDeal.territoryCodes.join()}`,
      isAnswer: false,
      appliesTo: always,
      actual: (storeDelivery) => toSteps(requestUpdate(storeDelivery, now, each)),
      expected: (storeDelivery) => commandModel.requestUpdate(storeDelivery, clock, each),
    };
  }),
);

const refusedUpdate: Input = {
  name: 'update that is refused before it is sent',
  isAnswer: false,
  // As update-stores.ts: at stores that can be updated, and have no update under way.
  appliesTo: (storeDelivery) =>
    storeDelivery.status === 'delivered' &&
    storeDelivery.takedown === null &&
    !hasOpenUpdate(storeDelivery),
  actual: (storeDelivery) => [
    refuseUpdateRequest(storeDelivery, now, content(6, otherDeal), other),
  ],
  expected: (storeDelivery) =>
    commandModel.refuseUpdate(storeDelivery, clock, content(6, otherDeal), other),
};

const commands: readonly Input[] = [
  {
    name: 'dispatch',
    isAnswer: false,
    appliesTo: always,
    actual: (storeDelivery) => toSteps(dispatch(storeDelivery, now, future)),
    expected: (storeDelivery) => commandModel.dispatch(storeDelivery, clock, future),
  },
  ...(['review', 'verification', 'store_paused'] as const).map((reason): Input => ({
    name: `wait for ${reason}`,
    isAnswer: false,
    appliesTo: always,
    actual: (storeDelivery) => toSteps(wait(storeDelivery, now, reason)),
    expected: (storeDelivery) => commandModel.wait(storeDelivery, clock, reason),
  })),
  ...(['partner', 'operator'] as const).map((by): Input => ({
    name: `takedown by ${by}`,
    isAnswer: false,
    appliesTo: always,
    actual: (storeDelivery) => toSteps(requestTakedown(storeDelivery, now, ids.new, by)),
    expected: (storeDelivery) => commandModel.takedown(storeDelivery, clock, by),
  })),
  {
    name: 'replace the send with a takedown',
    isAnswer: false,
    appliesTo: always,
    actual: (storeDelivery) => toSteps(replaceSendWithTakedown(storeDelivery, now, ids.new)),
    expected: (storeDelivery) => commandModel.replaceSend(storeDelivery, clock),
  },
  ...resubmissions,
  ...updates,
  refusedUpdate,
  {
    name: 'reject before sending',
    isAnswer: false,
    appliesTo: always,
    actual: (storeDelivery) => toSteps(rejectBeforeSending(storeDelivery, now, other)),
    expected: (storeDelivery) => commandModel.rejectBeforeSending(storeDelivery, clock, other),
  },
];

/** As check-deadlines.ts: a takedown that waited follows an inferred answer. */
const deadlineInput = (confirmation: Confirmation): Input => ({
  name: 'deadline',
  isAnswer: false,
  appliesTo: always,
  actual: (storeDelivery) => {
    const step = reachDeadline(storeDelivery, now, confirmation);
    const takedown = step && takeDownIfWanted(step.storeDelivery, now, ids.new);
    return [...toSteps(step), ...toSteps(takedown)];
  },
  expected: (storeDelivery) => commandModel.deadline(storeDelivery, clock, confirmation),
});

export const inputsAt = (confirmation: Confirmation): readonly Input[] => [
  ...answerInputs(confirmation),
  ...commands,
  deadlineInput(confirmation),
];
