import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { type EngineMessage, enqueueMessages } from '../../platform/engine/outbox.ts';
import { type AnswerContent, boundedAnswer, type ReceivedRejection } from '../domain/answer.ts';
import type { MessageId } from '../domain/message.ts';
import { wakeAnswerLane, wakeDelivery } from '../messages.ts';
import { claimStaleAnswers, insertAnswers, type NewAnswer } from '../store/answers.ts';
import { findHolders, type StoreCode, storeCodeKey } from '../store/holdings.ts';
import { findMessageTargets, type StoreDeliveryRef } from '../store/messages.ts';

export type AnswerDeps = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/** An answer names the message that it answers, or the EAN, UPC or ISRC that the store has. */
export type ReceivedAnswer = AnswerContent<ReceivedRejection> &
  ({ readonly messageId: MessageId } | StoreCode);

/**
 * Stores the answers and wakes the lanes of their deliveries in one transaction. Returns the answers that name nothing we know: the
 * caller reports them.
 */
export function recordAnswers(
  { db, clock, newId }: AnswerDeps,
  answers: readonly ReceivedAnswer[],
): Promise<readonly ReceivedAnswer[]> {
  return db.transactWithoutTenant(async (withoutTenant) => {
    const now = clock.now();
    const targetOf = await findTargets(withoutTenant, answers);
    const known = answers.flatMap((answer): NewAnswer[] => {
      const target = targetOf(answer);
      if (target === undefined) return [];
      const messageId = 'messageId' in answer ? answer.messageId : null;
      const bounded = { ...boundedAnswer(answer), messageId };
      return [{ id: newId('ans'), target, answer: bounded, dueAt: now, recheckAt: now }];
    });
    if (known.length > 0) {
      await insertAnswers(withoutTenant, known);
      const wakes = known.map(({ target: { orgId, deliveryId } }) =>
        wakeAnswerLane(orgId, deliveryId),
      );
      await enqueueMessages(withoutTenant, newId, oncePerKey(wakes));
    }
    return answers.filter((answer) => targetOf(answer) === undefined);
  });
}

/** By message in the directory of messages, by code in the directory of what stores have. */
async function findTargets(db: Db, answers: readonly ReceivedAnswer[]) {
  const messages = await findMessageTargets(
    db,
    answers.flatMap((answer) => ('messageId' in answer ? [answer.messageId] : [])),
  );
  const holders = await findHolders(
    db,
    answers.flatMap((answer) => ('messageId' in answer ? [] : [answer])),
  );
  return (answer: ReceivedAnswer): StoreDeliveryRef | undefined =>
    'messageId' in answer ? messages.get(answer.messageId) : holders.get(storeCodeKey(answer));
}

/** One message for each key, even if several stores have answered. */
const oncePerKey = (messages: readonly EngineMessage[]): readonly EngineMessage[] => [
  ...new Map(messages.map((message) => [message.key, message])).values(),
];

/** Run by the reconciler: wakes each delivery, alone, whose answers were not applied for 30 seconds. */
export function requeueStaleAnswers({ db, clock, newId }: AnswerDeps): Promise<number> {
  return db.transactWithoutTenant(async (withoutTenant) => {
    const stale = await claimStaleAnswers(withoutTenant, clock.now());
    const wakes = stale.map(({ orgId, deliveryId }) =>
      wakeDelivery(orgId, deliveryId, 'applyAnswers'),
    );
    if (wakes.length > 0) await enqueueMessages(withoutTenant, newId, wakes);
    return stale.length;
  });
}
