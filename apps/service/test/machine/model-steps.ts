/**
 * What each step of the model does to a store delivery. Written from contract §2 and §3, catalogue §1.2 and §1.3 and
 * ADR 0021, without code of `src/delivery/domain`, so that the two can be compared: only types are imported.
 */

import type { MessageId, Rejection } from '../../src/delivery/domain/message.ts';
import type {
  StoreDelivery,
  StoreStep,
  StoreStepType,
  TakedownRequester,
} from '../../src/delivery/domain/store-delivery.ts';

export type Steps = readonly StoreStep[];
export const nothing: Steps = [];

/** The time of an input, and the id of the message that may follow it. */
export type Clock = { readonly now: Date; readonly newId: MessageId };

type Changes = Partial<StoreDelivery>;

export const step = (
  before: StoreDelivery,
  { now }: Clock,
  type: StoreStepType,
  changes: Changes,
): StoreStep => ({ type, storeDelivery: { ...before, ...changes, updatedAt: now } });

const notAwaited = { expectedBy: null, isOverdue: false } as const;

export const hasArrived = ({ message }: StoreDelivery): boolean =>
  message.state === 'sending' || message.state === 'sent';

export const isUnsent = ({ message }: StoreDelivery): boolean =>
  message.state === 'queued' || message.state === 'dispatched';

/** Contract §2: an update that is `pending` or `flagged`; `pending_revision` is its revision. */
export const hasOpenUpdate = ({ update }: StoreDelivery): boolean =>
  update?.status === 'pending' || update?.status === 'flagged';

const sent = ({ message }: StoreDelivery): Changes => ({ message: { ...message, state: 'sent' } });

/** The message is not sent, or not again. */
const dropped = ({ message }: StoreDelivery): Changes =>
  message.state === 'sent' ? {} : { message: { ...message, state: 'dropped' } };

const newMessage = (
  kind: StoreDelivery['message']['kind'],
  { newId }: Clock,
  isSentInOrder: boolean,
): Changes => ({
  ...notAwaited,
  waitingFor: null,
  acknowledgedAt: null,
  message: { id: newId, kind, state: 'queued', isSentInOrder },
});

export const replaceMessage = (
  before: StoreDelivery,
  clock: Clock,
  type: 'resubmitted' | 'update_requested',
  changes: Changes,
): StoreStep => {
  const kind = type === 'resubmitted' ? 'deliver' : 'update';
  return step(before, clock, type, { ...changes, ...newMessage(kind, clock, false) });
};

/** The store is asked to remove the release. A takedown never overtakes a message that is being sent. */
export const ask = (before: StoreDelivery, clock: Clock, by: TakedownRequester): StoreStep =>
  step(before, clock, 'takedown_requested', {
    status: 'takedown_requested',
    takedown: before.takedown ?? { requestedAt: clock.now, by },
    takenDownBy: null,
    update: null,
    rejection: null,
    ...newMessage('takedown', clock, isBehindSend(before)),
  });

/** A message is, or was, being sent; or the takedown repeats a refused one that came behind such a message. */
const isBehindSend = ({ status, liveAt, message }: StoreDelivery): boolean =>
  message.state === 'sending' ||
  (status === 'rejected' && message.state === 'dropped') ||
  (status === 'action_required' && liveAt === null && message.isSentInOrder);

/** The takedown waits: `takedown_requested_at` without a message. */
export const want = (before: StoreDelivery, clock: Clock, by: TakedownRequester): StoreStep =>
  step(before, clock, 'takedown_wanted', { takedown: { requestedAt: clock.now, by } });

/** The store has nothing of the release and is not asked. A closed store keeps its reason. */
export const giveUp = (
  before: StoreDelivery,
  clock: Clock,
  type: 'closed' | 'canceled',
  by: TakedownRequester,
): StoreStep =>
  step(before, clock, type, {
    status: 'taken_down',
    takenDownBy: by,
    takedown: before.takedown ?? { requestedAt: clock.now, by },
    waitingFor: null,
    ...notAwaited,
    ...(type === 'canceled' && dropped(before)),
  });

/** The release is gone at the store. */
export const gone = (
  before: StoreDelivery,
  clock: Clock,
  type: 'taken_down' | 'inferred',
  by: TakedownRequester | 'store',
): StoreStep =>
  step(before, clock, type, {
    status: 'taken_down',
    takenDownBy: by,
    waitingFor: null,
    update: null,
    rejection: null,
    ...notAwaited,
    ...dropped(before),
  });

/** Catalogue §1.3: the store's receipt, a timeline step of its own. */
export const receipt = (before: StoreDelivery, clock: Clock): Steps =>
  before.acknowledgedAt === null
    ? [step(before, clock, 'acknowledged', { acknowledgedAt: clock.now, ...sent(before) })]
    : nothing;

/**
 * Contract §3: a takedown that waited follows the store's answer. ADR 0021: the store is asked if it has the release or
 * may still publish an earlier message, and closed if it rejected all of it.
 */
export function thenWantedTakedown(answered: StoreStep, clock: Clock): Steps {
  const { storeDelivery: after } = answered;
  const { takedown, status } = after;
  if (takedown === null) return [answered];
  const { by } = takedown;
  if (status === 'rejected' && !after.mayStillPublish)
    return [answered, giveUp(after, clock, 'closed', by)];
  const hasRelease = status === 'delivered' || (status === 'action_required' && after.liveAt);
  // An update that was sent is waited for.
  const isUpdateOnItsWay = after.message.kind === 'update' && after.update?.status === 'pending';
  return status === 'rejected' || (hasRelease && !isUpdateOnItsWay)
    ? [answered, ask(after, clock, by)]
    : [answered];
}

export type Landing = { readonly by: MessageId; readonly url: string | null };

/** The store says that it has the release. `live_at` keeps its first value. */
export const landed = (before: StoreDelivery, clock: Clock, { by, url }: Landing): Steps =>
  thenWantedTakedown(
    step(before, clock, 'delivered', {
      status: 'delivered',
      rejection: null,
      liveAt: before.liveAt ?? clock.now,
      liveBasis: 'store',
      storeUrl: url ?? before.storeUrl,
      deliveredBy: by,
      mayStillPublish: false,
      ...notAwaited,
    }),
    clock,
  );

/** Catalogue §1.3: "the later of send + lead time and `release_at`" is `expected_by`; `ingest` needs its receipt first. */
export const landedSilently = (before: StoreDelivery, clock: Clock, expectedBy: Date): Steps => {
  const { acknowledgedAt } = before;
  const inferredAt =
    acknowledgedAt !== null && acknowledgedAt > expectedBy ? acknowledgedAt : expectedBy;
  const first = step(before, clock, 'inferred', {
    status: 'delivered',
    liveAt: before.liveAt ?? inferredAt,
    liveBasis: 'inferred',
    deliveredBy: before.message.id,
    ...notAwaited,
  });
  return thenWantedTakedown(first, clock);
};

/** The store has the update. Silence does not resolve a flag, an answer does. */
export const updated = (
  before: StoreDelivery,
  clock: Clock,
  confirmedBy: 'store' | 'receipt' | 'silence',
  url: string | null = null,
): Steps =>
  thenWantedTakedown(
    step(before, clock, confirmedBy === 'store' ? 'updated' : 'inferred', {
      revision: before.update?.revision ?? before.revision,
      deal: before.update?.deal ?? before.deal,
      update: null,
      storeUrl: url ?? before.storeUrl,
      ...notAwaited,
      ...(confirmedBy !== 'silence' && { status: 'delivered', rejection: null }),
      ...(confirmedBy === 'store' && { liveBasis: 'store', mayStillPublish: false }),
      ...sent(before),
    }),
    clock,
  );

/** Contract §2: a refused update never shows as the store's own rejection. */
export const updateAnswered = (
  before: StoreDelivery,
  clock: Clock,
  status: 'rejected' | 'flagged',
  rejection: Rejection,
): Steps => {
  const update = before.update ?? { revision: before.revision, deal: before.deal };
  const first = step(before, clock, status === 'rejected' ? 'update_refused' : 'update_flagged', {
    update: { ...update, status, rejection },
    ...notAwaited,
    ...sent(before),
  });
  return thenWantedTakedown(first, clock);
};

export const isRepeated = (known: Rejection | null | undefined, { code, reason }: Rejection) =>
  known?.code === code && known.reason === reason;

/** The deadline of an update under way stays. */
export const flagged = (
  before: StoreDelivery,
  clock: Clock,
  rejection: Rejection,
  isToCurrent: boolean,
): Steps =>
  before.status === 'action_required' && isRepeated(before.rejection, rejection)
    ? nothing
    : thenWantedTakedown(
        step(before, clock, 'action_required', {
          status: 'action_required',
          rejection,
          ...(!hasOpenUpdate(before) && notAwaited),
          ...(isToCurrent && sent(before)),
        }),
        clock,
      );

/** Catalogue §1.3: "a rejection after an inferred `delivered`": `live_at` and `live_basis` null. */
export function rejectedByStore(
  before: StoreDelivery,
  clock: Clock,
  rejection: Rejection,
  isToCurrent: boolean,
): Steps {
  const wasLive = before.status === 'delivered' || before.status === 'action_required';
  const first = step(before, clock, 'rejected', {
    status: 'rejected',
    rejection,
    waitingFor: null,
    update: null,
    ...notAwaited,
    ...(before.liveBasis === 'inferred' && { liveAt: null, liveBasis: null }),
    // What the store said it had, it may offer again.
    mayStillPublish: before.mayStillPublish || (wasLive && before.liveBasis === 'store'),
    ...(isToCurrent ? sent(before) : dropped(before)),
  });
  return thenWantedTakedown(first, clock);
}

/** Contract §3: "a refused takedown → delivered"; a release that was never live is flagged instead. */
export const takedownRefused = (
  before: StoreDelivery,
  clock: Clock,
  rejection: Rejection,
): Steps => [
  step(before, clock, 'takedown_refused', {
    status: before.liveAt === null ? 'action_required' : 'delivered',
    rejection,
    takedown: null,
    takenDownBy: null,
    ...notAwaited,
    ...sent(before),
  }),
];

/** Catalogue §1.2: "timeline `unexpectedly_live` and a new takedown". */
export function unexpectedlyLive(before: StoreDelivery, clock: Clock, by: MessageId): Steps {
  const requester = before.takedown?.by ?? 'partner';
  const first = step(before, clock, 'unexpectedly_live', {
    takedown: { requestedAt: clock.now, by: requester },
    liveAt: before.liveAt ?? clock.now,
    liveBasis: 'store',
    deliveredBy: by,
  });
  return [first, ask(first.storeDelivery, clock, requester)];
}
