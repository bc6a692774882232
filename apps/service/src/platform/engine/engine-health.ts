/**
 * Watching the engine from outside: canaries, small invocations over all of its partitions that must be
 * answered within seconds, and a look for invocations it has paused or tries again and again, which nobody
 * else would notice.
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
/** Keys are spread over partitions by hash; so many reach each of 24 with near certainty. */
const canaries = 96;
const answerWithinMs = 5_000;
/** After so many attempts, trying again has stopped being a matter of moments. */
const manyRetries = 5;

export const canaryWorkflow: Workflow = { service, handlers: { ping: async () => undefined } };

type StuckInvocationCounts = {
  readonly paused: number;
  /** Tried many times already, and waiting to be tried again. */
  readonly struggling: number;
};

export type EngineHealth = {
  readonly silentCanaries: number;
  /** Undefined where the admin API does not answer: the canaries count all the same. */
  readonly stuckInvocations: StuckInvocationCounts | undefined;
};

export async function checkEngineHealth(ingress: Ingress, adminUrl: string): Promise<EngineHealth> {
  const [songs, struggles] = await Promise.all([
    Promise.allSettled(
      Array.from({ length: canaries }, (_, i) =>
        ingress.call({ service, key: String(i), handler: 'ping' }, answerWithinMs),
      ),
    ),
    countStuckInvocations(adminUrl).catch(() => undefined),
  ]);
  return {
    silentCanaries: songs.filter(({ status }) => status === 'rejected').length,
    stuckInvocations: struggles,
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

/** An operator is woken by these lines, or by the metrics beside them. */
export function reportEngineHealth(
  logger: Logger,
  { silentCanaries: silent, stuckInvocations: struggles }: EngineHealth,
): void {
  silentCanaries().record(silent);
  if (silent > 0) logger.error({ silent, canaries }, 'the engine is silent');
  engineAdminUp().record(struggles === undefined ? 0 : 1);
  if (struggles === undefined) {
    logger.error("the engine's admin API does not answer");
    return;
  }
  pausedInvocations().record(struggles.paused);
  strugglingInvocations().record(struggles.struggling);
  if (struggles.paused > 0) logger.error(struggles, 'the engine has paused invocations');
}
