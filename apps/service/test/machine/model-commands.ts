/** The other half of the table in model.ts: what the deadline and each command do (contract §3, catalogue §1.3, §1.5). */

import type { Rejection } from '../../src/delivery/domain/message.ts';
import type {
  MessageContent,
  StoreDelivery,
  TakedownRequester,
  WaitingReason,
} from '../../src/delivery/domain/store-delivery.ts';
import type { Confirmation } from '../../src/network/face.ts';
import {
  ask,
  type Clock,
  giveUp,
  gone,
  hasOpenUpdate,
  isUnsent,
  landedSilently,
  nothing,
  replaceMessage,
  step,
  type Steps,
  updated,
  want,
} from './model-steps.ts';

/** Catalogue §1.3: `live` is overdue; `ingest` too, without a receipt; `none` never. */
export function deadline(before: StoreDelivery, clock: Clock, confirmation: Confirmation): Steps {
  const { expectedBy, message } = before;
  if (expectedBy === null || expectedBy > clock.now) return nothing;
  const isReceived = confirmation === 'ingest' && before.acknowledgedAt !== null;
  if (confirmation === 'none')
    return message.state === 'sent' ? confirmedBySilence(before, clock, expectedBy) : nothing;
  if (isReceived && message.kind === 'deliver') return landedSilently(before, clock, expectedBy);
  return before.isOverdue ? nothing : [step(before, clock, 'overdue', { isOverdue: true })];
}

const confirmedBySilence = (before: StoreDelivery, clock: Clock, expectedBy: Date): Steps =>
  ({
    deliver: () => landedSilently(before, clock, expectedBy),
    update: () => updated(before, clock, 'silence'),
    takedown: () => [gone(before, clock, 'inferred', before.takedown?.by ?? 'partner')],
  })[before.message.kind]();

const dispatchSteps = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

export function dispatch(before: StoreDelivery, clock: Clock, expectedBy: Date): Steps {
  const { message, status } = before;
  if (message.state !== 'queued') return nothing;
  return [
    step(before, clock, dispatchSteps[message.kind], {
      status: status === 'pending' ? 'in_progress' : status,
      waitingFor: null,
      expectedBy,
      message: { ...message, state: 'dispatched' },
    }),
  ];
}

export const wait = (before: StoreDelivery, clock: Clock, waitingFor: WaitingReason): Steps =>
  before.message.state === 'queued' && before.waitingFor !== waitingFor
    ? [step(before, clock, 'waiting', { waitingFor })]
    : nothing;

type Takedowns = Readonly<Record<'ask' | 'wait' | 'cancel' | 'close', Steps>>;

/** Contract §3, Takedown: which of the four, or nothing because it is asked or gone already. */
const takedownTable: Readonly<
  Record<StoreDelivery['status'], (before: StoreDelivery, to: Takedowns) => Steps>
> = {
  pending: (before, to) => (before.mayStillPublish ? to.ask : to.cancel),
  in_progress: (before, to) => {
    if (!isUnsent(before)) return to.wait;
    return before.mayStillPublish ? to.ask : to.cancel;
  },
  delivered: (before, to) => (before.message.state === 'sending' ? to.wait : to.ask),
  action_required: (before, to) =>
    canBeAskedAtFlag(before) && before.message.state !== 'sending' ? to.ask : to.wait,
  rejected: (before, to) => (before.mayStillPublish ? to.ask : to.close),
  takedown_requested: () => nothing,
  taken_down: () => nothing,
};

export const takedown = (before: StoreDelivery, clock: Clock, by: TakedownRequester): Steps =>
  takedownTable[before.status](before, {
    ask: [ask(before, clock, by)],
    wait: before.takedown === null ? [want(before, clock, by)] : nothing,
    cancel: [giveUp(before, clock, 'canceled', by)],
    close: [giveUp(before, clock, 'closed', by)],
  });

/** Catalogue §1.2: "a flagged store with `live_at` is asked at once". Also one that refused an earlier takedown. */
const canBeAskedAtFlag = ({ liveAt, message }: StoreDelivery): boolean =>
  liveAt !== null || message.kind === 'takedown';

/** A takedown waits for a send whose outcome is unknown. */
export const replaceSend = (before: StoreDelivery, clock: Clock): Steps =>
  before.takedown !== null &&
  before.message.state === 'sending' &&
  before.message.kind !== 'takedown'
    ? [ask(before, clock, before.takedown.by)]
    : nothing;

/** Contract §3: "a later resubmission of that store clears" a takedown that waits. */
export const resubmit = (before: StoreDelivery, clock: Clock, content: MessageContent): Steps =>
  before.status === 'rejected' || before.status === 'action_required'
    ? [
        replaceMessage(before, clock, 'resubmitted', {
          status: 'pending',
          revision: content.revision,
          deal: content.deal,
          requestedTerritoryCodes: content.requestedTerritoryCodes,
          update: null,
          rejection: null,
          takedown: null,
          mayStillPublish: before.mayStillPublish || before.status === 'action_required',
        }),
      ]
    : nothing;

/** Contract §3, §4: a newer revision, or other territories. After a rejected update the same may be sent again. */
export function requestUpdate(before: StoreDelivery, clock: Clock, content: MessageContent): Steps {
  const { revision, deal, requestedTerritoryCodes } = content;
  if (before.status !== 'delivered' || before.takedown !== null) return nothing;
  const target = hasOpenUpdate(before) && before.update !== null ? before.update : before;
  if (revision < target.revision) return nothing;
  const isSame = revision === target.revision && deal === target.deal;
  return isSame && before.update?.status !== 'rejected'
    ? nothing
    : [
        replaceMessage(before, clock, 'update_requested', {
          update: { revision, deal, status: 'pending', rejection: null },
          requestedTerritoryCodes,
          rejection: null,
        }),
      ];
}

/** Catalogue §1.5: "shows as `update.status: rejected` with that code". */
export const refuseUpdate = (
  before: StoreDelivery,
  clock: Clock,
  { revision, deal }: MessageContent,
  rejection: Rejection,
): Steps => [
  step(before, clock, 'update_refused', {
    update: { revision, deal, status: 'rejected', rejection },
  }),
];

/** Contract §3: the review, or an error of this store's rules. */
export function rejectBeforeSending(
  before: StoreDelivery,
  clock: Clock,
  rejection: Rejection,
): Steps {
  const { message, update } = before;
  if (message.state !== 'queued' || message.kind === 'takedown') return nothing;
  const unsent = { waitingFor: null, message: { ...message, state: 'dropped' } } as const;
  if (message.kind === 'deliver')
    return [step(before, clock, 'rejected', { ...unsent, status: 'rejected', rejection })];
  return update === null
    ? nothing
    : [
        step(before, clock, 'update_refused', {
          ...unsent,
          update: { ...update, status: 'rejected', rejection },
        }),
      ];
}
