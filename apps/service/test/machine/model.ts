/**
 * The table: what each answer, deadline and command does in each status, written from contract §3, catalogue §1.2,
 * §1.3 and §1.5 and ADR 0021. model-steps.ts has the steps. Neither uses code of `src/delivery/domain`.
 */

import type { AnswerContent, AnswerKind } from '../../src/delivery/domain/answer.ts';
import type { MessageId, Rejection } from '../../src/delivery/domain/message.ts';
import type { StoreDelivery } from '../../src/delivery/domain/store-delivery.ts';
import type { Confirmation } from '../../src/network/face.ts';
import {
  type Clock,
  flagged,
  gone,
  hasArrived,
  hasOpenUpdate,
  isRepeated,
  landed,
  landedSilently,
  nothing,
  receipt,
  rejectedByStore,
  step,
  type Steps,
  takedownRefused,
  thenWantedTakedown,
  unexpectedlyLive,
  updateAnswered,
  updated,
} from './model-steps.ts';

/**
 * Which message an answer names: the current one, the one by which the store got the release (if it is not the current
 * one), one between the two, one before both, or none: then it names only the release.
 */
export const named = ['current', 'delivered_by', 'between', 'before', 'release'] as const;
export type Named = (typeof named)[number];

type Heard = Clock & {
  readonly named: Named;
  /** The id of the named message. */
  readonly messageId: MessageId | null;
  readonly content: AnswerContent;
  readonly confirmation: Confirmation;
};

type Cell = (before: StoreDelivery, heard: Heard) => Steps;
type Row = Readonly<Record<AnswerKind, Cell>>;

const rejectionOf = ({ content }: Heard): Rejection =>
  'rejection' in content ? content.rejection : { code: 'none', reason: 'none' };

/** A store that names only the release does not answer its update. */
const isToCurrent = (before: StoreDelivery, heard: Heard): boolean =>
  hasArrived(before) &&
  (heard.named === 'current' || (heard.named === 'release' && before.message.kind !== 'update'));

/** ADR 0021: "only the release, or a message that is not older than the one by which the store got the release". */
const isAboutWhatItHas = ({ deliveredBy }: StoreDelivery, heard: Heard): boolean =>
  deliveredBy === null || heard.named !== 'before';

const isToOpenUpdate = (before: StoreDelivery, heard: Heard): boolean =>
  before.message.kind === 'update' && hasOpenUpdate(before) && isToCurrent(before, heard);

const stays: Cell = () => nothing;
const nothingCounts: Row = {
  acknowledged: stays,
  delivered: stays,
  rejected: stays,
  action_required: stays,
  removed: stays,
  removal_refused: stays,
};

/** The message that brought the release: the one that the store names, else the one that carried it. */
const land: Cell = (before, heard) => {
  const { message, deliveredBy } = before;
  const carrier = message.kind === 'deliver' ? message.id : (deliveredBy ?? message.id);
  const url = heard.content.kind === 'delivered' ? heard.content.url : null;
  return landed(arrived(before, heard), heard, { by: heard.messageId ?? carrier, url });
};

const acknowledge: Cell = (before, heard) => {
  if (!isToCurrent(before, heard)) return nothing;
  const steps = receipt(before, heard);
  const after = steps[0]?.storeDelivery;
  return after === undefined || heard.confirmation !== 'ingest'
    ? steps
    : [...steps, ...confirmedByReceipt(after, heard)];
};

/** Catalogue §1.3, `ingest`: a receipt confirms an update or a takedown, and a release whose deadline has passed. */
function confirmedByReceipt(before: StoreDelivery, clock: Clock): Steps {
  const { status, message, expectedBy, takedown: request } = before;
  if (message.kind === 'deliver')
    return status === 'in_progress' && expectedBy !== null && expectedBy <= clock.now
      ? landedSilently(before, clock, expectedBy)
      : nothing;
  if (message.kind === 'update')
    return hasOpenUpdate(before) ? updated(before, clock, 'receipt') : nothing;
  return status === 'takedown_requested' && request !== null
    ? [gone(before, clock, 'inferred', request.by)]
    : nothing;
}

/** The store was sent the release and has not confirmed it: only answers to that message count. */
const unconfirmed: Row = {
  acknowledged: acknowledge,
  delivered: (before, heard) => (isToCurrent(before, heard) ? land(before, heard) : nothing),
  rejected: (before, heard) =>
    isToCurrent(before, heard) ? rejectedByStore(before, heard, rejectionOf(heard), true) : nothing,
  action_required: (before, heard) =>
    isToCurrent(before, heard) ? flagged(before, heard, rejectionOf(heard), true) : nothing,
  removed: stays,
  removal_refused: stays,
};

/** The store refused to remove what it never announced. What it publishes or removes now is news, whatever it names. */
const refusedBeforeLive: Row = {
  ...unconfirmed,
  delivered: land,
  removed: (before, heard) => [gone(arrived(before, heard), heard, 'taken_down', 'store')],
};

/** The store has the release: `delivered`, or `action_required` with `live_at`. */
const live: Row = {
  acknowledged: acknowledge,
  delivered: (before, heard) => {
    if (isToOpenUpdate(before, heard)) {
      const url = heard.content.kind === 'delivered' ? heard.content.url : null;
      return updated(before, heard, 'store', url);
    }
    const isKnown = before.status === 'delivered' && before.liveBasis === 'store';
    return isKnown || !isAboutWhatItHas(before, heard) ? nothing : confirm(before, heard);
  },
  rejected: (before, heard) => {
    const rejection = rejectionOf(heard);
    if (isToOpenUpdate(before, heard)) return updateAnswered(before, heard, 'rejected', rejection);
    if (!isAboutWhatItHas(before, heard)) return nothing;
    if (before.message.kind === 'update' && isToCurrent(before, heard)) {
      // A settled update. "A rejection of an update that was inferred to be done shows in `update`."
      if (before.update !== null) return nothing;
      if (heard.confirmation !== 'live')
        return [
          step(before, heard, 'update_refused', { update: refusedAfterwards(before, rejection) }),
        ];
    }
    const isAnnounced = before.status === 'delivered' && before.liveBasis === 'store';
    return isAnnounced
      ? nothing
      : rejectedByStore(before, heard, rejection, isToCurrent(before, heard));
  },
  action_required: (before, heard) => {
    const rejection = rejectionOf(heard);
    if (!isToOpenUpdate(before, heard))
      return isAboutWhatItHas(before, heard)
        ? flagged(before, heard, rejection, isToCurrent(before, heard))
        : nothing;
    return isRepeated(before.update?.rejection, rejection)
      ? nothing
      : updateAnswered(before, heard, 'flagged', rejection);
  },
  removed: (before, heard) =>
    isAboutWhatItHas(before, heard)
      ? [gone(arrived(before, heard), heard, 'taken_down', 'store')]
      : nothing,
  removal_refused: stays,
};

const refusedAfterwards = ({ revision, deal }: StoreDelivery, rejection: Rejection) =>
  ({ revision, deal, status: 'rejected', rejection }) as const;

/** A store that answers a message has it. */
const arrived = (before: StoreDelivery, heard: Heard): StoreDelivery =>
  isToCurrent(before, heard)
    ? { ...before, message: { ...before.message, state: 'sent' } }
    : before;

/** The store resolves its flag, or announces what was only inferred. An update under way continues. */
const confirm: Cell = (before, heard) => {
  const url = heard.content.kind === 'delivered' ? heard.content.url : null;
  const { storeDelivery: after } = step(arrived(before, heard), heard, 'delivered', {
    status: 'delivered',
    rejection: null,
    liveBasis: 'store',
    mayStillPublish: false,
    storeUrl: url ?? before.storeUrl,
    ...(!hasOpenUpdate(before) && { expectedBy: null, isOverdue: false }),
  });
  return thenWantedTakedown({ type: 'delivered', storeDelivery: after }, heard);
};

const rejected: Row = {
  ...nothingCounts,
  // "A store that announces what we hold as `rejected` → `delivered`": the message that it rejected, or the release
  // whose update it was sent meanwhile. A message that a resubmission replaced is about another one.
  delivered: (before, heard) =>
    isToCurrent(before, heard) ||
    (before.message.kind !== 'deliver' && isAboutWhatItHas(before, heard))
      ? land(before, heard)
      : nothing,
};

const takedownRequested: Row = {
  ...nothingCounts,
  acknowledged: acknowledge,
  // "A removal is `taken_down` by `partner`", or by the operator who asked.
  removed: (before, heard) =>
    isAboutWhatItHas(before, heard)
      ? [gone(arrived(before, heard), heard, 'taken_down', before.takedown?.by ?? 'partner')]
      : nothing,
  removal_refused: (before, heard) =>
    isToCurrent(before, heard) ? takedownRefused(before, heard, rejectionOf(heard)) : nothing,
};

/** "Unless it repeats its first announcement." A message that no store was sent cannot be announced. */
function isNews(before: StoreDelivery, heard: Heard): boolean {
  const { message, deliveredBy, liveBasis } = before;
  const isCurrent = heard.named === 'current';
  if (message.kind === 'takedown' && isCurrent) return false;
  const isFirst =
    heard.named === 'delivered_by' ||
    heard.named === 'before' ||
    (isCurrent && deliveredBy === message.id);
  const isEarlier = heard.named === 'before' || heard.named === 'between';
  const wasSent =
    isEarlier || deliveredBy !== null || message.kind === 'takedown' || hasArrived(before);
  return wasSent && !(liveBasis === 'store' && isFirst);
}

const takenDown: Row = {
  ...nothingCounts,
  delivered: (before, heard) => {
    const by = heard.messageId ?? before.deliveredBy ?? before.message.id;
    return isNews(before, heard) ? unexpectedlyLive(arrived(before, heard), heard, by) : nothing;
  },
  // Only a takedown that was inferred can be refused afterwards: one that was sent, and that the store did not forestall.
  removal_refused: (before, heard) => {
    const wasInferred =
      before.message.kind === 'takedown' &&
      before.message.state === 'sent' &&
      before.takenDownBy !== 'store' &&
      heard.confirmation !== 'live';
    return wasInferred && heard.named === 'current'
      ? takedownRefused(before, heard, rejectionOf(heard))
      : nothing;
  },
};

/** The store flagged the resubmission of a release it has: only answers to the resubmission resolve the flag. */
const flaggedResubmission: Row = { ...unconfirmed, removed: live.removed };

function rowOf({ status, liveAt, message, deliveredBy }: StoreDelivery): Row {
  switch (status) {
    case 'pending':
      return nothingCounts;
    case 'in_progress':
      return unconfirmed;
    case 'delivered':
      return live;
    case 'action_required':
      if (liveAt !== null)
        return message.kind === 'deliver' && message.id !== deliveredBy
          ? flaggedResubmission
          : live;
      return message.kind === 'takedown' ? refusedBeforeLive : unconfirmed;
    case 'rejected':
      return rejected;
    case 'takedown_requested':
      return takedownRequested;
    default:
      return takenDown;
  }
}

export const answer = (before: StoreDelivery, heard: Heard): Steps =>
  rowOf(before)[heard.content.kind](before, heard);
