/**
 * What a process is pointed at is asked whose it is, before it is used. What is away cannot be asked:
 * a database is asked until it answers, an engine before anything is sent to it, and for a bucket nobody waits.
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

const askEveryMs = 1_000;

export async function refuseOtherDatabase(
  db: Database,
  setting: string,
  environment: Environment,
): Promise<void> {
  const found = await readEnvironment(db.withoutTenant);
  if (found === undefined) {
    throw new Problem(
      'invalid_state',
      `${setting} leads to a database that is not up to date: run migrate first.`,
    );
  }
  if (found !== environment) throw wrongEnvironment('a database', setting, environment);
}

export type EnvironmentCheck = {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly signal?: AbortSignal;
};

/** For a process that goes on: at a restart of everything the database may be the last to come back. */
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
      logger.warn({ setting }, 'the database is away; it is asked again');
    }
    await wait(askEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * For a worker: one whose clock is wrong would fire what is not due, date what it writes wrongly and put off what it
 * asks for until that date. It waits, and `tonearm_clock_skew_seconds` says why.
 */
export async function awaitClockInSync(db: Database, clock: Clock, logger: Logger): Promise<void> {
  for (;;) {
    try {
      if (await isClockInSync(db.withoutTenant, clock)) return;
      logger.error("the clock of this machine is not the database's; it is waited for");
    } catch (error) {
      if (failureOf(error) !== 'unavailable') throw error;
    }
    await wait(askEveryMs);
  }
}

/** At a start. An engine that is away is asked again by whoever is about to use it. */
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

/** Throws a `Problem` where it is the other's, and something else where it cannot be asked. */
export async function refuseOtherEngine(
  { engineIngressUrl, engineAdminUrl }: EngineUrls,
  environment: Environment,
): Promise<void> {
  const other = otherEnvironment[environment];
  const [ingress, admin] = await Promise.allSettled([
    ingressWorksFor(engineIngressUrl, other),
    engineAdminUrl !== undefined && adminWorksFor(engineAdminUrl, other),
  ]);
  if (isTheirs(ingress))
    throw wrongEnvironment('an engine', 'TONEARM_ENGINE_INGRESS_URL', environment);
  if (isTheirs(admin)) throw wrongEnvironment('an engine', 'TONEARM_ENGINE_ADMIN_URL', environment);
  for (const answer of [ingress, admin]) {
    if (answer.status === 'rejected') throw answer.reason;
  }
}

const isTheirs = (answer: PromiseSettledResult<boolean>): boolean =>
  answer.status === 'fulfilled' && answer.value;

/** Looks and, where nobody was before, leaves the mark. Without an answer files wait, and all else goes on. */
export async function refuseOtherBucket(
  storage: Storage,
  config: { readonly environment: Environment; readonly storage: StorageConfig },
  logger: Logger,
): Promise<void> {
  const { environment } = config;
  // A folder of this machine is the sandbox's alone: in live the configuration does not take one.
  if (config.storage.kind === 'disk') return;
  try {
    if (await bucketIsOf(storage, otherEnvironment[environment])) {
      throw wrongEnvironment('a bucket', 'TONEARM_STORAGE_URL', environment);
    }
    if (!(await bucketIsOf(storage, environment))) await markBucket(storage, environment);
  } catch (error) {
    if (error instanceof Problem) throw error;
    logger.warn({ err: error }, 'the store of files could not be asked which environment it is of');
  }
}
