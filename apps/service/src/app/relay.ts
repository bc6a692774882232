/** The relay role: numbers committed events and audit rows, and moves committed outbox rows to the engine. */

import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { observeClockSkew } from '../platform/db/clock-skew.ts';
import { openDatabase } from '../platform/db/database.ts';
import { sequenceRound } from '../platform/db/sequencer.ts';
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
import { createWakeSignal } from './wake-signal.ts';

const connectionsMax = 6;
/** How often idle loops poll: the longest time until a new row is processed. */
const idleMs = 50;

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
  const outboxWakeSignal = createWakeSignal();
  const relayOutboxBatch = createOutboxRelay(db, ingress, clock);
  const loops = [
    runLoop({ name: 'sequencer', everyMs: idleMs, logger, signal }, async () => {
      const numbered = await sequenceRound(db.withoutTenant);
      // Numbering also inserts outbox rows that wake the webhooks.
      if (numbered > 0) outboxWakeSignal.wake();
      return numbered;
    }),
    runLoop(
      { name: 'outbox relay', everyMs: idleMs, logger, signal, wakeSignal: outboxWakeSignal },
      async () => {
        if (!isOurEngine) await refuseOtherEngine(config, environment);
        isOurEngine = true;
        return relayOutboxBatch();
      },
    ),
  ];
  logger.info('relaying');
  onShutdown(async (name) => {
    logger.info({ signal: name }, 'shutting down');
    shutdown.abort();
    await Promise.all(loops);
    await Promise.all([ingress.close(), db.close()]);
  });
}
