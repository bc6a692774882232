/**
 * The answers that stores give in the proof `deliveries`. Each script has a weight. `delivered` answers the latest
 * message, `old-delivered` the one before it, `first-delivered` the first one; `upc-` and `isrc-` name only the
 * release; `stray-` names a message that does not exist. The answers after the deciding one are repeated, late or
 * impossible.
 */

import type { Confirmation, Status } from './deliveries-model.ts';

export type WeightedScript = readonly [weight: number, script: string];

/** Decides which answers the stores of a delivery give, and which requests follow the first answers. */
export type PlanKind = 'smooth' | 'rough' | 'refused' | 'updated' | 'withdrawn' | 'hasty';

const confirming: readonly WeightedScript[] = [
  [70, 'delivered'],
  [4, 'receipt delivered'],
  [4, 'delivered receipt'],
  [4, 'delivered delivered'],
  [2, 'delivered rejected'],
  [2, 'delivered flagged delivered'],
  [2, 'delivered upc-flagged'],
  [2, 'delivered removed'],
  [2, 'flagged delivered'],
  [1, 'removed delivered'],
  [1, 'stray-rejected delivered'],
];
const mixed: readonly WeightedScript[] = [
  [40, 'delivered'],
  [5, 'delivered delivered'],
  [4, 'receipt delivered receipt rejected'],
  [2, 'kept delivered'],
  [9, 'rejected'],
  [2, 'rejected delivered'],
  [2, 'rejected receipt rejected'],
  [6, 'flagged'],
  [3, 'flagged flagged delivered'],
  [2, 'flagged rejected'],
  [2, 'flagged reflagged'],
  [2, 'delivered flagged stray-rejected'],
  [2, 'delivered isrc-flagged reflagged upc-delivered'],
  [2, 'delivered upc-flagged rejected'],
  [2, 'delivered upc-removed'],
  [2, 'delivered removed removed upc-delivered'],
  [2, 'delivered flagged isrc-removed delivered'],
  [1, 'upc-delivered delivered'],
];
const refusing: readonly WeightedScript[] = [
  [88, 'rejected'],
  [4, 'rejected rejected'],
  [4, 'rejected delivered'],
  [4, 'flagged rejected'],
];

/** A store that confirms only that it has ingested the release. */
const ingesting: readonly WeightedScript[] = [
  [50, 'receipt'],
  [5, 'receipt receipt'],
  [10, ''],
  [10, 'receipt delivered'],
  [5, 'delivered receipt'],
  [5, 'receipt rejected'],
  [5, 'rejected receipt'],
  [5, 'receipt flagged'],
  [5, 'flagged receipt'],
];
/** A store that says nothing unless there is an error. */
const silent: readonly WeightedScript[] = [
  [60, ''],
  [10, 'receipt'],
  [8, 'rejected'],
  [8, 'flagged'],
  [4, 'flagged rejected'],
  [10, 'delivered'],
];

const byPlan = (
  usual: readonly WeightedScript[],
  rough: readonly WeightedScript[],
): Readonly<Record<PlanKind, readonly WeightedScript[]>> => ({
  smooth: usual,
  rough,
  refused: refusing,
  updated: usual,
  withdrawn: usual,
  hasty: usual,
});

export const firstAnswers: Readonly<
  Record<Confirmation, Readonly<Record<PlanKind, readonly WeightedScript[]>>>
> = {
  live: byPlan(confirming, mixed),
  ingest: byPlan(ingesting, [...ingesting, ...mixed]),
  none: byPlan(silent, [...silent, ...mixed]),
};

export const resubmitted: readonly WeightedScript[] = [
  [40, 'delivered'],
  [10, 'old-delivered delivered'],
  [10, 'old-rejected receipt delivered'],
  [5, 'rejected old-delivered'],
  [5, 'rejected delivered'],
  [5, 'old-rejected flagged delivered'],
  [5, 'old-delivered rejected'],
  [5, 'flagged old-delivered'],
  [5, 'flagged old-flagged old-removed'],
  [5, 'delivered old-flagged first-removed'],
  [5, 'delivered first-delivered upc-flagged'],
  [10, ''],
  [10, 'receipt'],
];
export const updating: readonly WeightedScript[] = [
  [35, 'delivered'],
  [10, 'receipt'],
  [10, 'delivered delivered receipt'],
  [10, 'rejected'],
  [5, 'rejected rejected delivered'],
  [10, 'flagged delivered'],
  [10, 'flagged receipt'],
  [10, 'flagged reflagged rejected'],
  [5, 'old-rejected delivered rejected'],
  [5, 'upc-flagged delivered'],
  [5, 'old-flagged rejected'],
  [5, 'isrc-flagged upc-delivered'],
  [5, 'upc-removed'],
  [5, 'removed'],
  [10, ''],
];
export const removing: readonly WeightedScript[] = [
  [45, 'removed'],
  [10, 'receipt'],
  [10, 'receipt removed removed'],
  [5, 'old-rejected removed'],
  [5, 'old-removed'],
  [5, 'upc-removed'],
  [5, 'upc-flagged kept'],
  [10, 'kept'],
  [5, 'kept removed'],
  [5, 'delivered removed old-removed'],
  [10, ''],
];
export const withdrawing: readonly WeightedScript[] = [
  [70, 'removed'],
  [10, 'removed receipt'],
  [5, 'isrc-removed'],
  [5, 'old-delivered removed'],
  [5, 'receipt'],
  [5, ''],
];
export const afterTakedownAnswers: readonly WeightedScript[] = [
  [50, 'delivered'],
  [25, 'rejected'],
  [5, 'rejected delivered'],
  [10, 'reflagged delivered delivered'],
  [5, 'delivered removed'],
  [5, 'receipt'],
];

const afterConfirmation: readonly WeightedScript[] = [
  [70, ''],
  [5, 'flagged'],
  [5, 'upc-reflagged'],
  [5, 'upc-removed'],
  [3, 'first-removed'],
  [3, 'first-delivered'],
  [3, 'receipt'],
  [3, 'old-flagged upc-delivered'],
  [3, 'isrc-flagged upc-rejected'],
];

/** What was inferred is confirmed or withdrawn. */
const afterInference: readonly WeightedScript[] = [
  ...afterConfirmation,
  [10, 'delivered'],
  [10, 'rejected'],
  [5, 'upc-rejected upc-delivered'],
  [5, 'flagged rejected delivered'],
];

const whileInFlight: readonly WeightedScript[] = [
  [70, ''],
  [10, 'receipt'],
  [10, 'delivered'],
  [5, 'rejected'],
  [5, 'flagged'],
];

const late = (delivered: readonly WeightedScript[]) =>
  ({
    in_progress: whileInFlight,
    delivered,
    action_required: [
      [60, ''],
      [10, 'delivered'],
      [10, 'rejected'],
      [5, 'upc-delivered'],
      [5, 'upc-removed'],
      [5, 'flagged'],
      [5, 'receipt'],
    ],
    rejected: [
      [70, ''],
      [10, 'delivered'],
      [5, 'upc-delivered'],
      [5, 'old-delivered'],
      [5, 'flagged'],
      [5, 'removed'],
    ],
    taken_down: [
      [70, ''],
      [6, 'upc-delivered'],
      [6, 'first-delivered'],
      [6, 'delivered'],
      [6, 'kept'],
      [3, 'upc-flagged'],
      [3, 'removed'],
    ],
    takedown_requested: [
      [60, ''],
      [10, 'removed'],
      [10, 'kept'],
      [10, 'upc-flagged'],
      [10, 'receipt'],
    ],
  }) as const satisfies Partial<Record<Status, readonly WeightedScript[]>>;

/** Months later, or after a deadline, by the status of the store. */
export const lateAnswers: Readonly<
  Record<Confirmation, Readonly<Partial<Record<Status, readonly WeightedScript[]>>>>
> = {
  live: late(afterConfirmation),
  ingest: late(afterInference),
  none: late(afterInference),
};
