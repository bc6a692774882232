/** The service of `prove money`: a live database and bucket, relay and worker as processes that are killed, and an operator. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '../../../../scripts/servers/fleet.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { openIngress } from '../../src/platform/engine/ingress.ts';
import { reportIntakeService } from '../../src/royalties/messages.ts';
import type { Json } from '../delivery-fixture.ts';
import { kill, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { createTestBucket } from '../test-storage.ts';
import { hangMs } from './hang-limit.ts';

export type MoneyStack = Awaited<ReturnType<typeof openMoneyStack>>;

const retryMs = 200;
/** Longer than a server is away. */
const failuresMaxMs = 60_000;

export async function openMoneyStack(
  { postgres }: Fleet,
  firstPort: number,
  bucketRowsMax: number,
) {
  const storageSettings = await createTestBucket();
  const stack = await openServiceWithEngine(firstPort, { environment: 'live', storageSettings });
  const { service, engine, urls, identityKey } = stack;
  const scratch = mkdtempSync(join(tmpdir(), 'tonearm-money-'));
  const env = {
    ...storageSettings,
    TONEARM_ENVIRONMENT: 'live',
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    TONEARM_SCRATCH_FOLDER: scratch,
    TONEARM_BUCKET_ROWS: String(bucketRowsMax),
    // The engine calls the worker at the URL it registered, so a restarted worker needs the same port.
    TONEARM_WORKER_PORT: String(firstPort + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
  };
  let relay = await startRelay(service.database, urls, env);
  let worker = await startWorker(service.database, urls, env);
  const ingress = openIngress(urls.ingressUrl);
  let intakes = 0;
  let longest = { what: '', seconds: 0 };

  /** Until it succeeds; after a failure it may have happened all the same, which `findDone` answers. */
  const persist = async <T>(
    work: () => Promise<T>,
    findDone: () => Promise<T | undefined> = async () => undefined,
  ): Promise<T> => {
    const deadline = Date.now() + failuresMaxMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return (attempt > 1 ? await findDone() : undefined) ?? (await work());
      } catch (error) {
        if (error instanceof Problem || Date.now() > deadline) throw error;
        await wait(retryMs);
      }
    }
  };
  const query = (text: string, values: unknown[] = []): Promise<Json[]> =>
    persist(() => service.query(text, values));
  /** `whenDead` runs before the restart. */
  const restart =
    (stop: () => Promise<unknown>, start: () => Promise<unknown>) =>
    async (whenDead: () => Promise<void>): Promise<void> => {
      await stop();
      await whenDead();
      await start();
    };
  return {
    service,
    scratch,
    bucketRowsMax,
    persist,
    query,
    admin: (argv: readonly string[], findDone?: () => Promise<Json>): Promise<Json> =>
      persist(() => service.admin(...argv) as Promise<Json>, findDone),
    waitFor: async (what: string, isDone: () => Promise<boolean>) => {
      const begun = Date.now();
      await until(what, isDone, hangMs, retryMs);
      const seconds = Math.round((Date.now() - begun) / 1_000);
      if (seconds > longest.seconds) longest = { what, seconds };
    },
    longestWait: () => longest,
    workerPid: () => worker.child.pid ?? 0,
    /** As every minute. A message that is lost does no harm. */
    runIntake: async () => {
      const message = { service: reportIntakeService, key: 'incoming', handler: 'run' };
      await ingress.send(`proof:${++intakes}`, message).catch(() => undefined);
    },
    killAndRestart: {
      worker: restart(
        () => kill(worker),
        async () => {
          worker = await startWorker(service.database, urls, env);
        },
      ),
      relay: restart(
        () => kill(relay),
        async () => {
          relay = await startRelay(service.database, urls, env);
        },
      ),
      engine: restart(engine.kill, engine.start),
      postgres: restart(postgres.kill, postgres.start),
      /** The engine, with all that it had on its disk. */
      disk: restart(async () => {
        await engine.kill();
        engine.wipe();
      }, engine.start),
    },
    close: async () => {
      await Promise.all([kill(relay), kill(worker), ingress.close()]);
      rmSync(scratch, { recursive: true, force: true });
      await stack.close();
    },
  };
}
