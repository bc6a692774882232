/** Attempts at the deliveries of one webhook: which are made now, and how their outcomes are recorded. */

import { randomInt } from 'node:crypto';
import { findBusinessTime, isSuspended } from '../../identity/face.ts';
import { addMs } from '../../kernel/duration.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import type { Executed } from '../../platform/engine/concurrent-side-effects.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import {
  cancelTimer,
  isTimerWaiting,
  setRealTimer,
  setTimer,
} from '../../platform/engine/timers.ts';
import type { SignedPayload, SigningSecrets } from '../connectors/sign.ts';
import {
  backoff,
  isSlow,
  isUnsent,
  type AttemptOutcome,
  pauseAfter,
  isSuccessful,
  type Unsent,
} from '../domain/attempt.ts';
import { presentEvent } from '../domain/event.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import {
  hasFailedTooLong,
  remainingAttemptSlots,
  type Webhook,
  type WebhookId,
  type WebhookStatus,
} from '../domain/webhook.ts';
import { webhookDisabled } from '../events.ts';
import { runDispatcher, wakeForRetry } from '../messages.ts';
import { applySettledAttempts, type SettledAttempt } from '../store/attempts.ts';
import {
  type DueWebhookDelivery,
  findDueWebhookDeliveries,
  markPendingUndelivered,
  findNextRetryAt,
} from '../store/webhook-deliveries.ts';
import {
  deleteDispatcher,
  isDispatcherPaused,
  markDispatcherRunning,
  type WebhookDispatcher,
  lockDispatcher,
  updateRetryTimer,
  clearSlowMark,
  markDispatcherPaused,
  markDispatcherSlow,
  markDispatcherIdle,
} from '../store/webhook-dispatchers.ts';
import {
  findSealedWebhook,
  findWebhook,
  lockWebhook,
  type SealedWebhook,
  updateHealth,
} from '../store/webhooks.ts';
import { openSecrets } from './secrets.ts';

export type AttemptDeps = { readonly keyring: Keyring; readonly environment: Environment };

export type Attempt = {
  readonly url: string;
  readonly payload: SignedPayload;
  readonly secrets: SigningSecrets;
  /** Of this delivery, since the event happened or its last redelivery was requested. */
  readonly attemptsBefore: number;
  readonly earlierAttempts: number;
  readonly redeliveries: number;
};

export type AttemptsInFlight = {
  readonly attempts: readonly Attempt[];
  /** One of them has been sent and not answered for longer than the sandbox's clock waits. */
  readonly hasSlow: boolean;
};

/** The next attempts at a webhook, besides those in flight. When there are none, its dispatcher goes idle. */
export async function claimAttempts(
  tx: Tx,
  webhookId: WebhookId,
  inFlight: AttemptsInFlight,
  deps: AttemptDeps,
): Promise<readonly Attempt[]> {
  const slots = remainingAttemptSlots(inFlight.attempts.length);
  const eventIds = inFlight.attempts.map(({ payload }) => payload.eventId);
  // The dispatcher's row is locked before the deliveries are read: a transaction that adds a delivery later finds the
  // dispatcher idle, and enqueues a message for it.
  // The suspension is read after it too: when the organization is resumed, every dispatcher is enqueued that is idle.
  const [dispatcher, isHalted, sealedWebhook, due] = await Promise.all([
    lockDispatcher(tx, webhookId),
    isSuspended(tx, tx.orgId),
    findSealedWebhook(tx, tx.orgId, webhookId),
    findDueWebhookDeliveries(tx, webhookId, eventIds, slots),
  ]);
  // A worker sends the endpoint's deliveries itself. When it has ended, it hands over what is left.
  if (dispatcher?.isDirect === true) return [];
  const isIdle =
    sealedWebhook === undefined || isHalted || isDispatcherPaused(dispatcher, tx.realNow);
  const attempts = isIdle ? [] : buildAttempts(tx, sealedWebhook, due, deps);
  if (attempts.length > 0) markDispatcherRunning(tx, webhookId);
  else if (inFlight.attempts.length === 0)
    await stopDispatcher(tx, webhookId, dispatcher, sealedWebhook?.webhook.status, isHalted);
  if (inFlight.hasSlow) markDispatcherSlow(tx, webhookId);
  return attempts;
}

function buildAttempts(
  tx: Tx,
  { webhook, sealed }: SealedWebhook,
  due: readonly DueWebhookDelivery[],
  { keyring, environment }: AttemptDeps,
): readonly Attempt[] {
  if (due.length === 0) return [];
  const secrets = openSecrets(keyring, tx.orgId, webhook.id, sealed, tx.realNow);
  return due.map((delivery) => buildAttempt(environment, { url: webhook.url, secrets }, delivery));
}

export const buildAttempt = (
  environment: Environment,
  { url, secrets }: Pick<Attempt, 'url' | 'secrets'>,
  { event, attemptId, attempts, earlierAttempts, redeliveries }: DueWebhookDelivery,
): Attempt => ({
  url,
  payload: {
    eventId: event.id,
    type: event.type,
    attemptId,
    body: Buffer.from(JSON.stringify(presentEvent(environment, event))),
  },
  secrets,
  attemptsBefore: attempts,
  earlierAttempts,
  redeliveries,
});

/**
 * The pending deliveries of an unverified webhook stay pending until it is verified again, and those of a suspended
 * organization until it is resumed, with the attempts that they have left.
 */
async function stopDispatcher(
  tx: Tx,
  webhookId: WebhookId,
  dispatcher: WebhookDispatcher | undefined,
  status: WebhookStatus | undefined,
  isHalted: boolean,
): Promise<void> {
  const isOver = status === undefined || status === 'disabled';
  if (isOver && (await markPendingUndelivered(tx, webhookId))) {
    markDispatcherRunning(tx, webhookId);
    enqueueMessage(tx, runDispatcher(tx.orgId, webhookId));
  } else if (status === undefined) {
    deleteDispatcher(tx, webhookId);
  } else {
    markDispatcherIdle(tx, webhookId);
    // The timer that `pauseDispatcher` set ends the pause.
    if (isDispatcherPaused(dispatcher, tx.realNow)) return;
    const retryAt =
      status === 'verified' && !isHalted ? await findNextRetryAt(tx, webhookId) : undefined;
    if (retryAt !== undefined) await scheduleRetry(tx, webhookId, dispatcher, retryAt);
  }
}

/** Keeps one timer, for the webhook's earliest retry. A timer that is due still counts; one that has fired does not. */
async function scheduleRetry(
  tx: Tx,
  webhookId: WebhookId,
  dispatcher: WebhookDispatcher | undefined,
  retryAt: Date,
): Promise<void> {
  const current = dispatcher?.retryTimer ?? null;
  if (current !== null) {
    if (current.at <= retryAt && (await isTimerWaiting(tx, current.id))) return;
    await cancelTimer(tx, current.id);
  }
  const id = setTimer(tx, retryAt, wakeForRetry(tx.orgId, webhookId));
  updateRetryTimer(tx, webhookId, { id, at: retryAt });
}

type FinishedAttempt = Executed<Attempt, AttemptOutcome | Unsent>;
type SentAttempt = Executed<Attempt, AttemptOutcome>;

const wasSent = (finished: FinishedAttempt): finished is SentAttempt => !isUnsent(finished.result);

/** An attempt that we could not send (no route, no name server) is not counted: its delivery stays due. */
export async function recordAttempts(
  tx: Tx,
  webhookId: WebhookId,
  finished: readonly FinishedAttempt[],
): Promise<void> {
  const sent = finished.filter(wasSent);
  if (sent.length > 0) await recordSentAttempts(tx, webhookId, sent);
  if (sent.length < finished.length) await pauseDispatcher(tx, webhookId);
}

/** Several requests that fail at once make one pause: the later ones find the dispatcher already paused. */
async function pauseDispatcher(tx: Tx, webhookId: WebhookId): Promise<void> {
  const dispatcher = await lockDispatcher(tx, webhookId);
  if (dispatcher === undefined || isDispatcherPaused(dispatcher, tx.realNow)) return;
  const ownFailures = Math.min(dispatcher.ownFailures + 1, ownFailuresMax);
  const until = new Date(tx.realNow.getTime() + pauseAfter(ownFailures, randomFraction()));
  markDispatcherPaused(tx, webhookId, ownFailures, until);
  setRealTimer(tx, until, runDispatcher(tx.orgId, webhookId));
}

async function recordSentAttempts(
  tx: Tx,
  webhookId: WebhookId,
  sent: readonly SentAttempt[],
): Promise<void> {
  const settled = sent.map(({ item, result }) => settleAttempt(tx, webhookId, item, result));
  applySettledAttempts(tx, settled);
  // Every transaction that locks both locks the webhook before its dispatcher.
  await recordHealth(
    tx,
    webhookId,
    sent.map(({ result }) => result),
  );
  if (sent.some(({ result }) => !isSlow(result.durationMs))) clearSlowMark(tx, webhookId);
  const [retryAt] = settled.flatMap((attempt) => attempt.retryAt ?? []).toSorted(earlierFirst);
  // Now, not when the dispatcher goes idle: an attempt that hangs delays that while the sandbox's clock advances.
  if (retryAt !== undefined)
    await scheduleRetry(tx, webhookId, await lockDispatcher(tx, webhookId), retryAt);
}

const earlierFirst = (a: Date, b: Date): number => a.getTime() - b.getTime();

async function recordHealth(
  tx: Tx,
  webhookId: WebhookId,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  // Read without a lock first: most attempts do not change the webhook's health.
  const unlocked = await findWebhook(tx, tx.orgId, webhookId);
  if (unlocked === undefined || healthAfter(unlocked, outcomes, tx.now) === unlocked) return;
  const webhook = await lockWebhook(tx, webhookId);
  if (webhook === undefined) return;
  // Not `tx.now`: a reset may have moved the clock by days while the transaction waited for this lock.
  const now = await findBusinessTime(tx, tx.orgId, tx.readClock);
  const next = healthAfter(webhook, outcomes, now);
  if (next === webhook) return;
  updateHealth(tx, next);
  if (next.status !== 'disabled') return;
  appendEvent(tx, webhookDisabled(next));
  appendAudit(tx, {
    action: 'webhook.disable',
    auditedId: webhookId,
    before: presentWebhook(webhook),
    after: presentWebhook(next),
  });
}

const randomRange = 2 ** 32;
const randomFraction = (): number => randomInt(randomRange) / randomRange;

/** Only the column is bounded: the longest pause is reached after 7 failures. */
const ownFailuresMax = 100;

function settleAttempt(
  tx: Tx,
  webhookId: WebhookId,
  attempt: Attempt,
  outcome: AttemptOutcome,
): SettledAttempt {
  const number = attempt.attemptsBefore + 1;
  const waitMs = isSuccessful(outcome) ? undefined : backoff(number, outcome, randomFraction());
  const retryAt = waitMs === undefined ? null : addMs(tx.now, waitMs);
  const finalStatus = isSuccessful(outcome) ? 'delivered' : 'undelivered';
  return {
    ...outcome,
    webhookId,
    eventId: attempt.payload.eventId,
    id: attempt.payload.attemptId,
    nextAttemptId: tx.newId('att'),
    number,
    earlierAttempts: attempt.earlierAttempts,
    redeliveries: attempt.redeliveries,
    retryAt,
    status: retryAt === null ? finalStatus : 'pending',
  };
}

/** Returns the same object if nothing changes: then the row is not written. */
function healthAfter(webhook: Webhook, outcomes: readonly AttemptOutcome[], now: Date): Webhook {
  if (outcomes.some(isSuccessful)) {
    return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null };
  }
  if (webhook.failingSince === null) return { ...webhook, failingSince: now };
  return webhook.status === 'verified' && hasFailedTooLong(webhook, now)
    ? { ...webhook, status: 'disabled', updatedAt: now }
    : webhook;
}
