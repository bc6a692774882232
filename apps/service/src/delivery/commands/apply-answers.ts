import type { Confirmation } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isLockFailure } from '../../platform/db/failures.ts';
import { planOnce } from '../../platform/db/plan-once.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import type { AnswerLane } from '../domain/answer.ts';
import { applyAnswer } from '../domain/apply-answer.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { deleteAnswerWakes } from '../store/answer-wakes.ts';
import {
  findAnsweredDeliveries,
  findDueAnswers,
  deleteAnswers,
  type DueAnswer,
} from '../store/answers.ts';
import { lockDeliveriesByRelease, lockDelivery } from '../store/deliveries.ts';
import { findConflicts, lockStoreDeliveries } from '../store/store-deliveries.ts';
import { startDeliveryChange, type DeliveryChange } from './delivery-change.ts';
import { dispatchTakedowns } from './dispatch-takedowns.ts';
import { findConfirmations } from './find-confirmations.ts';

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
  if (delivery !== undefined) await applyAnswers(tx, delivery, answers, 'delivery.answer');
  return answers.length === answersPerStepMax;
}

const deliveriesPerStepMax = 20;

/**
 * Applies what has arrived for the deliveries of a lane, several in one transaction, and returns the last of them;
 * null if there are no more. The deliveries are locked first, by id. If one fails, all are rolled back and applied one
 * after the other. The answers of one that fails stay: the reconciler wakes it alone (`requeueStaleAnswers`), so that it
 * fails alone, and is reported. A lock that another lane holds is no failure of a delivery: then the whole step fails,
 * which frees its own locks, and the engine repeats it.
 */
export async function applyArrivedAnswers(
  tx: Tx,
  lane: AnswerLane,
  after: DeliveryId | null,
): Promise<DeliveryId | null> {
  planOnce(tx);
  // What is recorded later wakes the lane again. A later step does not read all deliveries, so it deletes none.
  if (after === null) deleteAnswerWakes(tx, lane);
  const ids = await findAnsweredDeliveries(tx, lane, after, deliveriesPerStepMax);
  if (ids.length === 0) return null;
  const locked = await lockDeliveriesByRelease(tx, ids);
  const found = new Set(locked.flat());
  const removed = ids.filter((id) => !found.has(id));
  const groups = [...locked, removed];
  await tx
    .withSavepoint(() => applyTogether(tx, groups))
    .catch((error: unknown) => {
      if (isLockFailure(error)) throw error;
      return applyAlone(tx, groups);
    });
  return ids.length < deliveriesPerStepMax ? null : (ids.at(-1) ?? null);
}

type Groups = readonly (readonly DeliveryId[])[];

/**
 * The statements of several groups travel together; the deliveries of a group take turns, because each reads what the
 * one before has changed in their release. Groups lock their releases in any order: if two lanes wait for each other,
 * PostgreSQL ends one of them with a deadlock.
 */
async function applyTogether(tx: Tx, groups: Groups): Promise<void> {
  const applied = await Promise.allSettled(
    groups.map(async (ids) => {
      for (const id of ids) await applyOrContinueLater(tx, id);
    }),
  );
  // Only when all have ended: none may write after the rollback.
  const failures = applied.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  // The statements of the other groups fail because of the one that failed.
  if (failures.length > 0) throw failures.find(isLockFailure) ?? failures[0];
}

/** In the order of their releases. */
async function applyAlone(tx: Tx, groups: Groups): Promise<void> {
  for (const id of groups.flat()) {
    await tx
      .withSavepoint(() => applyOrContinueLater(tx, id))
      .catch((error: unknown) => {
        if (isLockFailure(error)) throw error;
      });
  }
}

async function applyOrContinueLater(tx: Tx, id: DeliveryId): Promise<void> {
  if (await applyDueAnswers(tx, id)) enqueueMessage(tx, wakeDelivery(tx.orgId, id, 'applyAnswers'));
}

/**
 * The changed delivery; undefined if no answer changed anything. The caller has locked the delivery. `action`: as for
 * `DeliveryChange.write`.
 */
export async function applyAnswers(
  tx: Tx,
  delivery: Delivery,
  answers: readonly AnswerToApply[],
  action?: string,
): Promise<Delivery | undefined> {
  const { id } = delivery;
  const storeIds = [...new Set(answers.map(({ storeId }) => storeId))];
  const [storeDeliveries, confirmations] = await Promise.all([
    lockStoreDeliveries(tx, id, storeIds),
    findConfirmations(tx, storeIds),
  ]);
  const change = startDeliveryChange(tx, delivery, 'one by one');
  const replaced = await findReplaced(tx, delivery, storeDeliveries);
  const { hasChanged, takedowns } = applyEachAnswer(
    tx,
    change,
    storeDeliveries.filter(({ storeId }) => !replaced.has(storeId)),
    answers.map((each) => ({
      ...each,
      confirmation: confirmations.get(each.storeId) ?? 'live',
    })),
  );
  await dispatchTakedowns(tx, change, delivery, takedowns);
  return hasChanged ? change.write(action) : undefined;
}

/** Stores where the release is taken down and a newer delivery has it: no answer opens the older one again. */
async function findReplaced(
  tx: Tx,
  { releaseId }: Delivery,
  storeDeliveries: readonly StoreDelivery[],
): Promise<ReadonlySet<string>> {
  const takenDown = storeDeliveries.filter(({ status }) => status === 'taken_down');
  if (takenDown.length === 0) return new Set();
  const storeIds = takenDown.map(({ storeId }) => storeId);
  const conflicts = await findConflicts(tx, releaseId, storeIds);
  return new Set(conflicts.map(({ storeId }) => storeId));
}

type AnswerToApply = Pick<DueAnswer, 'storeId' | 'answer'>;

function applyEachAnswer(
  tx: Tx,
  change: DeliveryChange,
  storeDeliveries: readonly StoreDelivery[],
  answers: readonly (AnswerToApply & { readonly confirmation: Confirmation })[],
) {
  const current = new Map(
    storeDeliveries.map((storeDelivery) => [storeDelivery.storeId, storeDelivery]),
  );
  const takedowns: StoreDelivery[] = [];
  let hasChanged = false;
  for (const { storeId, answer, confirmation } of answers) {
    let storeDelivery = current.get(storeId);
    if (storeDelivery === undefined) continue;
    const context = { now: tx.now, confirmation, takedownId: tx.newId('msg') };
    for (const step of applyAnswer(storeDelivery, answer, context)) {
      change.applyStep(storeDelivery, step);
      ({ storeDelivery } = step);
      if (step.type === 'takedown_requested') takedowns.push(storeDelivery);
      hasChanged = true;
    }
    current.set(storeId, storeDelivery);
  }
  return { hasChanged, takedowns };
}
