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
 * The intake: what stores have answered is kept, and the deliveries it concerns are told, in one transaction.
 * Answers to messages nobody sent are returned, for whoever brought them to wonder about.
 */
export function recordAnswers(
  { db, clock, newId }: AnswerDeps,
  answers: readonly StoreAnswer[],
): Promise<readonly StoreAnswer[]> {
  return db.transactWithoutTenant(async (outside) => {
    const now = clock.now();
    const targets = await findMessageTargets(
      outside,
      answers.map(({ messageId }) => messageId),
    );
    const known = answers.flatMap((answer): NewAnswer[] => {
      const target = targets.get(answer.messageId);
      return target === undefined
        ? []
        : [{ id: newId('ans'), target, answer: boundedAnswer(answer), dueAt: now, recheckAt: now }];
    });
    if (known.length > 0) {
      await insertAnswers(outside, known);
      await enqueueApplyAnswers(
        outside,
        newId,
        known.map(({ target: to }) => to),
      );
    }
    return answers.filter(({ messageId }) => !targets.has(messageId));
  });
}

/** Each delivery once, however many of its stores have answered. */
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

/** The reconciler of answers: those nobody has heard for long are told of again. */
export function requeueStaleAnswers({ db, clock, newId }: AnswerDeps): Promise<number> {
  return db.transactWithoutTenant(async (outside) => {
    const stale = await claimStaleAnswers(outside, clock.now());
    if (stale.length > 0) await enqueueApplyAnswers(outside, newId, stale);
    return stale.length;
  });
}
