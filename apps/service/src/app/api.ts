/**
 * The api role. It shuts down in three steps, so that no request is cut: it reports that it is not ready and closes each
 * connection with its answer; after the drain it stops listening and waits for running requests; then it closes the
 * database and ends.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createKeyUses } from '../identity/commands/record-key-uses.ts';
import { createRequestLog, type RequestLog } from '../identity/http/request-log.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { RateLimiter } from '../kernel/rate.ts';
import { createSharedLimiter } from '../platform/cache/limiter.ts';
import { createLocalLimiter } from '../platform/cache/local-limiter.ts';
import { createRedisLimiter } from '../platform/cache/redis-limiter.ts';
import { createKeyring } from '../platform/crypto/keyring.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { observeClockSkew } from '../platform/db/clock-skew.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { serveStorage } from '../platform/storage/open-storage.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { composeApi } from './compose.ts';
import type { ApiConfig } from './config/api.ts';
import { type EnvironmentCheck, awaitOwnDatabase, refuseOtherBucket } from './environment-guard.ts';
import { runLoop } from './run-loop.ts';
import { onShutdown } from './shutdown.ts';

const closeTimeoutMs = 20_000;
const databaseWaitMs = 2_000;
const writeKeyUsesEveryMs = 10_000;

export async function runApi(config: ApiConfig): Promise<void> {
  const logger = createLogger(config.logLevel);
  const clock = systemClock;
  const newId = createIds(clock);
  const open = (url: string, connectionsMax: number, isShared = false) =>
    openDatabase({
      url,
      connectionsMax,
      isShared,
      clock,
      newId,
      // Not the error itself: the driver attaches the whole connection to it.
      onIdleError: ({ message }) => logger.warn({ reason: message }, 'an idle connection was lost'),
    });
  const db = open(config.databaseUrl, config.databaseConnections, true);
  const directory = open(config.directoryDatabaseUrl, 2);
  const { environment } = config;
  const shutdown = new AbortController();
  await refuseOtherDatabases({ db, directory }, { environment, logger, signal: shutdown.signal });

  observeClockSkew(db.withoutTenant, clock);
  const limiter = limiterOf(config, clock, logger);
  const keyring = createKeyring(config.keys);
  const storage = await serveStorage(config.storage, { keyring, clock });
  await refuseOtherBucket(storage, config, logger);
  // The request log and the key uses are written for all organizations: they do not wait for the share of one.
  const logDb = open(config.databaseUrl, 1);
  const keyUses = createKeyUses({ db: logDb, clock });
  const requestLog = config.isRequestLogOn ? openRequestLog(logDb, logger) : undefined;
  let isDraining = false;
  const server = await composeApi({
    environment,
    keyring,
    storage,
    clock,
    newId,
    logger,
    db,
    directory,
    keyUses,
    limiter,
    proxyHops: config.proxyHops,
    outbound: config.outbound,
    publicUrl: config.publicUrl,
    isDraining: () => isDraining,
    requestLog,
  });
  await server.listen({ host: config.host, port: config.port });
  const keyUseLoop = runLoop(
    { name: 'key use writer', everyMs: writeKeyUsesEveryMs, logger, signal: shutdown.signal },
    keyUses.flush,
  );

  onShutdown(async (signal) => {
    isDraining = true;
    shutdown.abort();
    logger.info({ signal, drain_ms: config.drainMs }, 'shutting down');
    const deadline = setTimeout(() => {
      logger.error('requests were still running at the deadline');
      process.exit(1);
    }, config.drainMs + closeTimeoutMs);
    await wait(config.drainMs);
    await server.close();
    await keyUseLoop;
    await keyUses
      .flush()
      .catch((error: unknown) => logger.warn({ err: error }, 'key uses were not written'));
    await requestLog?.flush();
    const closeables = [db, directory, logDb, limiter, storage];
    await Promise.all(closeables.map((closeable) => closeable.close()));
    clearTimeout(deadline);
    logger.info('shut down');
  });
}

/** Rows of the request log wait this long for others, so that one statement inserts many. */
const requestLogEveryMs = 500;

const openRequestLog = (db: Database, logger: Logger): RequestLog =>
  createRequestLog({
    db,
    everyMs: requestLogEveryMs,
    onFailure: (cause) =>
      logger.warn(
        { reason: cause instanceof Error ? cause.message : String(cause) },
        'rows of the request log were dropped',
      ),
  });

/** If the databases are away, the api starts and answers 503; it ends if they turn out to be the other environment's. */
async function refuseOtherDatabases(
  { db, directory }: { readonly db: Database; readonly directory: Database },
  check: EnvironmentCheck,
): Promise<void> {
  const checked = Promise.all([
    awaitOwnDatabase(db, 'TONEARM_DATABASE_URL', check),
    awaitOwnDatabase(directory, 'TONEARM_DIRECTORY_DATABASE_URL', check),
  ]);
  await Promise.race([checked, wait(databaseWaitMs)]);
  checked.catch(endAtOnce);
}

function endAtOnce(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function limiterOf(config: ApiConfig, clock: Clock, logger: Logger): RateLimiter {
  const { redisUrl, environment, instances } = config;
  if (redisUrl === undefined) return createLocalLimiter(clock);
  const redis = createRedisLimiter(redisUrl, environment, (error) =>
    logger.warn({ err: error }, 'Redis does not answer'),
  );
  return createSharedLimiter(redis, clock, instances);
}
