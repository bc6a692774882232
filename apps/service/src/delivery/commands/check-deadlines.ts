import { minuteMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { markOverdue, type StoreDelivery } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange } from './delivery-change.ts';

/** Clocks differ: a timer that fires up to a minute early checks, then sets the next timer. */
const skewMs = minuteMs;

/** Marks stores as overdue whose deadline has passed, and sets the timer for the next deadline. */
export async function checkDeadlines(tx: Tx, id: DeliveryId): Promise<void> {
  const [delivery, storeDeliveries] = await Promise.all([
    lockDelivery(tx, id),
    lockStoreDeliveries(tx, id),
  ]);
  // Another timer for the same deadline ran first, or the next check is later.
  if (delivery === undefined || delivery.checkAt === null) return;
  if (delivery.checkAt.getTime() > tx.now.getTime() + skewMs) return;
  const change = startDeliveryChange(tx, delivery);
  for (const storeDelivery of storeDeliveries) {
    const step = markOverdue(storeDelivery, tx.now);
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
  const next = nextDeadline(storeDeliveries, tx.now);
  change.setFields({ checkAt: next });
  if (next !== null) setTimer(tx, next, wakeDelivery(tx.orgId, id, 'check'));
  await change.write();
}

function nextDeadline(storeDeliveries: readonly StoreDelivery[], now: Date): Date | null {
  const comingMs = storeDeliveries.flatMap(({ expectedBy }) =>
    expectedBy !== null && expectedBy > now ? [expectedBy.getTime()] : [],
  );
  return comingMs.length === 0 ? null : new Date(Math.min(...comingMs));
}
