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
  const isSilent = confirmation === 'none' && message.state === 'sent';
  if ((isReceived || isSilent) && message.kind === 'deliver')
    return landedSilently(before, clock, expectedBy);
  if (isSilent && message.kind === 'update') return updated(before, clock, 'silence');
  if (isSilent) return [gone(before, clock, 'inferred', before.takedown?.by ?? 'partner')];
  return confirmation === 'none' || before.isOverdue
    ? nothing
    : [step(before, clock, 'overdue', { isOverdue: true })];
}

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

/** Contract §3, Takedown: asked, cancelled, closed, or waiting for the store's answer. */
export function takedown(before: StoreDelivery, clock: Clock, by: TakedownRequester): Steps {
  const { status, message, mayStillPublish, liveAt } = before;
  if (status === 'taken_down' || status === 'takedown_requested') return nothing;
  if (status === 'rejected')
    return [mayStillPublish ? ask(before, clock, by) : giveUp(before, clock, 'closed', by)];
  if ((status === 'pending' || status === 'in_progress') && isUnsent(before))
    return [mayStillPublish ? ask(before, clock, by) : giveUp(before, clock, 'canceled', by)];
  const hasRelease = status === 'delivered' || (status === 'action_required' && liveAt !== null);
  const isRefused = status === 'action_required' && message.kind === 'takedown';
  if ((hasRelease || isRefused) && message.state !== 'sending') return [ask(before, clock, by)];
  return before.takedown === null ? [want(before, clock, by)] : nothing;
}

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
