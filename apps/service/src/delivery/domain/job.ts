/** Many releases delivered, or taken down, as one piece of work (contract §4): item by item, each by itself. */

import type { Actor } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Refusal, Violation } from '../../kernel/problem.ts';
import type { DeliveryId } from './delivery.ts';

export type JobId = Id<'job'>;

export const jobActions = ['deliver', 'takedown'] as const;
export type JobAction = (typeof jobActions)[number];

export const jobStatuses = ['running', 'completed'] as const;
export const itemStatuses = ['pending', 'succeeded', 'failed'] as const;

/** Contract §4. */
export const itemsPerJobMax = 1_000;
/** Items are stored and done in batches: a row and, at best, a transaction for so many. */
export const itemsPerBatch = 50;

export type Job = {
  readonly id: JobId;
  readonly action: JobAction;
  readonly status: (typeof jobStatuses)[number];
  /** Stores and territories of items that name none. */
  readonly defaults: Defaults;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
  /** Who asked for it: what it does is done in his name. */
  readonly actor: Actor;
};

/** As it was asked for. */
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

/** What a job's own stores and territories say, where an item says nothing. */
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

/** A delivery needs stores and territories; a takedown has no territories, and a delivery no reason. */
export function refuseItems({ action, defaults, items: asked }: JobRequest): Refusal | undefined {
  const items = asked.map((item) => withDefaults(item, defaults));
  const isDelivery = action === 'deliver';
  const missing = items.flatMap((item, i): Violation[] => {
    const needed = isDelivery ? (['stores', 'territory_codes'] as const) : [];
    return needed
      .filter((field) => item[field] === undefined)
      .map((field) => ({ field: `items[${i}].${field}`, issue: 'is required' }));
  });
  if (missing.length > 0) {
    return {
      code: 'missing_required_field',
      message: 'Every delivery needs stores and territory_codes, its own or the job’s.',
      details: missing,
    };
  }
  const unwanted = isDelivery ? 'reason' : 'territory_codes';
  const details = items.flatMap((item, i): Violation[] =>
    item[unwanted] === undefined
      ? []
      : [{ field: `items[${i}].${unwanted}`, issue: `says nothing to a ${action} job` }],
  );
  if (details.length === 0) return undefined;
  return { code: 'invalid_field', message: 'Some fields do not belong to this action.', details };
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
