import type { Changed } from '../../kernel/changed.ts';
import { Problem } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { boundedAnswer, type AnswerContent, type ReceivedRejection } from '../domain/answer.ts';
import {
  type AnswerTarget,
  explainRefusedAnswer,
  namedMessage,
} from '../domain/applicable-answers.ts';
import { type Delivery, type DeliveryId, deliveryStoreNotFound } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { discardPendingAnswers } from '../store/answers.ts';
import { findConflicts, listStoreDeliveries } from '../store/store-deliveries.ts';
import { applyAnswers } from './apply-answers.ts';
import { type DeliveryWithStores, lockChosenStores } from './lock-chosen-stores.ts';

export type AnswerForStore = {
  readonly storeId: string;
  readonly content: AnswerContent<ReceivedRejection>;
  readonly target?: AnswerTarget | undefined;
};

/** In the sandbox, a partner answers for a fictional store. The answer is applied at once. */
export async function answerForStore(
  tx: Tx,
  id: DeliveryId,
  { storeId, content, target }: AnswerForStore,
): Promise<Changed<DeliveryWithStores>> {
  const { delivery, storeDeliveries, before } = await lockChosenStores(tx, id, undefined);
  const storeDelivery = storeDeliveries.find((each) => each.storeId === storeId);
  if (storeDelivery === undefined) throw deliveryStoreNotFound();
  const messageId = namedMessage(storeDelivery, content.kind, target);
  const answer = { ...boundedAnswer(content), messageId };
  const changed = await applyAnswers(tx, delivery, [{ storeId, answer }]);
  if (changed === undefined) {
    throw await answerNotApplicable(tx, delivery, storeDelivery, { storeId, content, target });
  }
  // A receipt, and an answer about the release, leave open what the store says to its message.
  const isToMessage = content.kind !== 'acknowledged' && messageId !== null;
  if (isToMessage) discardPendingAnswers(tx, id, storeId);
  const after = { delivery: changed, storeDeliveries: await listStoreDeliveries(tx, tx.orgId, id) };
  return { before, after };
}

async function answerNotApplicable(
  tx: Tx,
  { releaseId }: Delivery,
  storeDelivery: StoreDelivery,
  { storeId, content: { kind }, target }: AnswerForStore,
): Promise<Problem> {
  const [newer] =
    storeDelivery.status === 'taken_down' ? await findConflicts(tx, releaseId, [storeId]) : [];
  if (newer !== undefined) {
    return new Problem(
      'invalid_state',
      `The answer ${kind} changes nothing: ${storeId} is taken_down in this delivery, and ${newer.deliveryId} delivers the release to it now. Answer for that delivery.`,
    );
  }
  const store = await findStore(tx, storeId);
  const confirmation = store?.capabilities.confirmation ?? 'live';
  return new Problem(
    'invalid_state',
    explainRefusedAnswer(storeDelivery, { kind, target, confirmation, now: tx.now }),
  );
}
