/**
 * Before a process uses a database, an engine or a bucket, it checks that it belongs to its environment. If one is away,
 * the check waits: a database is asked until it answers, an engine before anything is sent to it. An unavailable bucket
 * is not waited for.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import { type Environment, wrongEnvironment, otherEnvironment } from '../kernel/environment.ts';
import { Problem } from '../kernel/problem.ts';
import { isClockInSync } from '../platform/db/clock-skew.ts';
import type { Database } from '../platform/db/database.ts';
import { readEnvironment } from '../platform/db/environment.ts';
import { failureOf } from '../platform/db/failures.ts';
import { adminWorksFor, ingressWorksFor } from '../platform/engine/environment.ts';
import { bucketIsOf, markBucket } from '../platform/storage/environment.ts';
import type { StorageConfig } from '../platform/storage/open-storage.ts';
import type { Storage } from '../platform/storage/storage.ts';

const checkEveryMs = 1_000;

export async function refuseOtherDatabase(
  db: Database,
  setting: string,
  environment: Environment,
): Promise<void> {
  const actual = await readEnvironment(db.withoutTenant);
  if (actual === undefined) {
    throw new Problem(
      'invalid_state',
      `${setting} leads to a database that is not up to date: run migrate first.`,
    );
  }
  if (actual !== environment) throw wrongEnvironment('a database', setting, environment);
}

export type EnvironmentCheck = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
};

/** For a process that keeps running: after a restart of all servers, the database may be the last to be ready. */
export async function awaitOwnDatabase(
  db: Database,
  setting: string,
  { environment, logger, signal }: EnvironmentCheck,
): Promise<void> {
  for (;;) {
    try {
      return await refuseOtherDatabase(db, setting, environment);
    } catch (error) {
      if (signal?.aborted === true) return;
      if (failureOf(error) !== 'unavailable') throw error;
      logger.warn({ setting }, 'the database does not answer; it is asked again');
    }
    await wait(checkEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * For a worker: with a wrong clock it would fire timers that are not due, date rows wrongly and delay messages until
 * that date. It waits, and `tonearm_clock_skew_seconds` shows why.
 */
export async function awaitClockInSync(db: Database, clock: Clock, logger: Logger): Promise<void> {
  for (;;) {
    try {
      if (await isClockInSync(db.withoutTenant, clock)) return;
      logger.error("the clock of this machine is not the database's; it is waited for");
    } catch (error) {
      if (failureOf(error) !== 'unavailable') throw error;
    }
    await wait(checkEveryMs);
  }
}

/** At the start. If the engine is away, the loops that use it check again. */
export async function refuseOtherEngineIfThere(
  urls: EngineUrls,
  environment: Environment,
): Promise<void> {
  try {
    await refuseOtherEngine(urls, environment);
  } catch (error) {
    if (error instanceof Problem) throw error;
  }
}

type EngineUrls = { readonly engineIngressUrl: string; readonly engineAdminUrl?: string };

/** Throws a `Problem` if it belongs to the other environment, and another error if it does not answer. */
export async function refuseOtherEngine(
  { engineIngressUrl, engineAdminUrl }: EngineUrls,
  environment: Environment,
): Promise<void> {
  const other = otherEnvironment[environment];
  const [ingress, admin] = await Promise.allSettled([
    ingressWorksFor(engineIngressUrl, other),
    engineAdminUrl !== undefined && adminWorksFor(engineAdminUrl, other),
  ]);
  if (isOther(ingress))
    throw wrongEnvironment('an engine', 'TONEARM_ENGINE_INGRESS_URL', environment);
  if (isOther(admin)) throw wrongEnvironment('an engine', 'TONEARM_ENGINE_ADMIN_URL', environment);
  for (const answer of [ingress, admin]) {
    if (answer.status === 'rejected') throw answer.reason;
  }
}

const isOther = (answer: PromiseSettledResult<boolean>): boolean =>
  answer.status === 'fulfilled' && answer.value;

/** Also marks a bucket without a mark. If the bucket does not answer, work on files waits, and everything else runs. */
export async function refuseOtherBucket(
  storage: Storage,
  config: { readonly environment: Environment; readonly storage: StorageConfig },
  logger: Logger,
): Promise<void> {
  const { environment } = config;
  // Only the sandbox uses a folder of this machine: the configuration of live refuses one.
  if (config.storage.kind === 'disk') return;
  try {
    if (await bucketIsOf(storage, otherEnvironment[environment])) {
      throw wrongEnvironment('a bucket', 'TONEARM_STORAGE_URL', environment);
    }
    if (!(await bucketIsOf(storage, environment))) await markBucket(storage, environment);
  } catch (error) {
    if (error instanceof Problem) throw error;
    logger.warn({ err: error }, 'the bucket does not answer: its environment is not checked');
  }
}
