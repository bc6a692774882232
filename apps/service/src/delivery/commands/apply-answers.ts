import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { applyAnswer } from '../domain/apply-answer.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { findDueAnswers, deleteAnswers, type DueAnswer } from '../store/answers.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { insertStoreMessages } from '../store/messages.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange, type DeliveryChange } from './delivery-change.ts';

const answersPerStepMax = 200;

/**
 * Applies the due answers of a delivery one after the other, as if each had arrived alone. The first of several engine
 * messages applies them all; the others find none. Returns whether there may be more.
 */
export async function applyDueAnswers(tx: Tx, id: DeliveryId): Promise<boolean> {
  const [delivery, answers] = await Promise.all([
    lockDelivery(tx, id),
    findDueAnswers(tx, id, answersPerStepMax),
  ]);
  if (answers.length === 0) return false;
  deleteAnswers(
    tx,
    answers.map((answer) => answer.id),
  );
  if (delivery !== undefined) await applyAnswers(tx, delivery, answers);
  return answers.length === answersPerStepMax;
}

/** The changed delivery; undefined if no answer changed anything. The caller has locked the delivery. */
export async function applyAnswers(
  tx: Tx,
  delivery: Delivery,
  answers: readonly AnswerToApply[],
): Promise<Delivery | undefined> {
  const { id } = delivery;
  const storeIds = [...new Set(answers.map(({ storeId }) => storeId))];
  const storeDeliveries = await lockStoreDeliveries(tx, id, storeIds);
  const change = startDeliveryChange(tx, delivery, 'one by one');
  const { hasChanged, takedowns } = applyEachAnswer(tx, change, storeDeliveries, answers);
  if (takedowns.length > 0) {
    insertStoreMessages(tx, id, takedowns);
    change.setFields({ dispatches: Math.min(delivery.dispatches, 1) });
    enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch'));
  }
  return hasChanged ? change.write() : undefined;
}

type AnswerToApply = Pick<DueAnswer, 'storeId' | 'answer'>;

function applyEachAnswer(
  tx: Tx,
  change: DeliveryChange,
  storeDeliveries: readonly StoreDelivery[],
  answers: readonly AnswerToApply[],
) {
  const current = new Map(
    storeDeliveries.map((storeDelivery) => [storeDelivery.storeId, storeDelivery]),
  );
  const takedowns: StoreDelivery[] = [];
  let hasChanged = false;
  for (const { storeId, answer } of answers) {
    let storeDelivery = current.get(storeId);
    if (storeDelivery === undefined) continue;
    for (const step of applyAnswer(storeDelivery, answer, tx.now, tx.newId('msg'))) {
      change.applyStep(storeDelivery, step);
      ({ storeDelivery } = step);
      if (step.type === 'takedown_requested') takedowns.push(storeDelivery);
      hasChanged = true;
    }
    current.set(storeId, storeDelivery);
  }
  return { hasChanged, takedowns };
}
