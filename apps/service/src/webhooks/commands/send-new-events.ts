/**
 * Sends new events to idle, healthy endpoints, without a run of the engine (ADR 0055):
 *
 *   1. one transaction for many organizations: new events become webhook deliveries, dispatchers are taken
 *   2. the requests, outside any transaction
 *   3. one transaction for all that were delivered within a few milliseconds
 *
 * An attempt that failed is recorded in a transaction of its organization, and its dispatcher handed to the engine,
 * which retries. A worker that dies between 1 and 3 leaves dispatchers whose lease ends: the engine sends their
 * deliveries again, with the same ids.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { workflowOwner } from '../../kernel/actor.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Executed } from '../../platform/engine/concurrent-side-effects.ts';
import { enqueueMessage, enqueueMessages } from '../../platform/engine/outbox.ts';
import {
  type AttemptOutcome,
  isSlow,
  isSuccessful,
  isUnsent,
  type Unsent,
} from '../domain/attempt.ts';
import { enterpriseTypes } from '../domain/webhook.ts';
import { runDispatcher, webhookDispatcherService } from '../messages.ts';
import {
  type DispatcherKey,
  fanOutRound,
  hasEventsToFanOut,
  queueDirectDispatcher,
  renewLeases,
  settleDirectSends,
  type TakenAttempt,
} from '../store/direct-sends.ts';
import { type Attempt, type AttemptDeps, buildAttempt, recordAttempts } from './make-attempts.ts';
import { openSecrets } from './secrets.ts';
import { type SendDeps, sendAttempt } from './send-attempt.ts';

/** Each organization is a savepoint: beyond 64 of them, PostgreSQL's snapshots become slow. */
const organizationsPerRound = 50;
/** Of this process. While endpoints hang, further ones are left to the engine. */
const attemptsInFlightMax = 256;
/** More events of one endpoint are cheaper in a run of the engine, which records them together. */
const attemptsPerEndpoint = 4;
/** Requests that end within this time after the first are recorded together with it. */
const settleBatchMs = 10;

export type DirectSenderDeps = AttemptDeps &
  SendDeps & {
    readonly db: Database;
    readonly newId: NewId;
    readonly logger: Pick<Logger, 'error'>;
  };

export type DirectSender = {
  /** Takes new events and starts to send them. Returns how many attempts it started. */
  readonly takeNext: () => Promise<number>;
  /** To be called every few seconds: without it the leases of slow endpoints end. */
  readonly renew: () => Promise<void>;
  /** Until everything that was taken is recorded. */
  readonly drain: () => Promise<void>;
};

type Finished = Executed<Attempt, AttemptOutcome | Unsent>;
/**
 * The attempts of one dispatcher. `waitsSince`: when the first request left, after it was admitted; infinity before, and
 * when all are answered: an endpoint is not slow because PostgreSQL takes long to record what it answered.
 */
type Send = DispatcherKey & { readonly attempts: readonly Attempt[]; waitsSince: number };
type FinishedSend = { readonly send: Send; readonly finished: readonly Finished[] };

export function createDirectSender(deps: DirectSenderDeps): DirectSender {
  const { db, clock, logger } = deps;
  /** Until they are recorded. */
  const inFlight = new Set<Send>();
  let finishedSends: FinishedSend[] = [];
  let settling: Promise<void> | undefined;

  const settleGathered = async (): Promise<void> => {
    await wait(settleBatchMs);
    const batch = finishedSends;
    finishedSends = [];
    const failures = await settle(deps, batch);
    for (const error of failures) {
      // The lease ends, and the engine sends these again.
      logger.error({ err: error }, 'an attempt at a webhook could not be recorded');
    }
    for (const { send } of batch) inFlight.delete(send);
  };
  const scheduleSettling = (): void => {
    settling ??= settleGathered().finally(() => {
      settling = undefined;
      if (finishedSends.length > 0) scheduleSettling();
    });
  };
  const startSend = async (send: Send): Promise<void> => {
    const finished = await Promise.all(
      send.attempts.map(async (item) => ({
        item,
        result: await sendAttempt(deps, send.orgId, item, undefined, () => {
          send.waitsSince = Math.min(send.waitsSince, performance.now());
        }),
      })),
    );
    send.waitsSince = Infinity;
    finishedSends.push({ send, finished });
    scheduleSettling();
  };

  return {
    takeNext: async () => {
      if (!(await hasEventsToFanOut(db.withoutTenant))) return 0;
      const attempts = await takeAttempts(deps, attemptsInFlightMax - countAttempts(inFlight));
      for (const send of toSends(deps, attempts)) {
        inFlight.add(send);
        startSend(send).catch((error: unknown) => {
          logger.error({ err: error }, 'a webhook could not be sent; its lease ends');
          inFlight.delete(send);
        });
      }
      return attempts.length;
    },
    renew: async () => {
      const held = [...inFlight].map(({ orgId, webhookId, waitsSince }) => ({
        orgId,
        webhookId,
        isSlow: isSlow(performance.now() - waitsSince),
      }));
      if (held.length > 0) await renewLeases(db.withoutTenant, clock.now(), held);
    },
    drain: async () => {
      while (inFlight.size > 0) await wait(1);
    },
  };
}

const countAttempts = (sends: Iterable<Send>): number =>
  [...sends].reduce((sum, { attempts }) => sum + attempts.length, 0);

function takeAttempts(
  { db, newId, clock }: DirectSenderDeps,
  attemptsMax: number,
): Promise<readonly TakenAttempt[]> {
  return db.transactWithoutTenant(async (outside) => {
    const { attempts, queued } = await fanOutRound(outside, clock.now(), {
      organizations: organizationsPerRound,
      attempts: attemptsMax,
      attemptsPerEndpoint,
      enterpriseTypes,
    });
    if (queued.length > 0) await enqueueMessages(outside, newId, queued.map(messageOf));
    return attempts;
  });
}

const messageOf = ({ orgId, webhookId }: DispatcherKey) => runDispatcher(orgId, webhookId);

function toSends(deps: DirectSenderDeps, attempts: readonly TakenAttempt[]): readonly Send[] {
  return [...Map.groupBy(attempts, ({ webhookId }) => webhookId).values()].flatMap((ofWebhook) => {
    const [first] = ofWebhook;
    if (first === undefined) return [];
    const { orgId, webhookId, url, sealed } = first;
    const secrets = openSecrets(deps.keyring, orgId, webhookId, sealed, deps.clock.now());
    const toAttempt = ({ event, attemptId }: TakenAttempt): Attempt =>
      buildAttempt(deps.environment, { url, secrets }, { ...firstAttempt, event, attemptId });
    return [{ orgId, webhookId, attempts: ofWebhook.map(toAttempt), waitsSince: Infinity }];
  });
}

const firstAttempt = { attempts: 0, earlierAttempts: 0, redeliveries: 0 } as const;

/** An endpoint that was slow keeps its mark until it answers in time: `recordAttempts` decides that. */
const isDelivered = ({ result }: Finished): boolean =>
  !isUnsent(result) && isSuccessful(result) && !isSlow(result.durationMs);

/** Returns why some could not be recorded. */
async function settle(deps: DirectSenderDeps, batch: readonly FinishedSend[]): Promise<unknown[]> {
  const { delivered = [], others = [] } = Object.groupBy(batch, ({ finished }) =>
    finished.every(isDelivered) ? 'delivered' : 'others',
  );
  const failures: unknown[] = [];
  const attempt = (work: Promise<void>) => work.catch((error: unknown) => failures.push(error));
  await settleDelivered(deps, delivered).catch(async () => {
    // One record that PostgreSQL refuses must not hold up the others.
    for (const each of delivered) await attempt(settleDelivered(deps, [each]));
  });
  for (const each of others) await attempt(recordAndQueue(deps, each));
  return failures;
}

async function settleDelivered(
  { db, clock, newId }: DirectSenderDeps,
  sends: readonly FinishedSend[],
): Promise<void> {
  const delivered = sends.flatMap(({ send: { orgId, webhookId }, finished }) =>
    finished.map(({ item, result }) => ({
      orgId,
      webhookId,
      eventId: item.payload.eventId,
      attemptId: item.payload.attemptId,
      nextAttemptId: newId('att'),
      outcome: result as AttemptOutcome,
    })),
  );
  if (delivered.length === 0) return;
  await db.transactWithoutTenant(async (outside) => {
    const queued = await settleDirectSends(outside, clock.now(), delivered);
    if (queued.length > 0) await enqueueMessages(outside, newId, queued.map(messageOf));
  });
}

/** The engine does what follows a failure: retries, a pause, or nothing. */
async function recordAndQueue(
  { db }: DirectSenderDeps,
  { send: { orgId, webhookId }, finished }: FinishedSend,
): Promise<void> {
  await db.transact(workflowOwner(orgId, webhookDispatcherService), async (tx) => {
    await recordAttempts(tx, webhookId, finished);
    if (await queueDirectDispatcher(tx, webhookId))
      enqueueMessage(tx, runDispatcher(orgId, webhookId));
  });
}
