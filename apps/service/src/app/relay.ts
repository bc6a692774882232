/** The relay role: numbers committed events and audit rows, and moves committed outbox rows to the engine. */

import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { observeClockSkew } from '../platform/db/clock-skew.ts';
import { openDatabase } from '../platform/db/database.ts';
import { createSequencer } from '../platform/db/sequencer.ts';
import { readBacklog } from '../platform/engine/backlog.ts';
import { openIngress } from '../platform/engine/ingress.ts';
import { createOutboxRelay } from '../platform/engine/outbox-relay.ts';
import { observeBacklog } from '../platform/telemetry/instruments.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import type { RelayConfig } from './config/relay.ts';
import {
  awaitOwnDatabase,
  refuseOtherEngine,
  refuseOtherEngineIfThere,
} from './environment-guard.ts';
import { runLoop } from './run-loop.ts';
import { onShutdown } from './shutdown.ts';

const connectionsMax = 6;
/** How often idle loops poll: the longest time until a new row is processed. */
const idleMs = 50;
/** The pause between two rounds of the sequencer: events that commit meanwhile are numbered together. */
const sequenceEveryMs = 25;
/** A round of this many rows leaves more behind: the next one follows at once. */
const rowsOfLargeRound = 50;
/** How often the sequencer looks for events whose ids carry a time far from now. */
const fullRoundEveryMs = 10_000;

export async function runRelay(config: RelayConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const clock = systemClock;
  const db = openDatabase({
    url: config.relayDatabaseUrl,
    connectionsMax,
    clock,
    newId: createIds(clock),
    onIdleError: ({ message }) => logger.warn({ reason: message }, 'an idle connection was lost'),
  });
  const { environment } = config;
  await awaitOwnDatabase(db, 'TONEARM_RELAY_DATABASE_URL', { environment, logger });
  await refuseOtherEngineIfThere(config, environment);
  const ingress = openIngress(config.engineIngressUrl);
  observeBacklog(() => readBacklog(db.withoutTenant, clock));
  observeClockSkew(db.withoutTenant, clock);
  const shutdown = new AbortController();
  const { signal } = shutdown;
  let isOurEngine = false;
  const sequence = createSequencer(db.withoutTenant);
  let fullRoundAt = 0;
  const relayOutboxBatch = createOutboxRelay(db, ingress, clock);
  const loops = [
    runLoop({ name: 'sequencer', everyMs: sequenceEveryMs, logger, signal }, async () => {
      const isFull = performance.now() >= fullRoundAt;
      const { rowsNumbered, isLast } = await sequence({ isFull });
      if (isFull && isLast) fullRoundAt = performance.now() + fullRoundEveryMs;
      return isLast && rowsNumbered < rowsOfLargeRound ? 0 : 1;
    }),
    runLoop({ name: 'outbox relay', everyMs: idleMs, logger, signal }, async () => {
      if (!isOurEngine) await refuseOtherEngine(config, environment);
      isOurEngine = true;
      return relayOutboxBatch();
    }),
  ];
  logger.info('relaying');
  onShutdown(async (name) => {
    logger.info({ signal: name }, 'shutting down');
    shutdown.abort();
    await Promise.all(loops);
    await Promise.all([ingress.close(), db.close()]);
  });
}
