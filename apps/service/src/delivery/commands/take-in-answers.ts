import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { enqueueMessages } from '../../platform/engine/outbox.ts';
import { boundedAnswer, type StoreAnswer } from '../domain/answer.ts';
import { lookAtDelivery } from '../messages.ts';
import { findForgotten, insertAnswers, type NewAnswer, type Whose } from '../store/answers.ts';
import { findAddressees } from '../store/messages.ts';

export type Intake = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/**
 * The intake: what stores have answered is kept, and the deliveries it concerns are told, in one transaction.
 * Answers to messages nobody sent are returned, for whoever brought them to wonder about.
 */
export function takeInAnswers(
  { db, clock, newId }: Intake,
  answers: readonly StoreAnswer[],
): Promise<readonly StoreAnswer[]> {
  return db.transactWithoutTenant(async (outside) => {
    const now = clock.now();
    const addressees = await findAddressees(
      outside,
      answers.map(({ messageId }) => messageId),
    );
    const known = answers.flatMap((answer): NewAnswer[] => {
      const to = addressees.get(answer.messageId);
      return to === undefined
        ? []
        : [{ id: newId('ans'), to, answer: boundedAnswer(answer), dueAt: now, lookAt: now }];
    });
    if (known.length > 0) {
      await insertAnswers(outside, known);
      await tellToHear(
        outside,
        newId,
        known.map(({ to }) => to),
      );
    }
    return answers.filter(({ messageId }) => !addressees.has(messageId));
  });
}

/** Each delivery once, however many of its stores have answered. */
const tellToHear = (db: Db, newId: NewId, whose: readonly Whose[]): Promise<void> => {
  const messages = new Map(
    whose.map(({ orgId, deliveryId }) => {
      const message = lookAtDelivery(orgId, deliveryId, 'hear');
      return [message.key, message];
    }),
  );
  return enqueueMessages(db, newId, [...messages.values()]);
};

const patienceMs = 30_000;
const forgottenMax = 500;

/** The reconciler of answers: those nobody has heard for long are told of again. */
export function rememberAnswers({ db, clock, newId }: Intake): Promise<number> {
  return db.transactWithoutTenant(async (outside) => {
    const now = clock.now();
    const before = new Date(now.getTime() - patienceMs);
    const forgotten = await findForgotten(outside, before, now, forgottenMax);
    if (forgotten.length > 0) await tellToHear(outside, newId, forgotten);
    return forgotten.length;
  });
}
