/** What a worker does by itself: registers, asks for what is due or forgotten, and watches the engine. */

import type { Logger } from 'pino';
import { dispatchResumedStores } from '../delivery/commands/dispatch-resumed-stores.ts';
import { requeueStaleAnswers } from '../delivery/commands/record-answers.ts';
import type { Clock } from '../kernel/clock.ts';
import { minuteMs } from '../kernel/duration.ts';
import type { NewId } from '../kernel/ids.ts';
import { isClockInSync } from '../platform/db/clock-skew.ts';
import type { Database } from '../platform/db/database.ts';
import { createDeploymentReaper } from '../platform/engine/deployments.ts';
import { registerDeployment } from '../platform/engine/endpoint.ts';
import { checkEngineHealth, reportEngineHealth } from '../platform/engine/engine-health.ts';
import type { Ingress } from '../platform/engine/ingress.ts';
import { enqueueDueSlots } from '../platform/engine/schedules.ts';
import { expediteFiringTimers, reconcileTimers } from '../platform/engine/timers.ts';
import { upkeepSchedules } from '../platform/engine/upkeep.ts';
import { requeueStaleWebhooks } from '../webhooks/commands/requeue-stale-webhooks.ts';
import type { WorkerConfig } from './config/worker.ts';
import { refuseOtherEngine } from './environment-guard.ts';
import { runLoop } from './run-loop.ts';

const reconcileEveryMs = 5_000;
const slotsEveryMs = 10_000;

/** Again and again: an engine that lost its disk has forgotten its workers. */
const registerEveryMs = 5_000;
const examineEveryMs = 30_000;
const renewScratchEveryMs = 10 * minuteMs;
const reapDeploymentsEveryMs = 10_000;

type WorkerLoopDeps = {
  readonly config: WorkerConfig;
  /** Where the engine reaches this release of the worker. */
  readonly uri: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly ingress: Ingress;
  /** Tells the workers of other containers that this one's scratch folder is in use. */
  readonly renewScratch: () => Promise<void>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
};

/** Each goes on until the signal; then all of them end. */
export function startWorkerLoops(deps: WorkerLoopDeps): readonly Promise<void>[] {
  const { config, uri, db, clock, newId, ingress, renewScratch, logger, signal } = deps;
  const { engineAdminUrl, environment } = config;
  let isKnown = false;
  let hasWaited = false;
  const freeDeadDeployments = createDeploymentReaper(engineAdminUrl, logger);
  /** By a wrong clock it would ask for what is not due, and for nothing else until that date. */
  const mayAsk = () => isClockInSync(db.withoutTenant, clock);
  const loop = (name: string, everyMs: number, work: () => Promise<number | void>) =>
    runLoop({ name, everyMs, logger, signal }, work);
  return [
    loop('reconciler', reconcileEveryMs, async () => {
      if (!(await mayAsk())) return 0;
      const intake = { db, clock, newId };
      const rounds = [
        reconcileTimers(db, clock),
        requeueStaleAnswers(intake),
        dispatchResumedStores(intake),
        requeueStaleWebhooks(intake),
      ];
      return (await Promise.all(rounds)).reduce((sum, found) => sum + found, 0);
    }),
    loop('registration', registerEveryMs, async () => {
      await refuseOtherEngine(config, environment);
      await registerDeployment(engineAdminUrl, uri);
      if (!isKnown) logger.info({ uri }, 'working');
      isKnown = true;
    }),
    loop('schedules', slotsEveryMs, async () => {
      if (isKnown && (await mayAsk())) await enqueueDueSlots(ingress, upkeepSchedules, clock);
    }),
    loop('scratch folder', renewScratchEveryMs, renewScratch),
    loop('engine watch', examineEveryMs, async () => {
      // The first round is skipped until the engine knows this worker: canaries need its handlers. Later rounds run
      // even if registration keeps failing.
      if (isKnown || hasWaited)
        reportEngineHealth(logger, await checkEngineHealth(ingress, engineAdminUrl));
      hasWaited = true;
    }),
    loop('deployment watch', reapDeploymentsEveryMs, async () => {
      if (isKnown && (await freeDeadDeployments()) > 0) await expediteFiringTimers(db, clock);
    }),
  ];
}
