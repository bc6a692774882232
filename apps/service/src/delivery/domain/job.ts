/** A job delivers or takes down many releases (contract §4). Each item succeeds or fails by itself. */

import type { Actor } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Refusal, type Violation, invalidField } from '../../kernel/problem.ts';
import { refuseStores, unknownStoreIssue } from './chosen-stores.ts';
import type { DeliveryId } from './delivery.ts';

export type JobId = Id<'job'>;

export const jobActions = ['deliver', 'takedown'] as const;
export type JobAction = (typeof jobActions)[number];

export const jobStatuses = ['running', 'completed'] as const;
export const itemStatuses = ['pending', 'succeeded', 'failed'] as const;

/** Contract §4. */
export const itemsPerJobMax = 1_000;
/** A batch of items is one row, and one transaction if it is fast enough. */
export const itemsPerBatch = 50;

export type Job = {
  readonly id: JobId;
  readonly action: JobAction;
  readonly status: (typeof jobStatuses)[number];
  /** Stores and territories of items that have none. */
  readonly defaults: Defaults;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** Who created the job; its items run as this actor. */
  readonly actor: Actor;
};

/** An item as the request has it. */
export type ItemRequest = {
  readonly release_id: string;
  readonly stores?: readonly string[] | undefined;
  readonly territory_codes?: readonly string[] | undefined;
  readonly reason?: string | undefined;
};

export type Defaults = Pick<ItemRequest, 'stores' | 'territory_codes'>;

export type ItemResult = {
  readonly delivery_ids?: readonly DeliveryId[];
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly Violation[];
  };
};

export type Item = {
  readonly position: number;
  readonly request: ItemRequest;
  readonly status: (typeof itemStatuses)[number];
  readonly result: ItemResult | null;
};

export function itemOf(position: number, request: ItemRequest, result: ItemResult | null): Item {
  if (result === null) return { position, request, status: 'pending', result };
  const status = result.error === undefined ? 'succeeded' : 'failed';
  return { position, request, status, result };
}

export const isPending = ({ status }: Item): boolean => status === 'pending';

/** The item with the job's stores and territories where it has none. */
export const withDefaults = (
  item: ItemRequest,
  { stores, territory_codes }: Defaults,
): ItemRequest => ({
  ...item,
  stores: item.stores ?? stores,
  territory_codes: item.territory_codes ?? territory_codes,
});

export type JobRequest = {
  readonly action: JobAction;
  readonly defaults: Defaults;
  readonly items: readonly ItemRequest[];
};

/** Contract §7: what each item must have itself. A delivery needs stores and territories, of the item or of the job. */
export const requiredOfItems = (
  job: Readonly<Record<string, unknown>>,
): readonly (keyof Defaults)[] =>
  job['action'] === 'deliver'
    ? (['stores', 'territory_codes'] as const).filter((field) => job[field] === undefined)
    : [];

/** What exists of the releases, stores and territories that a job names. */
export type KnownTargets = {
  readonly releases: ReadonlySet<string>;
  readonly stores: ReadonlySet<string>;
  readonly refuseTerritories: (codes: readonly string[], field: string) => Refusal | undefined;
};

/**
 * Contract §1, §4: refuses a job that names a release, a store or a territory that does not exist or cannot be used.
 * The details name it in the job and in every item. Everything else that is wrong with an item depends on the state of
 * its release, and is the result of that item.
 */
export function refuseTargets(
  { action, defaults, items }: JobRequest,
  known: KnownTargets,
): Refusal | undefined {
  const refusals = [
    ...listRefusals(action, defaults, known, ''),
    ...items.flatMap((item, i) => listRefusals(action, item, known, `items[${i}].`)),
  ].filter((refusal) => refusal !== undefined);
  const [first] = refusals;
  if (first === undefined) return undefined;
  return {
    // A job with violations of both codes is an invalid request first.
    code: refusals.every(({ code }) => code === first.code) ? first.code : 'invalid_field',
    message: 'The job was not created. Correct the fields that details name.',
    details: refusals.flatMap(({ details = [] }) => details),
  };
}

/** `at`: the path of the item, which has a release; empty for the job, which has none. */
function listRefusals(
  action: JobAction,
  { release_id, stores = [], territory_codes = [], reason }: Partial<ItemRequest>,
  known: KnownTargets,
  at: string,
): readonly (Refusal | undefined)[] {
  const isUnknown = release_id !== undefined && !known.releases.has(release_id);
  const unused = `is not used by ${action} jobs; remove it`;
  return [
    isUnknown ? invalidField(`${at}release_id`, 'must be the id of a release of yours') : undefined,
    refuseListedStores(stores, known, at),
    ...(action === 'deliver'
      ? [
          known.refuseTerritories(territory_codes, `${at}territory_codes`),
          reason === undefined ? undefined : invalidField(`${at}reason`, unused),
        ]
      : [territory_codes.length === 0 ? undefined : invalidField(`${at}territory_codes`, unused)]),
  ];
}

function refuseListedStores(
  stores: readonly string[],
  known: KnownTargets,
  at: string,
): Refusal | undefined {
  return refuseStores(stores, known.stores, unknownStoreIssue, `${at}stores`);
}

export function advanceJob(job: Job, status: Item['status'], now: Date): Job {
  const succeeded = job.succeeded + (status === 'succeeded' ? 1 : 0);
  const failed = job.failed + (status === 'failed' ? 1 : 0);
  const isDone = succeeded + failed === job.total;
  return {
    ...job,
    succeeded,
    failed,
    status: isDone ? 'completed' : 'running',
    updatedAt: now > job.updatedAt ? now : job.updatedAt,
    completedAt: isDone ? now : null,
  };
}
