/** Attempts to bring an endpoint what it is owed: which are made now, and what becomes of them. */

import { randomInt } from 'node:crypto';
import { addMs } from '../../kernel/duration.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import type { Executed } from '../../platform/engine/side-effects.ts';
import {
  cancelTimer,
  isTimerWaiting,
  setRealTimer,
  setTimer,
} from '../../platform/engine/timers.ts';
import type { SignedPayload, SigningSecrets } from '../connectors/sign.ts';
import {
  backoff,
  isUnsent,
  type AttemptOutcome,
  pauseAfter,
  isSuccessful,
  type Unsent,
} from '../domain/attempt.ts';
import { presentEvent } from '../domain/event.ts';
import {
  hasFailedTooLong,
  remainingAttemptSlots,
  type Webhook,
  type WebhookId,
  type WebhookStatus,
} from '../domain/webhook.ts';
import { webhookDisabled } from '../events.ts';
import { runDispatcher } from '../messages.ts';
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
  markDispatcherPaused,
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
  readonly attemptsBefore: number;
};

/** The next attempts at an endpoint, beside those under way. When there is nothing to do, its lane goes idle. */
export async function claimAttempts(
  tx: Tx,
  webhookId: WebhookId,
  inFlight: readonly Attempt[],
  deps: AttemptDeps,
): Promise<readonly Attempt[]> {
  const eventIds = inFlight.map(({ payload: letter }) => letter.eventId);
  // The lane is locked before anything is looked for: whoever adds something later finds it idle, and tells it again.
  const [dispatcher, sealedWebhook, due] = await Promise.all([
    lockDispatcher(tx, webhookId),
    findSealedWebhook(tx, tx.orgId, webhookId),
    findDueWebhookDeliveries(tx, webhookId, eventIds, remainingAttemptSlots(inFlight.length)),
  ]);
  const isIdle = sealedWebhook === undefined || isDispatcherPaused(dispatcher, tx.realNow);
  const attempts = isIdle ? [] : buildAttempts(tx, sealedWebhook, due, deps);
  if (attempts.length > 0) markDispatcherRunning(tx, webhookId);
  else if (inFlight.length === 0)
    await stopDispatcher(tx, webhookId, dispatcher, sealedWebhook?.webhook.status);
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
  return due.map(({ event, attemptId, attempts }) => ({
    url: webhook.url,
    payload: {
      eventId: event.id,
      type: event.type,
      attemptId,
      body: Buffer.from(JSON.stringify(presentEvent(environment, event))),
    },
    secrets,
    attemptsBefore: attempts,
  }));
}

/** An unverified endpoint keeps what it is owed until it is verified again. */
async function stopDispatcher(
  tx: Tx,
  webhookId: WebhookId,
  dispatcher: WebhookDispatcher | undefined,
  status: WebhookStatus | undefined,
): Promise<void> {
  const isOver = status === undefined || status === 'disabled';
  if (isOver && (await markPendingUndelivered(tx, webhookId))) {
    markDispatcherRunning(tx, webhookId);
    enqueueMessage(tx, runDispatcher(tx.orgId, webhookId));
  } else if (status === undefined) {
    deleteDispatcher(tx, webhookId);
  } else {
    markDispatcherIdle(tx, webhookId);
    // A timer of its own ends the pause.
    if (isDispatcherPaused(dispatcher, tx.realNow)) return;
    const retryAt = status === 'verified' ? await findNextRetryAt(tx, webhookId) : undefined;
    if (retryAt !== undefined) await scheduleRetry(tx, webhookId, dispatcher, retryAt);
  }
}

/** One timer for the next retry. It may be late, and wait until the lane is free; begun, it is of no more use. */
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
  const id = setTimer(tx, retryAt, runDispatcher(tx.orgId, webhookId));
  updateRetryTimer(tx, webhookId, { id, at: retryAt });
}

type FinishedAttempt = Executed<Attempt, AttemptOutcome | Unsent>;
type SentAttempt = Executed<Attempt, AttemptOutcome>;

const wasSent = (ended: FinishedAttempt): ended is SentAttempt => !isUnsent(ended.result);

/** What came of them. What could not be sent for reasons of ours stays due, with the attempts it has. */
export async function recordAttempts(
  tx: Tx,
  webhookId: WebhookId,
  done: readonly FinishedAttempt[],
): Promise<void> {
  const made = done.filter(wasSent);
  if (made.length > 0) await recordSentAttempts(tx, webhookId, made);
  if (made.length < done.length) await pauseDispatcher(tx, webhookId);
}

/** However many fail at once, it is one pause: those that follow find the lane paused. */
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
  made: readonly SentAttempt[],
): Promise<void> {
  const all = made.map(({ item, result: got }) => settleAttempt(tx, webhookId, item, got));
  applySettledAttempts(tx, all);
  // The webhook before its lane, as everybody who locks both.
  await recordHealth(
    tx,
    webhookId,
    made.map(({ result: got }) => got),
  );
  const [retryAt] = all.flatMap((each) => each.retryAt ?? []).toSorted(earlierFirst);
  // At once: another attempt that hangs may keep the lane for long, and the sandbox's clock moves on meanwhile.
  if (retryAt !== undefined)
    await scheduleRetry(tx, webhookId, await lockDispatcher(tx, webhookId), retryAt);
}

const earlierFirst = (a: Date, b: Date): number => a.getTime() - b.getTime();

async function recordHealth(
  tx: Tx,
  webhookId: WebhookId,
  outcomes: readonly AttemptOutcome[],
): Promise<void> {
  const seen = await findWebhook(tx, tx.orgId, webhookId);
  if (seen === undefined || healthAfter(seen, outcomes, tx.now) === seen) return;
  const webhook = await lockWebhook(tx, webhookId);
  if (webhook === undefined) return;
  const next = healthAfter(webhook, outcomes, tx.now);
  if (next === webhook) return;
  updateHealth(tx, next);
  if (next.status === 'disabled') appendEvent(tx, webhookDisabled(next));
}

const randomRange = 2 ** 32;
const randomFraction = (): number => randomInt(randomRange) / randomRange;

/** The longest pause has long been reached. */
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
  const ended = isSuccessful(outcome) ? 'delivered' : 'undelivered';
  return {
    ...outcome,
    webhookId,
    eventId: attempt.payload.eventId,
    id: attempt.payload.attemptId,
    nextAttemptId: retryAt === null ? null : tx.newId('att'),
    number,
    retryAt,
    status: retryAt === null ? ended : 'pending',
  };
}

/** How it fares; the same webhook where nothing changes, so that it is seldom written. */
function healthAfter(webhook: Webhook, outcomes: readonly AttemptOutcome[], now: Date): Webhook {
  if (outcomes.some(isSuccessful)) {
    return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null };
  }
  if (webhook.failingSince === null) return { ...webhook, failingSince: now };
  return webhook.status === 'verified' && hasFailedTooLong(webhook, now)
    ? { ...webhook, status: 'disabled', updatedAt: now }
    : webhook;
}
