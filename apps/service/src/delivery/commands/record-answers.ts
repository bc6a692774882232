import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { enqueueMessages } from '../../platform/engine/outbox.ts';
import { boundedAnswer, type StoreAnswer } from '../domain/answer.ts';
import { wakeDelivery } from '../messages.ts';
import {
  claimStaleAnswers,
  insertAnswers,
  type NewAnswer,
  type DeliveryRef,
} from '../store/answers.ts';
import { findMessageTargets } from '../store/messages.ts';

export type AnswerDeps = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/**
 * Stores the answers and wakes their deliveries in one transaction. Returns the answers whose message id is unknown:
 * the caller reports them.
 */
export function recordAnswers(
  { db, clock, newId }: AnswerDeps,
  answers: readonly StoreAnswer[],
): Promise<readonly StoreAnswer[]> {
  return db.transactWithoutTenant(async (withoutTenant) => {
    const now = clock.now();
    const targets = await findMessageTargets(
      withoutTenant,
      answers.map(({ messageId }) => messageId),
    );
    const known = answers.flatMap((answer): NewAnswer[] => {
      const target = targets.get(answer.messageId);
      return target === undefined
        ? []
        : [{ id: newId('ans'), target, answer: boundedAnswer(answer), dueAt: now, recheckAt: now }];
    });
    if (known.length > 0) {
      await insertAnswers(withoutTenant, known);
      await enqueueApplyAnswers(
        withoutTenant,
        newId,
        known.map(({ target }) => target),
      );
    }
    return answers.filter(({ messageId }) => !targets.has(messageId));
  });
}

/** One message for each delivery, even if several of its stores have answered. */
const enqueueApplyAnswers = (
  db: Db,
  newId: NewId,
  deliveries: readonly DeliveryRef[],
): Promise<void> => {
  const messages = new Map(
    deliveries.map(({ orgId, deliveryId }) => {
      const message = wakeDelivery(orgId, deliveryId, 'applyAnswers');
      return [message.key, message];
    }),
  );
  return enqueueMessages(db, newId, [...messages.values()]);
};

/** Run by the reconciler: wakes the deliveries of answers that were not applied for 30 seconds. */
export function requeueStaleAnswers({ db, clock, newId }: AnswerDeps): Promise<number> {
  return db.transactWithoutTenant(async (withoutTenant) => {
    const stale = await claimStaleAnswers(withoutTenant, clock.now());
    if (stale.length > 0) await enqueueApplyAnswers(withoutTenant, newId, stale);
    return stale.length;
  });
}
