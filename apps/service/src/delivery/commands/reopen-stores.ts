import { workflowOwner } from '../../kernel/actor.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { findReopened, leaveParking } from '../store/parking.ts';
import type { AnswerDeps } from './record-answers.ts';

const atOnceMax = 500;

/** What waited for stores that are not paused any more is dispatched. Whoever parks late is found next time. */
export async function reopenStores({ db }: Pick<AnswerDeps, 'db'>): Promise<number> {
  const parked = await findReopened(db.withoutTenant, atOnceMax);
  for (const { orgId, deliveryId, storeId } of parked) {
    const owner = workflowOwner(orgId, 'reconciler');
    await db.transact(owner, async (tx) => {
      if (await leaveParking(tx, deliveryId, storeId)) {
        enqueueDurably(tx, wakeDelivery(orgId, deliveryId, 'dispatch'));
      }
    });
  }
  return parked.length;
}
