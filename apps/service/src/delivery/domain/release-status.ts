/**
 * The status of a release follows its deliveries (contract §3): delivered once any store has it, rejected if every
 * store of every delivery rejects it, submitted again after a resubmission. It stays delivered.
 */

import { type StoreCounts, countStoresNotTakenDown } from './aggregate.ts';

type ReleaseStatus = 'draft' | 'submitted' | 'delivered' | 'rejected';

/**
 * The status that these stores give their release; undefined if no store counts. A store with a requested takedown
 * does not count: if it had the release, the release became delivered then.
 */
export function releaseStatusFrom(counts: StoreCounts): ReleaseStatus | undefined {
  const left = countStoresNotTakenDown(counts) - counts.takedown_requested;
  if (left === 0) return undefined;
  if (counts.delivered > 0) return 'delivered';
  return counts.rejected === left ? 'rejected' : 'submitted';
}

/** The next status of a release, given the stores of all its deliveries. */
export const nextReleaseStatus = (status: ReleaseStatus, counts: StoreCounts): ReleaseStatus =>
  status === 'delivered' || status === 'draft' ? status : (releaseStatusFrom(counts) ?? status);
