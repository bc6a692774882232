/** Contract §3: which stores can be resubmitted to, updated or taken down. */

import type { Refusal } from '../../kernel/problem.ts';
import { storeField } from './chosen-stores.ts';
import { liveDateMoved } from './live-date.ts';
import { isUnclaimed } from './message.ts';
import { canResubmit } from './send-again.ts';
import { isLive, type StoreDelivery } from './store-delivery.ts';
import type { SkippedStore } from './timeline.ts';

type RequestedStores = readonly string[] | undefined;

/** Why a request does not apply to a store, as in `aurora is in_progress`; undefined if it applies. */
type IssueOf = (storeDelivery: StoreDelivery) => string | undefined;

export type StoreSelection = {
  readonly applicable: readonly StoreDelivery[];
  readonly skipped: readonly SkippedStore[];
};

export const skip = ({ storeId }: StoreDelivery, issue: string): SkippedStore => ({
  store_id: storeId,
  reason: `${storeId} ${issue}.`,
});

export function selectStores(
  storeDeliveries: readonly StoreDelivery[],
  issueOf: IssueOf,
): StoreSelection {
  const issues = new Map(
    storeDeliveries.map((storeDelivery) => [storeDelivery, issueOf(storeDelivery)]),
  );
  return {
    applicable: storeDeliveries.filter((each) => issues.get(each) === undefined),
    skipped: storeDeliveries.flatMap((each) => {
      const issue = issues.get(each);
      return issue === undefined ? [] : [skip(each, issue)];
    }),
  };
}

/** Refuses only if the request applies to no store. */
const refuseSelection = (
  { applicable, skipped }: StoreSelection,
  named: RequestedStores,
  message: string,
): Refusal | undefined =>
  applicable.length > 0
    ? undefined
    : {
        code: 'invalid_state',
        message,
        details: skippedDetails(skipped, named),
      };

const skippedDetails = (skipped: readonly SkippedStore[], named: RequestedStores) =>
  skipped.map(({ store_id, reason }) => ({
    field: storeField(named, store_id),
    issue: `Store ${reason}`,
  }));

export const resubmitIssue: IssueOf = (storeDelivery) =>
  canResubmit(storeDelivery) ? undefined : `is ${storeDelivery.status}`;

export const refuseResubmit = (
  selection: StoreSelection,
  named: RequestedStores,
): Refusal | undefined =>
  refuseSelection(
    selection,
    named,
    'None of these stores rejected or flagged the release, so there is nothing to resubmit. Details name the state of each store.',
  );

export const refuseUpdate = (
  selection: StoreSelection,
  named: RequestedStores,
): Refusal | undefined =>
  refuseSelection(
    selection,
    named,
    'None of these stores can be updated: a store must have the release and accept updates. Details name the state of each store.',
  );

export const updateIssue =
  (takesUpdates: ReadonlySet<string>): IssueOf =>
  ({ storeId, status, takedown }) => {
    if (status !== 'delivered') return `is ${status}`;
    if (takedown !== null) return 'is about to be taken down';
    return takesUpdates.has(storeId) ? undefined : 'does not accept updates';
  };

/** Why an update under way is not replaced by one that would be refused (catalogue §1.5). */
export const movedDateIssue =
  'has an update under way, and the date of a live release cannot move into the future';

/** Undefined without such a store. */
export const refuseMovedDate = (
  skipped: readonly SkippedStore[],
  named: RequestedStores,
): Refusal | undefined =>
  skipped.length === 0
    ? undefined
    : refuseSelection({ applicable: [], skipped }, named, liveDateMoved.reason);

export const refuseTakedown = (
  selection: StoreSelection,
  named: RequestedStores,
): Refusal | undefined =>
  refuseSelection(
    selection,
    named,
    'There is nothing to take down: none of these stores has the release or is receiving it.',
  );

export const takedownIssue =
  (takesTakedowns: ReadonlySet<string>): IssueOf =>
  (storeDelivery) => {
    const { storeId, status, message, mayStillPublish, takedown } = storeDelivery;
    if (status === 'takedown_requested' || status === 'taken_down') return `is ${status}`;
    // The store has nothing of the release: it is closed or cancelled without asking the store.
    if (status === 'rejected' && !mayStillPublish) return undefined;
    if (message.kind === 'deliver' && isUnclaimed(message) && !mayStillPublish) return undefined;
    if (!takesTakedowns.has(storeId))
      return 'does not accept takedowns through us; ask the store directly';
    if (takedown === null) return undefined;
    if (!isLive(storeDelivery)) return 'is taken down as soon as it has the release';
    // A store that has the release is asked, even if it never answers its update.
    return message.state === 'sending'
      ? 'is taken down after the update that is being sent to it'
      : undefined;
  };

/** Why a store that has the newest revision and the same deal is not sent it again. */
export const unchangedIssue = 'was already sent this release with the same territories';

/**
 * Contract §3: `changed` has the stores that were sent other content, or another deal, than the release has now.
 * `skipped`: why each of the others is not sent it.
 */
export const refuseUnchanged = (
  changed: readonly unknown[],
  skipped: readonly SkippedStore[],
  named: RequestedStores,
): Refusal | undefined =>
  changed.length > 0
    ? undefined
    : {
        code: 'nothing_changed',
        message: skipped.every(({ reason }) => reason.includes(unchangedIssue))
          ? 'The release has not changed since it was sent to these stores. Correct it first.'
          : 'None of these stores needs the release: each was already sent it, or cannot be sent it now. Details name the reason for each store.',
        details: skippedDetails(skipped, named),
      };
