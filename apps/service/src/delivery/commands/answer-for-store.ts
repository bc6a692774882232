import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { boundedAnswer, type AnswerContent } from '../domain/answer.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { isUnclaimed } from '../domain/message.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { discardPendingAnswers } from '../store/answers.ts';
import { listStoreDeliveries } from '../store/store-deliveries.ts';
import { applyAnswers } from './apply-answers.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { lockChosenStores } from './lock-chosen-stores.ts';

/**
 * In the sandbox, a partner says what a fictional store says to the message it got last. It is heard at once, and
 * what the store was going to say by itself is not said any more.
 */
export async function answerForStore(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
  content: AnswerContent,
): Promise<DeliveryWithStores> {
  const { delivery, storeDeliveries } = await lockChosenStores(tx, id, undefined);
  const storeDelivery = storeDeliveries.find((each) => each.storeId === storeId);
  if (storeDelivery === undefined) {
    throw new Problem('resource_not_found', 'The delivery does not go to such a store.');
  }
  const answer = boundedAnswer({ ...content, messageId: storeDelivery.message.id });
  const changed = await applyAnswers(tx, delivery, [{ storeId, answer }]);
  if (changed === undefined) throw answerNotApplicable(storeDelivery, content);
  discardPendingAnswers(tx, id, storeId);
  return { delivery: changed, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, id) };
}

function answerNotApplicable({ status, message }: StoreDelivery, { kind }: AnswerContent): Problem {
  const isUnsent = isUnclaimed(message) || message.state === 'dropped';
  return new Problem(
    'invalid_state',
    isUnsent
      ? `The store has been sent nothing it could answer: it is ${status}.`
      : `A store that is ${status} and was sent a message of kind ${message.kind} is not moved by the answer ${kind}.`,
  );
}
