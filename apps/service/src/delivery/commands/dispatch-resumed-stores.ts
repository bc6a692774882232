import { workflowOwner } from '../../kernel/actor.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { findResumedStores, deletePausedStore } from '../store/paused-stores.ts';
import type { AnswerDeps } from './record-answers.ts';

const atOnceMax = 500;

/** What waited for stores that are not paused any more is dispatched. Whoever parks late is found next time. */
export async function dispatchResumedStores({ db }: Pick<AnswerDeps, 'db'>): Promise<number> {
  const resumed = await findResumedStores(db.withoutTenant, atOnceMax);
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
