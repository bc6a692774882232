/** A job delivers or takes down many releases (contract §4). Each item succeeds or fails by itself. */

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

/** A delivery needs stores and territories and has no reason; a takedown has no territories. */
export function refuseItems({
  action,
  defaults,
  items: requested,
}: JobRequest): Refusal | undefined {
  const items = requested.map((item) => withDefaults(item, defaults));
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
      message:
        'Every item needs stores and territory_codes. Send them with the item or with the job.',
      details: missing,
    };
  }
  const unused = isDelivery ? 'reason' : 'territory_codes';
  const details = items.flatMap((item, i): Violation[] =>
    item[unused] === undefined
      ? []
      : [{ field: `items[${i}].${unused}`, issue: `is not used by ${action} jobs; remove it` }],
  );
  if (details.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: 'Some fields are not used by this action. Remove them.',
    details,
  };
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
