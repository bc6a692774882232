import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import {
  advanceJob,
  type Item,
  type ItemRequest,
  type Job,
  type JobAction,
  type JobId,
  withDefaults,
} from '../domain/job.ts';
import { lockJob, nextItem, settleItem, updateJob } from '../store/jobs.ts';
import { createDelivery } from './create-delivery.ts';
import { takeDownRelease } from './take-down-delivery.ts';

/** Does one item, whatever comes of it. Whether there may be another. */
export async function doNextItem(tx: Tx, id: JobId): Promise<boolean> {
  const [job, item] = await Promise.all([lockJob(tx, id), nextItem(tx, id)]);
  if (job === undefined || item === undefined) return false;
  const settled = await attempt(tx, job, item);
  settleItem(tx, id, settled);
  const next = advanceJob(job, settled.status, tx.now);
  updateJob(tx, next);
  return next.status === 'running';
}

/** A refusal is the item's result; what the item wrote before it is rolled back. */
async function attempt(tx: Tx, { action, defaults }: Job, item: Item): Promise<Item> {
  try {
    const ids = await tx.attempt(() => actions[action](tx, withDefaults(item.request, defaults)));
    for (const id of ids) {
      appendAudit(tx, { action: auditNames[action], subject: id, requestId: undefined });
    }
    return { ...item, status: 'succeeded', result: { delivery_ids: ids } };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return { ...item, status: 'failed', result: { error: { code, message, details } } };
  }
}

const auditNames = { deliver: 'delivery.create', takedown: 'delivery.takedown' } as const;

type Action = (tx: Tx, request: ItemRequest) => Promise<readonly DeliveryId[]>;

const actions: Readonly<Record<JobAction, Action>> = {
  deliver: async (tx, { release_id, stores = [], territory_codes = [] }) => {
    const { delivery } = await createDelivery(tx, {
      releaseId: parseId('rel', release_id),
      stores,
      territoryCodes: territory_codes,
      reference: null,
      metadata: {},
    });
    return [delivery.id];
  },
  takedown: async (tx, { release_id, stores, reason }) => {
    const releaseId = parseId('rel', release_id);
    const taken =
      releaseId === undefined ? [] : await takeDownRelease(tx, releaseId, { stores, reason });
    if (taken.length > 0) return taken;
    throw new Problem('invalid_state', 'There is nothing of this release to take down.');
  },
};
