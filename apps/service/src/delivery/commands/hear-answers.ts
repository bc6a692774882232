import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import { hear } from '../domain/hearing.ts';
import { type StoreDelivery } from '../domain/store-delivery.ts';
import { lookAtDelivery } from '../messages.ts';
import { dueAnswers, removeAnswers, type Unheard } from '../store/answers.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { registerMessages } from '../store/messages.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';
import { changeDelivery, type DeliveryChange } from './change-delivery.ts';

const answersAtOnceMax = 200;

/**
 * All answers a delivery has got, one after the other, as if each had come alone. However many messages say
 * that there is something to hear, the first hears it all. Whether there may be more.
 */
export async function hearAnswers(tx: Tx, id: DeliveryId): Promise<boolean> {
  const [delivery, unheard] = await Promise.all([
    lockDelivery(tx, id),
    dueAnswers(tx, id, answersAtOnceMax),
  ]);
  if (unheard.length === 0) return false;
  removeAnswers(
    tx,
    unheard.map((answer) => answer.id),
  );
  if (delivery !== undefined) await hearThem(tx, delivery, unheard);
  return unheard.length === answersAtOnceMax;
}

/** The delivery as it is then; undefined where none of them moved anything. It is held by the caller. */
export async function hearThem(
  tx: Tx,
  delivery: Delivery,
  unheard: readonly Heard[],
): Promise<Delivery | undefined> {
  const { id } = delivery;
  const storeIds = [...new Set(unheard.map(({ storeId }) => storeId))];
  const storeDeliveries = await lockStoreDeliveries(tx, id, storeIds);
  const change = changeDelivery(tx, delivery, 'one by one');
  const { hasChanged, takedowns } = hearAll(tx, change, storeDeliveries, unheard);
  if (takedowns.length > 0) {
    registerMessages(tx, id, takedowns);
    change.set({ dispatches: Math.min(delivery.dispatches, 1) });
    enqueueDurably(tx, lookAtDelivery(tx.orgId, id, 'dispatch'));
  }
  return hasChanged ? change.write() : undefined;
}

type Heard = Pick<Unheard, 'storeId' | 'answer'>;

function hearAll(
  tx: Tx,
  change: DeliveryChange,
  storeDeliveries: readonly StoreDelivery[],
  unheard: readonly Heard[],
) {
  const current = new Map(
    storeDeliveries.map((storeDelivery) => [storeDelivery.storeId, storeDelivery]),
  );
  const takedowns: StoreDelivery[] = [];
  let hasChanged = false;
  for (const { storeId, answer } of unheard) {
    let storeDelivery = current.get(storeId);
    if (storeDelivery === undefined) continue;
    for (const step of hear(storeDelivery, answer, tx.now, tx.newId('msg'))) {
      change.take(storeDelivery, step);
      ({ storeDelivery } = step);
      if (step.type === 'takedown_requested') takedowns.push(storeDelivery);
      hasChanged = true;
    }
    current.set(storeId, storeDelivery);
  }
  return { hasChanged, takedowns };
}
