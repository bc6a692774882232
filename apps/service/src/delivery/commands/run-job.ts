import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import {
  advanceJob,
  isPending,
  type Item,
  itemOf,
  type ItemRequest,
  type Job,
  type JobAction,
  type JobId,
  withDefaults,
} from '../domain/job.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { lockJob, findNextBatch, updateBatch, updateJob } from '../store/jobs.ts';
import { createDelivery } from './create-delivery.ts';
import { takeDownRelease } from './take-down-delivery.ts';

/** After this time the rest of a batch is left to the next transaction, because the items' rows stay locked. */
const transactionMs = 200;

/** Runs the items of the next batch; a refused item does not stop the others. Returns whether there may be more. */
export async function runNextBatch(tx: Tx, id: JobId): Promise<boolean> {
  const [job, batch] = await Promise.all([lockJob(tx, id), findNextBatch(tx, id)]);
  if (job === undefined || batch.length === 0) return false;
  const settled = await runItems(tx, job, batch.filter(isPending));
  const settledByPosition = new Map(settled.map((item) => [item.position, item]));
  updateBatch(
    tx,
    id,
    batch.map((item) => settledByPosition.get(item.position) ?? item),
  );
  const next = settled.reduce((current, { status }) => advanceJob(current, status, tx.now), job);
  updateJob(tx, next);
  return next.status === 'running';
}

/**
 * One after the other, in the order of their release ids: two transactions that lock several releases lock them in
 * the same order, so they cannot deadlock. A failure that is not a refusal (a lost connection, a lock timeout) ends
 * the batch. Items done before it are kept; if the first item fails so, the step fails and the engine retries it.
 */
async function runItems(tx: Tx, job: Job, items: readonly Item[]): Promise<readonly Item[]> {
  const endsAtMs = tx.readClock().getTime() + transactionMs;
  const settled: Item[] = [];
  for (const item of items.toSorted(byRelease)) {
    if (settled.length > 0 && tx.readClock().getTime() >= endsAtMs) break;
    try {
      settled.push(await runItem(tx, job, item));
    } catch (error) {
      if (settled.length === 0) throw error;
      break;
    }
  }
  return settled;
}

/** Items of one release keep the order of the request. */
const byRelease = (a: Item, b: Item): number => {
  const [one, other] = [a.request.release_id, b.request.release_id];
  return one < other ? -1 : Number(one > other);
};

/** A refusal is the item's result; what the item wrote before it is rolled back. */
async function runItem(tx: Tx, { action, defaults }: Job, item: Item): Promise<Item> {
  try {
    const ids = await tx.withSavepoint(() =>
      actions[action](tx, withDefaults(item.request, defaults)),
    );
    return itemOf(item.position, item.request, { delivery_ids: ids });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, message, details } = error;
    return itemOf(item.position, item.request, { error: { code, message, details } });
  }
}

/** Appends the audit rows of the deliveries that it creates or takes down. */
type Action = (tx: Tx, request: ItemRequest) => Promise<readonly DeliveryId[]>;

const actions: Readonly<Record<JobAction, Action>> = {
  deliver: async (tx, { release_id, stores = [], territory_codes = [] }) => {
    const { delivery, storeDeliveries } = await createDelivery(tx, {
      releaseId: parseId('rel', release_id),
      stores,
      territoryCodes: territory_codes,
      reference: null,
      metadata: {},
    });
    appendAudit(tx, {
      action: 'delivery.create',
      auditedId: delivery.id,
      before: undefined,
      after: presentDelivery(delivery, storeDeliveries),
    });
    return [delivery.id];
  },
  takedown: async (tx, { release_id, stores, reason }) => {
    const releaseId = parseId('rel', release_id);
    const taken =
      releaseId === undefined ? [] : await takeDownRelease(tx, releaseId, { stores, reason });
    if (taken.length > 0) return taken;
    throw new Problem(
      'invalid_state',
      'There is nothing to take down: no store has this release or is receiving it.',
    );
  },
};
