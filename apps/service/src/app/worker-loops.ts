/** The loops of a worker: registration, reconciler, schedules, and watches over the engine. */

import type { Logger } from 'pino';
import { dispatchResumedStores } from '../delivery/commands/dispatch-resumed-stores.ts';
import { requeueStaleAnswers } from '../delivery/commands/record-answers.ts';
import { acknowledgementSchedules } from '../delivery/workflows/acknowledgements.ts';
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
import { reportIntakeSchedules } from '../royalties/workflows/report-intake.ts';
import { requeueStaleWebhooks } from '../webhooks/commands/requeue-stale-webhooks.ts';
import type { DirectSender } from '../webhooks/commands/send-new-events.ts';
import { expediteRunningDispatchers } from '../webhooks/store/webhook-dispatchers.ts';
import type { WorkerConfig } from './config/worker.ts';
import { refuseOtherEngine } from './environment-guard.ts';
import { runLoop } from './run-loop.ts';

const reconcileEveryMs = 5_000;
const slotsEveryMs = 10_000;
/** The pause between two rounds: events that are numbered meanwhile are taken together. */
const takeEventsEveryMs = 20;
/** A round of this many attempts leaves more behind: the next one follows at once. */
const attemptsOfLargeRound = 50;
/** Several times within a lease. */
const renewLeasesEveryMs = 3_000;

/** Repeated, because an engine that lost its disk has lost its registrations. */
const registerEveryMs = 5_000;
const checkHealthEveryMs = 30_000;
const renewScratchEveryMs = 10 * minuteMs;
const reapDeploymentsEveryMs = 10_000;

type WorkerLoopDeps = {
  readonly config: WorkerConfig;
  /** The address of this release of the worker, for the engine. */
  readonly uri: string;
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly ingress: Ingress;
  readonly directSender: DirectSender;
  /** Marks the scratch folder as in use, so that workers of other containers do not remove it. */
  readonly renewScratch: () => Promise<void>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
};

/** They run until the signal is aborted. */
export function startWorkerLoops(deps: WorkerLoopDeps): readonly Promise<void>[] {
  const { config, uri, db, clock, newId, ingress, directSender, renewScratch, logger, signal } =
    deps;
  const { engineAdminUrl, environment } = config;
  let isRegistered = false;
  let hasSkippedRound = false;
  // In the sandbox a report belongs to a partner, and files that a store sends belong to none.
  const intakeSchedules = environment === 'live' ? reportIntakeSchedules : [];
  const reapDeployments = createDeploymentReaper(engineAdminUrl, logger);
  /** With a wrong clock it would requeue rows that are not stale, and move their `recheck_at` to that date. */
  const isInSync = () => isClockInSync(db.withoutTenant, clock);
  const loop = (name: string, everyMs: number, work: () => Promise<number | void>) =>
    runLoop({ name, everyMs, logger, signal }, work);
  return [
    loop('reconciler', reconcileEveryMs, async () => {
      if (!(await isInSync())) return 0;
      const reconciler = { db, clock, newId };
      const rounds = [
        reconcileTimers(db, clock),
        requeueStaleAnswers(reconciler),
        dispatchResumedStores(reconciler),
        requeueStaleWebhooks(reconciler),
      ];
      return (await Promise.all(rounds)).reduce((sum, requeued) => sum + requeued, 0);
    }),
    loop('direct sender', takeEventsEveryMs, async () => {
      const taken = await directSender.takeNext();
      return taken >= attemptsOfLargeRound ? taken : 0;
    }),
    loop('leases of direct sends', renewLeasesEveryMs, directSender.renew),
    loop('registration', registerEveryMs, async () => {
      await refuseOtherEngine(config, environment);
      await registerDeployment(engineAdminUrl, uri);
      if (!isRegistered) logger.info({ uri }, 'working');
      isRegistered = true;
    }),
    loop('schedules', slotsEveryMs, async () => {
      if (isRegistered && (await isInSync()))
        await enqueueDueSlots(
          ingress,
          [...upkeepSchedules, ...acknowledgementSchedules, ...intakeSchedules],
          clock,
        );
    }),
    loop('scratch folder', renewScratchEveryMs, renewScratch),
    loop('engine watch', checkHealthEveryMs, async () => {
      // The first round is skipped until the engine knows this worker: canaries need its handlers. Later rounds run
      // even if registration keeps failing.
      if (isRegistered || hasSkippedRound)
        reportEngineHealth(logger, await checkEngineHealth(ingress, engineAdminUrl));
      hasSkippedRound = true;
    }),
    loop('deployment watch', reapDeploymentsEveryMs, async () => {
      if (!isRegistered || (await reapDeployments()) === 0) return;
      await expediteFiringTimers(db, clock);
      await expediteRunningDispatchers(db.withoutTenant, clock.now());
    }),
  ];
}
