import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { enqueueMessages } from '../../platform/engine/outbox.ts';
import { type AnswerContent, boundedAnswer, type ReceivedRejection } from '../domain/answer.ts';
import type { MessageId } from '../domain/message.ts';
import { answerLaneOf, wakeAnswerLane, wakeDelivery } from '../messages.ts';
import { insertAnswerWakes } from '../store/answer-wakes.ts';
import { claimStaleAnswers, insertAnswers, type NewAnswer } from '../store/answers.ts';
import { findHolders, type StoreCode, storeCodeKey } from '../store/holdings.ts';
import { findMessageTargets, type StoreDeliveryRef } from '../store/messages.ts';

export type AnswerDeps = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/** An answer names the message that it answers, or the EAN, UPC or ISRC that the store has. */
export type ReceivedAnswer = AnswerContent<ReceivedRejection> &
  ({ readonly messageId: MessageId } | StoreCode);

/**
 * Stores the answers, then wakes the lanes of their deliveries. Returns the answers that name nothing we know: the
 * caller reports them.
 */
export async function recordAnswers(
  deps: AnswerDeps,
  answers: readonly ReceivedAnswer[],
): Promise<readonly ReceivedAnswer[]> {
  const { db, clock, newId } = deps;
  const now = clock.now();
  const targetOf = await findTargets(db.withoutTenant, answers);
  const known = answers.flatMap((answer): NewAnswer[] => {
    const target = targetOf(answer);
    if (target === undefined) return [];
    const messageId = 'messageId' in answer ? answer.messageId : null;
    const bounded = { ...boundedAnswer(answer), messageId };
    return [{ id: newId('ans'), target, answer: bounded, dueAt: now, recheckAt: now }];
  });
  if (known.length > 0) {
    await insertAnswers(db.withoutTenant, known);
    await wakeLanes(
      deps,
      known.map(({ target }) => target),
    );
  }
  return answers.filter((answer) => targetOf(answer) === undefined);
}

/**
 * Wakes the lanes that no message is on its way to. Only after the answers are committed: a handler that has not begun
 * will find them. If the process ends in between, the reconciler wakes their deliveries.
 */
async function wakeLanes(
  { db, newId }: AnswerDeps,
  targets: readonly StoreDeliveryRef[],
): Promise<void> {
  const lanes = targets.map(({ orgId, deliveryId }) => ({
    orgId,
    index: answerLaneOf(deliveryId),
  }));
  await db.transactWithoutTenant(async (withoutTenant) => {
    const wakes = (await insertAnswerWakes(withoutTenant, lanes)).map(({ orgId, index }) =>
      wakeAnswerLane(orgId, index),
    );
    if (wakes.length > 0) await enqueueMessages(withoutTenant, newId, wakes);
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
