/**
 * A release follows its deliveries (contract §3): delivered once any store has it, rejected when every store
 * of every delivery has refused it, submitted again when it is on its way anew. Delivered it stays.
 */

import { type StoreCounts, countStoresNotTakenDown } from './aggregate.ts';

type ReleaseStatus = 'draft' | 'submitted' | 'delivered' | 'rejected';

/**
 * What some stores make of their release; undefined when there are none. One that is being taken down says
 * nothing any more: if it had the release, it has said so before.
 */
export function releaseStatusFrom(counts: StoreCounts): ReleaseStatus | undefined {
  const left = countStoresNotTakenDown(counts) - counts.takedown_requested;
  if (left === 0) return undefined;
  if (counts.delivered > 0) return 'delivered';
  return counts.rejected === left ? 'rejected' : 'submitted';
}

/** What a release becomes, given the stores of all its deliveries. */
export const nextReleaseStatus = (status: ReleaseStatus, counts: StoreCounts): ReleaseStatus =>
  status === 'delivered' || status === 'draft' ? status : (releaseStatusFrom(counts) ?? status);
