/** The worker role: serves the engine's handlers, and runs the loops that schedule and re-check work. */

import { once } from 'node:events';
import type { ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { assetWorkflow } from '../assets/workflows/assets.ts';
import { reviewWorkflow } from '../catalog/workflows/reviews.ts';
import { ddexConnector } from '../delivery/commands/ddex-connector.ts';
import type { ReceiveDeps } from '../delivery/commands/record-acknowledgement.ts';
import { openSchemas } from '../delivery/connectors/ddex/schemas.ts';
import { findStoreHoldings, type StoreConnector } from '../delivery/face.ts';
import { removeSettledJobs } from '../delivery/store/jobs.ts';
import { acknowledgementWorkflow } from '../delivery/workflows/acknowledgements.ts';
import { deliveryWorkflows } from '../delivery/workflows/deliveries.ts';
import { jobWorkflow } from '../delivery/workflows/jobs.ts';
import { systemClock } from '../kernel/clock.ts';
import { openHttpRail } from '../money/connectors/http-rail.ts';
import { reviewEveryPayout } from '../money/connectors/screening.ts';
import { payoutScheduleWorkflow } from '../money/workflows/payout-schedules.ts';
import { payoutVerificationWorkflow } from '../money/workflows/payout-verifications.ts';
import { payoutWorkflow } from '../money/workflows/payouts.ts';
import { createKeyring, type Keyring } from '../platform/crypto/keyring.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { observeClockSkew } from '../platform/db/clock-skew.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { createEndpoint } from '../platform/engine/endpoint.ts';
import { canaryWorkflow } from '../platform/engine/engine-health.ts';
import { environmentWorkflow } from '../platform/engine/environment.ts';
import { openIngress } from '../platform/engine/ingress.ts';
import { upkeepWorkflow } from '../platform/engine/upkeep.ts';
import { TerminalFailure, type Workflow } from '../platform/engine/workflow.ts';
import { openOutbound } from '../platform/outbound/post.ts';
import { withoutNetwork } from '../platform/process/no-network.ts';
import { openScratch } from '../platform/process/scratch.ts';
import { openStorage } from '../platform/storage/open-storage.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { reportIntakeWorkflow } from '../royalties/workflows/report-intake.ts';
import { reportWorkflow } from '../royalties/workflows/reports.ts';
import { runWorkflow } from '../royalties/workflows/runs.ts';
import { simulatePayment, simulateScreening } from '../sandbox/commands/simulate-payouts.ts';
import { simulatedStore } from '../sandbox/commands/simulate-store.ts';
import { catalogueWorkflow } from '../sandbox/workflows/catalogues.ts';
import { clockWorkflow } from '../sandbox/workflows/clocks.ts';
import { royaltyWorkflow } from '../sandbox/workflows/royalties.ts';
import { createDirectSender } from '../webhooks/commands/send-new-events.ts';
import { postEventThrough } from '../webhooks/connectors/post-event.ts';
import { type WebhookWorkDeps, webhookWorkflows } from '../webhooks/workflows/webhooks.ts';
import type { WorkerConfig } from './config/worker.ts';
import {
  awaitOwnDatabase,
  awaitClockInSync,
  refuseOtherBucket,
  refuseOtherEngineIfThere,
} from './environment-guard.ts';
import { onShutdown } from './shutdown.ts';
import { observeStores } from './store-metrics.ts';
import { startWorkerLoops } from './worker-loops.ts';
import { observeWorker } from './worker-metrics.ts';

const connectionsMax = 36;
/** Fewer than `connectionsMax`: the reconciler and upkeep need connections too. */
const stepsAtOnce = 32;
const attemptTimeoutMs = 30_000; // spec §6
/** How long a worker that is shut down waits for its direct sends. */
const drainMs = 5_000;

/** All handlers of this release. */
const buildWorkflows = (
  { environment, payoutRailUrl, bucketRowsMax }: WorkerConfig,
  keyring: Keyring,
  webhookDeps: WebhookWorkDeps,
  db: Database,
  storage: Storage,
  scratchFolder: string,
  ddex: ReceiveDeps,
  logger: Logger,
): readonly Workflow[] => [
  upkeepWorkflow(db, [removeSettledJobs]),
  canaryWorkflow,
  assetWorkflow({ storage, scratchFolder }),
  reviewWorkflow,
  ...deliveryWorkflows({
    simulated: environment === 'sandbox' ? simulatedStore : noStore,
    ddex: ddexConnector(ddex),
  }),
  acknowledgementWorkflow(ddex),
  jobWorkflow,
  ...webhookWorkflows(webhookDeps),
  payoutWorkflow({
    keyring,
    ...(environment === 'sandbox'
      ? {
          rail: { ...openHttpRail(payoutRailUrl), simulate: simulatePayment },
          screen: simulateScreening,
        }
      : { rail: openHttpRail(payoutRailUrl), screen: reviewEveryPayout }),
  }),
  runWorkflow({ storage, scratchFolder, db, bucketRowsMax, logger }),
  payoutVerificationWorkflow,
  payoutScheduleWorkflow(environment === 'sandbox' ? simulateScreening : reviewEveryPayout),
  reportWorkflow({
    storage,
    scratchFolder,
    findHoldings: (query) => findStoreHoldings(db.withoutTenant, query),
    db,
    clock: systemClock,
  }),
  reportIntakeWorkflow({ storage, scratchFolder, newId: createIds(systemClock), logger }),
  ...(environment === 'sandbox'
    ? [clockWorkflow, catalogueWorkflow(storage), royaltyWorkflow({ storage, scratchFolder })]
    : []),
  environmentWorkflow(environment),
];

/** There are no fictional stores in live. */
const refuseToSend = () =>
  Promise.reject(new TerminalFailure('fictional stores exist in the sandbox only'));
const noStore: StoreConnector = { send: refuseToSend, takeDown: refuseToSend };

/** Logged once, when the worker starts. */
async function reportNetwork(logger: Logger): Promise<void> {
  if ((await withoutNetwork()).length > 0) return;
  logger.warn('decoders are not cut off from the network: unshare --user --net is not allowed');
}

export async function runWorker(config: WorkerConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const clock = systemClock;
  const newId = createIds(clock);
  const db = openDatabase({
    url: config.workerDatabaseUrl,
    connectionsMax,
    clock,
    newId,
    onIdleError: ({ message }) => logger.warn({ reason: message }, 'an idle connection was lost'),
  });
  const { environment, identityKeys, version } = config;
  await awaitOwnDatabase(db, 'TONEARM_WORKER_DATABASE_URL', { environment, logger });
  observeClockSkew(db.withoutTenant, clock);
  await awaitClockInSync(db, clock, logger);
  await refuseOtherEngineIfThere(config, environment);
  const ingress = openIngress(config.engineIngressUrl);
  const keyring = createKeyring(config.keys);
  const storage = openStorage(config.storage, { keyring, clock });
  await refuseOtherBucket(storage, config, logger);
  const scratch = await openScratch(config.scratchFolder);
  await reportNetwork(logger);
  const isLive = environment === 'live';
  const schemas = openSchemas(config.ddexSchemaFolder, { isLive, logger });
  const ddex = { db, storage, keyring, clock, newId, ...schemas, logger };
  const webhookDeps = {
    keyring,
    environment,
    clock,
    post: postEventThrough(openOutbound({ policy: config.outbound }), attemptTimeoutMs),
  };
  const workflows = buildWorkflows(
    config,
    keyring,
    webhookDeps,
    db,
    storage,
    scratch.folder,
    ddex,
    logger,
  );
  const directSender = createDirectSender({ ...webhookDeps, db, newId, logger });
  observeWorker({ db, clock, scratchFolder: scratch.folder });
  observeStores({ db, clock });
  const endpoint = createEndpoint({
    db,
    workflows,
    version,
    identityKeys,
    stepsAtOnce,
    logger,
  });
  const sessions = new Set<ServerHttp2Session>();
  endpoint.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  endpoint.listen(config.port, config.host);
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  const uri = `${config.publicUrl ?? `http://${config.host}:${port}`}/${version}`;

  const shutdown = new AbortController();
  const { signal } = shutdown;
  const loops = startWorkerLoops({
    config,
    uri,
    db,
    clock,
    newId,
    ingress,
    directSender,
    renewScratch: scratch.renew,
    logger,
    signal,
  });
  onShutdown(async (name) => {
    logger.info({ signal: name }, 'shutting down');
    shutdown.abort();
    await Promise.all(loops);
    // What has not ended by then is sent again by the engine, when its lease has ended.
    await Promise.race([directSender.drain(), wait(drainMs)]);
    // This cuts handlers in flight; the engine runs them again on another worker.
    endpoint.close();
    for (const session of sessions) session.destroy();
    await Promise.all([ingress, db, storage].map((closeable) => closeable.close()));
    await scratch.remove();
    logger.info('shut down');
  });
}
