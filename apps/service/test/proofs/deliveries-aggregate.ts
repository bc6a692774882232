/** Contract §3 once more: the status of a delivery and of its release, from the statuses of their stores. */

import type { Status } from './deliveries-model.ts';

export type Tally = Map<string, number>;

export function tallyOf(statuses: Iterable<string>): Tally {
  const tally: Tally = new Map();
  for (const status of statuses) tally.set(status, (tally.get(status) ?? 0) + 1);
  return tally;
}

const has = (tally: Tally, ...statuses: readonly Status[]): boolean =>
  statuses.some((status) => (tally.get(status) ?? 0) > 0);

/** A pure function of the stores that are not taken down. */
export function aggregateOf(tally: Tally): string {
  if (has(tally, 'rejected')) return 'rejected';
  if (has(tally, 'action_required')) return 'action_required';
  if (has(tally, 'pending', 'in_progress')) return 'in_progress';
  return has(tally, 'delivered', 'takedown_requested') ? 'delivered' : 'taken_down';
}

/**
 * `delivered` once any store has it, `rejected` while every store rejects it. Stores that are taken down, or asked to
 * take it down, do not count; if none is left, the status stays.
 */
export function releaseStatusAfter(before: string, tally: Tally): string {
  if (before === 'delivered' || has(tally, 'delivered')) return 'delivered';
  if (has(tally, 'pending', 'in_progress', 'action_required')) return 'submitted';
  return has(tally, 'rejected') ? 'rejected' : before;
}
