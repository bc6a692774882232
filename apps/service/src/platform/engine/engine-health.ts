/**
 * Watches the engine from outside: canaries (empty invocations over all of its partitions that must be answered in
 * 5 s), and counts of the invocations that it has paused or keeps retrying.
 */

import type { Logger } from 'pino';
import {
  engineAdminUp,
  pausedInvocations,
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

type StuckInvocationCounts = {
  readonly paused: number;
  /** Failed many times, and waiting to be retried. */
  readonly struggling: number;
};

export type EngineHealth = {
  readonly silentCanaries: number;
  /** Undefined if the admin API does not answer; the canaries are counted all the same. */
  readonly stuckInvocations: StuckInvocationCounts | undefined;
};

export async function checkEngineHealth(ingress: Ingress, adminUrl: string): Promise<EngineHealth> {
  const [pings, stuckInvocations] = await Promise.all([
    Promise.allSettled(
      Array.from({ length: canaries }, (_, i) =>
        ingress.call({ service, key: String(i), handler: 'ping' }, answerWithinMs),
      ),
    ),
    countStuckInvocations(adminUrl).catch(() => undefined),
  ]);
  return {
    silentCanaries: pings.filter(({ status }) => status === 'rejected').length,
    stuckInvocations,
  };
}

async function countStuckInvocations(adminUrl: string): Promise<StuckInvocationCounts> {
  const [row] = await queryEngine<StuckInvocationCounts>(
    adminUrl,
    `select count(*) filter (where status = 'paused') as paused,
            count(*) filter (where status = 'backing-off' and retry_count >= ${manyRetries}) as struggling
       from sys_invocation where status in ('paused', 'backing-off')`,
  );
  return row ?? { paused: 0, struggling: 0 };
}

/** Alerts are based on these metrics; the log lines say the same. */
export function reportEngineHealth(
  logger: Logger,
  { silentCanaries: silent, stuckInvocations: stuck }: EngineHealth,
): void {
  silentCanaries().record(silent);
  if (silent > 0) logger.error({ silent, canaries }, 'the engine is silent');
  engineAdminUp().record(stuck === undefined ? 0 : 1);
  if (stuck === undefined) {
    logger.error("the engine's admin API does not answer");
    return;
  }
  pausedInvocations().record(stuck.paused);
  strugglingInvocations().record(stuck.struggling);
  if (stuck.paused > 0) logger.error(stuck, 'the engine has paused invocations');
}
