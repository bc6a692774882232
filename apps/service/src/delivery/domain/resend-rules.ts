/** Contract §3: which stores can be resubmitted to, updated or taken down. */

import type { Refusal, Violation } from '../../kernel/problem.ts';
import { isUnclaimed } from './message.ts';
import { canResubmit, type StoreDelivery } from './store-delivery.ts';

type RequestedStores = readonly string[] | undefined;

/** Refuses only if every store has an issue; the response shows the status of the stores that were skipped. */
function refuseStoreDeliveries(
  storeDeliveries: readonly StoreDelivery[],
  named: RequestedStores,
  issueOf: (storeDelivery: StoreDelivery) => string | undefined,
  message: string,
): Refusal | undefined {
  const issues = storeDeliveries.map((storeDelivery) => ({
    storeDelivery,
    issue: issueOf(storeDelivery),
  }));
  if (issues.some(({ issue }) => issue === undefined)) return undefined;
  const fieldOf = ({ storeId }: StoreDelivery): string =>
    named === undefined ? 'stores' : `stores[${named.indexOf(storeId)}]`;
  const details = issues.map(({ storeDelivery, issue }): Violation => ({
    field: fieldOf(storeDelivery),
    issue: `${storeDelivery.storeId} ${issue ?? ''}`,
  }));
  return { code: 'invalid_state', message, details };
}

export const refuseResubmit = (
  storeDeliveries: readonly StoreDelivery[],
  named: RequestedStores,
): Refusal | undefined =>
  refuseStoreDeliveries(
    storeDeliveries,
    named,
    (storeDelivery) => (canResubmit(storeDelivery) ? undefined : `is ${storeDelivery.status}`),
    'Only stores that rejected or flagged the release can be resubmitted to.',
  );

export const refuseUpdate = (
  storeDeliveries: readonly StoreDelivery[],
  named: RequestedStores,
  takesUpdates: ReadonlySet<string>,
): Refusal | undefined =>
  refuseStoreDeliveries(
    storeDeliveries,
    named,
    (storeDelivery) => updateIssue(storeDelivery, takesUpdates),
    'Only stores that have the release and accept updates can be updated.',
  );

export function updateIssue(
  { storeId, status, takedownWanted }: StoreDelivery,
  takesUpdates: ReadonlySet<string>,
): string | undefined {
  if (status !== 'delivered') return `is ${status}`;
  if (takedownWanted) return 'is about to be taken down';
  return takesUpdates.has(storeId) ? undefined : 'does not accept updates';
}

export const refuseTakedown = (
  storeDeliveries: readonly StoreDelivery[],
  named: RequestedStores,
  takesTakedowns: ReadonlySet<string>,
): Refusal | undefined =>
  refuseStoreDeliveries(
    storeDeliveries,
    named,
    (storeDelivery) => takedownIssue(storeDelivery, takesTakedowns),
    'There is nothing to take down: none of these stores has the release or is being sent it.',
  );

export function takedownIssue(
  storeDelivery: StoreDelivery,
  takesTakedowns: ReadonlySet<string>,
): string | undefined {
  const { storeId, status, message, mayStillPublish } = storeDelivery;
  if (status === 'takedown_requested' || status === 'taken_down') return `is ${status}`;
  if (status === 'rejected' && !mayStillPublish) return `is ${status}`;
  // It is cancelled without asking the store, which has nothing of the release.
  if (message.kind === 'deliver' && isUnclaimed(message) && !mayStillPublish) return undefined;
  if (!takesTakedowns.has(storeId))
    return 'does not accept takedowns through us: ask the store directly';
  const isAlreadyWanted = storeDelivery.takedownWanted && message.kind !== 'takedown';
  return isAlreadyWanted ? 'is taken down as soon as it has the release' : undefined;
}

/** Contract §3: `changed` has the stores that were sent other metadata or assets than the release has now. */
export const refuseUnchanged = (changed: readonly StoreDelivery[]): Refusal | undefined =>
  changed.length > 0
    ? undefined
    : {
        code: 'nothing_changed',
        message: 'The release has not changed since these stores were sent it. Correct it first.',
      };
