import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { boundedAnswer, type AnswerContent, type ReceivedRejection } from '../domain/answer.ts';
import { type DeliveryId, deliveryStoreNotFound } from '../domain/delivery.ts';
import { isUnclaimed } from '../domain/message.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { discardPendingAnswers } from '../store/answers.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import { applyAnswers } from './apply-answers.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { lockChosenStores } from './lock-chosen-stores.ts';

/**
 * In the sandbox, a partner answers the latest message for a fictional store. The answer is applied at once and
 * replaces the scheduled answers of the store.
 */
export async function answerForStore(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
  content: AnswerContent<ReceivedRejection>,
): Promise<DeliveryWithStores> {
  const { delivery, storeDeliveries } = await lockChosenStores(tx, id, undefined);
  const storeDelivery = storeDeliveries.find((each) => each.storeId === storeId);
  if (storeDelivery === undefined) {
    throw deliveryStoreNotFound();
  }
  // A store that announces a release we took down names the release, not the takedown.
  const messageId = storeDelivery.status === 'taken_down' ? null : storeDelivery.message.id;
  const answer = { ...boundedAnswer(content), messageId };
  const changed = await applyAnswers(tx, delivery, [{ storeId, answer }]);
  if (changed === undefined) throw answerNotApplicable(storeDelivery, content);
  discardPendingAnswers(tx, id, storeId);
  return { delivery: changed, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, id) };
}

function answerNotApplicable(
  { status, message }: StoreDelivery,
  { kind }: Pick<AnswerContent, 'kind'>,
): Problem {
  const isUnsent = isUnclaimed(message) || message.state === 'dropped';
  return new Problem(
    'invalid_state',
    isUnsent
      ? `The store is ${status} and has no message to answer.`
      : `The answer ${kind} does not apply: the store is ${status} and its latest message is of kind ${message.kind}.`,
  );
}
