import { addMs, hourMs, minuteMs } from '../../kernel/duration.ts';
import type { Confirmation } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { reachDeadline, waitsForSend } from '../domain/infer.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { takeDownIfWanted } from '../domain/takedown.ts';
import { wakeDelivery } from '../messages.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange, type DeliveryChange } from './delivery-change.ts';
import { dispatchTakedowns } from './dispatch-takedowns.ts';
import { type Confirmations, findConfirmations } from './find-confirmations.ts';

/** Clocks differ: a timer that fires up to a minute early checks, then sets the next timer. */
const skewMs = minuteMs;

/** Until a message to a silent store is looked at again that was not sent by its deadline. */
const sendCheckMs = hourMs;

/**
 * Marks stores as overdue whose deadline has passed, infers what stores that do not confirm have done, and sets the
 * timer for the next deadline.
 */
export async function checkDeadlines(tx: Tx, id: DeliveryId): Promise<void> {
  const [delivery, storeDeliveries] = await Promise.all([
    lockDelivery(tx, id),
    lockStoreDeliveries(tx, id),
  ]);
  // Another timer for the same deadline ran first, or the next check is later.
  if (delivery === undefined || delivery.checkAt === null) return;
  if (delivery.checkAt.getTime() > tx.now.getTime() + skewMs) return;
  const due = storeDeliveries.filter(
    ({ expectedBy }) => expectedBy !== null && expectedBy <= tx.now,
  );
  const confirmations = await findConfirmations(
    tx,
    due.map(({ storeId }) => storeId),
  );
  const change = startDeliveryChange(tx, delivery, 'one by one');
  const takedowns = storeDeliveries.flatMap((storeDelivery) =>
    checkStore(tx, change, storeDelivery, confirmations.get(storeDelivery.storeId) ?? 'live'),
  );
  await dispatchTakedowns(tx, change, delivery, takedowns);
  const next = nextCheck(storeDeliveries, confirmations, tx.now);
  change.setFields({ checkAt: next });
  if (next !== null) setTimer(tx, next, wakeDelivery(tx.orgId, id, 'check'));
  await change.write('delivery.check');
}

/** Returns the takedown that waited for an inferred answer. */
function checkStore(
  tx: Tx,
  change: DeliveryChange,
  storeDelivery: StoreDelivery,
  confirmation: Confirmation,
): readonly StoreDelivery[] {
  const step = reachDeadline(storeDelivery, tx.now, confirmation);
  if (step === undefined) return [];
  change.applyStep(storeDelivery, step);
  const takedown = takeDownIfWanted(step.storeDelivery, tx.now, tx.newId('msg'));
  if (takedown === undefined) return [];
  change.applyStep(step.storeDelivery, takedown);
  return [takedown.storeDelivery];
}

function nextCheck(
  storeDeliveries: readonly StoreDelivery[],
  confirmations: Confirmations,
  now: Date,
): Date | null {
  const nextMs = storeDeliveries.flatMap((storeDelivery) => {
    const { expectedBy, storeId } = storeDelivery;
    if (expectedBy !== null && expectedBy > now) return [expectedBy.getTime()];
    return waitsForSend(storeDelivery, now, confirmations.get(storeId) ?? 'live')
      ? [addMs(now, sendCheckMs).getTime()]
      : [];
  });
  return nextMs.length === 0 ? null : new Date(Math.min(...nextMs));
}
