/** Attempts to bring an endpoint what it is owed: which are made now, and what becomes of them. */
import { addMs } from '../../kernel/duration.ts';
import { randomInt } from 'node:crypto';
import type { Environment } from '../../kernel/environment.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import type { Executed } from '../../platform/engine/side-effects.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import {
  cancelTimer,
  isTimerWaiting,
  setRealTimer,
  setTimer,
} from '../../platform/engine/timers.ts';
import type { Letter, Secrets } from '../connectors/sign.ts';
import {
  backoff,
  isUnsent,
  type Outcome,
  pauseAfter,
  succeeded,
  type Unsent,
} from '../domain/attempt.ts';
import { presentEvent } from '../domain/event.ts';
import {
  isGivenUp,
  roomBeside,
  type Webhook,
  type WebhookId,
  type WebhookStatus,
} from '../domain/webhook.ts';
import { webhookDisabled } from '../events.ts';
import { runDispatcher } from '../messages.ts';
import { noteAttempts, type Settled } from '../store/attempts.ts';
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
import { type Due, findDue, giveUpOwed, nextRetryAt } from '../store/owed.ts';
import {
  findSender,
  findWebhook,
  lockWebhook,
  type Sender,
  updateHealth,
} from '../store/webhooks.ts';
import { openSecrets } from './secrets.ts';

export type AttemptParts = { readonly keyring: Keyring; readonly environment: Environment };

export type Trip = {
  readonly url: string;
  readonly letter: Letter;
  readonly secrets: Secrets;
  readonly attemptsBefore: number;
};

/** The next attempts at an endpoint, beside those under way. When there is nothing to do, its lane goes idle. */
export async function nextTrips(
  tx: Tx,
  webhookId: WebhookId,
  underway: readonly Trip[],
  parts: AttemptParts,
): Promise<readonly Trip[]> {
  const eventIds = underway.map(({ letter }) => letter.eventId);
  // The lane is locked before anything is looked for: whoever adds something later finds it idle, and tells it again.
  const [lane, sender, due] = await Promise.all([
    lockDispatcher(tx, webhookId),
    findSender(tx, tx.orgId, webhookId),
    findDue(tx, webhookId, eventIds, roomBeside(underway.length)),
  ]);
  const isIdle = sender === undefined || isDispatcherPaused(lane, tx.realNow);
  const trips = isIdle ? [] : tripsOf(tx, sender, due, parts);
  if (trips.length > 0) markDispatcherRunning(tx, webhookId);
  else if (underway.length === 0) await stop(tx, webhookId, lane, sender?.webhook.status);
  return trips;
}

function tripsOf(
  tx: Tx,
  { webhook, sealed }: Sender,
  due: readonly Due[],
  { keyring, environment }: AttemptParts,
): readonly Trip[] {
  if (due.length === 0) return [];
  const secrets = openSecrets(keyring, tx.orgId, webhook.id, sealed, tx.realNow);
  return due.map(({ event, attemptId, attempts }) => ({
    url: webhook.url,
    letter: {
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
async function stop(
  tx: Tx,
  webhookId: WebhookId,
  lane: WebhookDispatcher | undefined,
  status: WebhookStatus | undefined,
): Promise<void> {
  const isOver = status === undefined || status === 'disabled';
  if (isOver && (await giveUpOwed(tx, webhookId))) {
    markDispatcherRunning(tx, webhookId);
    enqueueMessage(tx, runDispatcher(tx.orgId, webhookId));
  } else if (status === undefined) {
    deleteDispatcher(tx, webhookId);
  } else {
    markDispatcherIdle(tx, webhookId);
    // A timer of its own ends the pause.
    if (isDispatcherPaused(lane, tx.realNow)) return;
    const retryAt = status === 'verified' ? await nextRetryAt(tx, webhookId) : undefined;
    if (retryAt !== undefined) await setAlarm(tx, webhookId, lane, retryAt);
  }
}

/** One timer for the next retry. It may be late, and wait until the lane is free; begun, it is of no more use. */
async function setAlarm(
  tx: Tx,
  webhookId: WebhookId,
  lane: WebhookDispatcher | undefined,
  retryAt: Date,
): Promise<void> {
  const alarm = lane?.retryTimer ?? null;
  if (alarm !== null) {
    if (alarm.at <= retryAt && (await isTimerWaiting(tx, alarm.id))) return;
    await cancelTimer(tx, alarm.id);
  }
  const id = setTimer(tx, retryAt, runDispatcher(tx.orgId, webhookId));
  updateRetryTimer(tx, webhookId, { id, at: retryAt });
}

type Ended = Executed<Trip, Outcome | Unsent>;
type Made = Executed<Trip, Outcome>;

const wasMade = (ended: Ended): ended is Made => !isUnsent(ended.result);

/** What came of them. What could not be sent for reasons of ours stays due, with the attempts it has. */
export async function noteTrips(
  tx: Tx,
  webhookId: WebhookId,
  done: readonly Ended[],
): Promise<void> {
  const made = done.filter(wasMade);
  if (made.length > 0) await noteMade(tx, webhookId, made);
  if (made.length < done.length) await pause(tx, webhookId);
}

/** However many fail at once, it is one pause: those that follow find the lane paused. */
async function pause(tx: Tx, webhookId: WebhookId): Promise<void> {
  const lane = await lockDispatcher(tx, webhookId);
  if (lane === undefined || isDispatcherPaused(lane, tx.realNow)) return;
  const ownFailures = Math.min(lane.ownFailures + 1, ownFailuresMax);
  const until = new Date(tx.realNow.getTime() + pauseAfter(ownFailures, thrown()));
  markDispatcherPaused(tx, webhookId, ownFailures, until);
  setRealTimer(tx, until, runDispatcher(tx.orgId, webhookId));
}

async function noteMade(tx: Tx, webhookId: WebhookId, made: readonly Made[]): Promise<void> {
  const all = made.map(({ item, result: got }) => settled(tx, webhookId, item, got));
  noteAttempts(tx, all);
  // The webhook before its lane, as everybody who locks both.
  await noteHealth(
    tx,
    webhookId,
    made.map(({ result: got }) => got),
  );
  const [retryAt] = all.flatMap((each) => each.retryAt ?? []).toSorted(earlierFirst);
  // At once: another attempt that hangs may keep the lane for long, and the sandbox's clock moves on meanwhile.
  if (retryAt !== undefined)
    await setAlarm(tx, webhookId, await lockDispatcher(tx, webhookId), retryAt);
}

const earlierFirst = (a: Date, b: Date): number => a.getTime() - b.getTime();

async function noteHealth(
  tx: Tx,
  webhookId: WebhookId,
  outcomes: readonly Outcome[],
): Promise<void> {
  const seen = await findWebhook(tx, tx.orgId, webhookId);
  if (seen === undefined || after(seen, outcomes, tx.now) === seen) return;
  const webhook = await lockWebhook(tx, webhookId);
  if (webhook === undefined) return;
  const next = after(webhook, outcomes, tx.now);
  if (next === webhook) return;
  updateHealth(tx, next);
  if (next.status === 'disabled') appendEvent(tx, webhookDisabled(next));
}

const throwsMax = 2 ** 32;
const thrown = (): number => randomInt(throwsMax) / throwsMax;

/** The longest pause has long been reached. */
const ownFailuresMax = 100;

function settled(tx: Tx, webhookId: WebhookId, trip: Trip, outcome: Outcome): Settled {
  const number = trip.attemptsBefore + 1;
  const waitMs = succeeded(outcome) ? undefined : backoff(number, outcome, thrown());
  const retryAt = waitMs === undefined ? null : addMs(tx.now, waitMs);
  const ended = succeeded(outcome) ? 'delivered' : 'undelivered';
  return {
    ...outcome,
    webhookId,
    eventId: trip.letter.eventId,
    id: trip.letter.attemptId,
    nextId: retryAt === null ? null : tx.newId('att'),
    number,
    retryAt,
    status: retryAt === null ? ended : 'pending',
  };
}

/** How it fares; the same webhook where nothing changes, so that it is seldom written. */
function after(webhook: Webhook, outcomes: readonly Outcome[], now: Date): Webhook {
  if (outcomes.some(succeeded)) {
    return webhook.failingSince === null ? webhook : { ...webhook, failingSince: null };
  }
  if (webhook.failingSince === null) return { ...webhook, failingSince: now };
  return webhook.status === 'verified' && isGivenUp(webhook, now)
    ? { ...webhook, status: 'disabled', updatedAt: now }
    : webhook;
}
