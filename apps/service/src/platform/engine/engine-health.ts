/**
 * Watches the engine from outside: canaries (empty invocations over all of its partitions that must be answered in
 * 5 s), and counts of the invocations that it has paused, keeps retrying, or has waiting for their key.
 */

import type { Logger } from 'pino';
import {
  engineAdminUp,
  pausedInvocations,
  queuedInvocations,
  silentCanaries,
  strugglingInvocations,
} from '../telemetry/instruments.ts';
import { queryEngine } from './admin.ts';
import type { Ingress } from './ingress.ts';
import type { Workflow } from './workflow.ts';

const service = 'canary';
/** Keys are spread over partitions by hash: 96 keys reach each of 24 partitions with near certainty. */
const canaries = 96;
const answerWithinMs = 5_000;
/** From this many retries on, the pauses are longer than a second. */
const manyRetries = 5;

export const canaryWorkflow: Workflow = { service, handlers: { ping: async () => undefined } };

type InvocationCounts = {
  readonly paused: number;
  /** Failed many times, and waiting to be retried. */
  readonly struggling: number;
  /** Waiting for an earlier invocation with the same key. */
  readonly queued: number;
};

export type EngineHealth = {
  readonly silentCanaries: number;
  /** Undefined if the admin API does not answer; the canaries are counted all the same. */
  readonly invocations: InvocationCounts | undefined;
};

export async function checkEngineHealth(ingress: Ingress, adminUrl: string): Promise<EngineHealth> {
  const [pings, invocations] = await Promise.all([
    Promise.allSettled(
      Array.from({ length: canaries }, (_, i) =>
        ingress.call({ service, key: String(i), handler: 'ping' }, answerWithinMs),
      ),
    ),
    countInvocations(adminUrl).catch(() => undefined),
  ]);
  return {
    silentCanaries: pings.filter(({ status }) => status === 'rejected').length,
    invocations,
  };
}

async function countInvocations(adminUrl: string): Promise<InvocationCounts> {
  const [row] = await queryEngine<InvocationCounts>(
    adminUrl,
    `select count(*) filter (where status = 'paused') as paused,
            count(*) filter (where status = 'backing-off' and retry_count >= ${manyRetries}) as struggling,
            count(*) filter (where status = 'pending') as queued
       from sys_invocation where status in ('paused', 'backing-off', 'pending')`,
  );
  return row ?? { paused: 0, struggling: 0, queued: 0 };
}

/** Alerts are based on these metrics; the log lines say the same. */
export function reportEngineHealth(
  logger: Logger,
  { silentCanaries: silent, invocations }: EngineHealth,
): void {
  silentCanaries().record(silent);
  if (silent > 0) logger.error({ silent, canaries }, 'the engine is silent');
  engineAdminUp().record(invocations === undefined ? 0 : 1);
  if (invocations === undefined) {
    logger.error("the engine's admin API does not answer");
    return;
  }
  pausedInvocations().record(invocations.paused);
  strugglingInvocations().record(invocations.struggling);
  queuedInvocations().record(invocations.queued);
  if (invocations.paused > 0) logger.error(invocations, 'the engine has paused invocations');
}
