/** The relay role: everything that happens to committed rows before anybody else sees them. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { sequenceRound } from '../platform/db/sequencer.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import type { RelayConfig } from './config.ts';
import { onLeave } from './leave.ts';

/** How long it waits when there was nothing to do, and when the database was away. */
const idleMs = 50;
const troubledMs = 1_000;
const relayConnections = 4;

type Running = { readonly stop: () => Promise<void> };

export async function runRelay(config: RelayConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const clock = systemClock;
  const db = openDatabase({
    url: config.relayDatabaseUrl,
    connectionsMax: relayConnections,
    clock,
    newId: createIds(clock),
    onIdleError: ({ message }) => logger.warn({ reason: message }, 'an idle connection was lost'),
  });
  const relay = startRelay(db, logger);
  logger.info('relaying');
  onLeave(async (signal) => {
    logger.info({ signal }, 'leaving');
    await relay.stop();
    await db.close();
  });
}

export function startRelay(db: Database, logger: Logger): Running {
  const stopping = new AbortController();
  const pause = (ms: number) =>
    wait(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const numbered = await sequenceRound(db.outside);
        if (numbered === 0) await pause(idleMs);
      } catch (error) {
        logger.error({ err: error }, 'the sequencer could not work; it tries again');
        await pause(troubledMs);
      }
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
