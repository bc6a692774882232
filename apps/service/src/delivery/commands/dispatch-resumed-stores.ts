import { workflowOwner } from '../../kernel/actor.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { findResumedStores, deletePausedStore } from '../store/paused-stores.ts';
import type { AnswerDeps } from './record-answers.ts';

const resumedMax = 500;

/** Dispatches the deliveries that waited for resumed stores. Rows inserted later are found by the next run. */
export async function dispatchResumedStores({ db }: Pick<AnswerDeps, 'db'>): Promise<number> {
  const resumed = await findResumedStores(db.withoutTenant, resumedMax);
  for (const { orgId, deliveryId, storeId } of resumed) {
    const owner = workflowOwner(orgId, 'reconciler');
    await db.transact(owner, async (tx) => {
      if (await deletePausedStore(tx, deliveryId, storeId)) {
        enqueueDurably(tx, wakeDelivery(orgId, deliveryId, 'dispatch'));
      }
    });
  }
  return resumed.length;
}
