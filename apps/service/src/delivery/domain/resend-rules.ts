/** Contract §3: what can be resubmitted, updated or taken down, and what cannot. */

import type { Refusal, Violation } from '../../kernel/problem.ts';
import { isUnclaimed } from './message.ts';
import { canResubmit, type StoreDelivery } from './store-delivery.ts';

type RequestedStores = readonly string[] | undefined;

/** One store that will do is enough: what became of the others is in the answer. */
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
    'Only stores that have the release, and take updates, can be updated.',
  );

export function updateIssue(
  { storeId, status, takedownWanted }: StoreDelivery,
  takesUpdates: ReadonlySet<string>,
): string | undefined {
  if (status !== 'delivered') return `is ${status}`;
  if (takedownWanted) return 'is about to be taken down';
  return takesUpdates.has(storeId) ? undefined : 'takes no updates';
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
    'There is nothing to take down: stores must have the release, or be about to get it.',
  );

export function takedownIssue(
  storeDelivery: StoreDelivery,
  takesTakedowns: ReadonlySet<string>,
): string | undefined {
  const { storeId, status, message, mayStillPublish } = storeDelivery;
  const isPossible =
    status === 'pending' ||
    status === 'in_progress' ||
    status === 'action_required' ||
    status === 'delivered' ||
    (status === 'rejected' && mayStillPublish);
  if (!isPossible) return `is ${status}`;
  // Not sent yet, and nothing there: the store need not be asked.
  if (message.kind === 'deliver' && isUnclaimed(message) && !mayStillPublish) return undefined;
  if (!takesTakedowns.has(storeId)) return 'takes no takedowns through us: ask it yourself';
  const isWanted = storeDelivery.takedownWanted && message.kind !== 'takedown';
  return isWanted ? 'is taken down as soon as it lands' : undefined;
}

/** Contract §3: neither metadata nor assets changed since, for any of them. */
export const refuseUnchanged = (changed: readonly StoreDelivery[]): Refusal | undefined =>
  changed.length > 0
    ? undefined
    : {
        code: 'nothing_changed',
        message: 'The release is what these stores were sent already. Correct it first.',
      };
