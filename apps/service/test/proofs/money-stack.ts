/** The service of `prove money`: a live database and bucket, relay and worker as processes that are killed, and an operator. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '../../../../scripts/servers/fleet.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { Problem } from '../../src/kernel/problem.ts';
import type { Json } from '../delivery-fixture.ts';
import { kill, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { createTestBucket } from '../test-storage.ts';
import { hangMs } from './hang-limit.ts';

export type MoneyStack = Awaited<ReturnType<typeof openMoneyStack>>;

const retryMs = 200;
const childLimitMs = 4_000;
/** Longer than a server is away. */
const failuresMaxMs = 60_000;

/** Empty if the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** A process of the worker that calculates. */
const taskOf = (worker: number): number | undefined =>
  readProcess(worker, `task/${worker}/children`)
    .split(' ')
    .map(Number)
    .find((pid) => readProcess(pid, 'cmdline').includes('child-task-runner'));

export async function openMoneyStack({ postgres }: Fleet, firstPort: number) {
  const storageSettings = await createTestBucket();
  const stack = await openServiceWithEngine(firstPort, { environment: 'live', storageSettings });
  const { service, engine, urls, identityKey } = stack;
  const scratch = mkdtempSync(join(tmpdir(), 'tonearm-money-'));
  const env = {
    ...storageSettings,
    TONEARM_ENVIRONMENT: 'live',
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    TONEARM_SCRATCH_FOLDER: scratch,
    // The engine calls the worker at the URL it registered, so a restarted worker needs the same port.
    TONEARM_WORKER_PORT: String(firstPort + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
  };
  let relay = await startRelay(service.database, urls, env);
  let worker = await startWorker(service.database, urls, env);

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
  const pid = () => worker.child.pid ?? 0;
  return {
    service,
    scratch,
    persist,
    query,
    admin: (argv: readonly string[], findDone?: () => Promise<Json>): Promise<Json> =>
      persist(() => service.admin(...argv) as Promise<Json>, findDone),
    waitFor: (what: string, isDone: () => Promise<boolean>) => until(what, isDone, hangMs, retryMs),
    workerLog: () => worker.log(),
    /** Each answers whether something was killed. */
    killAndRestart: {
      worker: async () => {
        await kill(worker);
        worker = await startWorker(service.database, urls, env);
        return true;
      },
      /** The process that reads or calculates, as the kernel does when memory is short. */
      child: async () => {
        const deadline = Date.now() + childLimitMs;
        while (Date.now() < deadline) {
          const child = taskOf(pid());
          if (child !== undefined && isKilled(child)) return true;
          await wait(50);
        }
        return false;
      },
      relay: async () => {
        await kill(relay);
        relay = await startRelay(service.database, urls, env);
        return true;
      },
      engine: async () => {
        await engine.kill();
        await engine.start();
        return true;
      },
      postgres: async () => {
        await postgres.kill();
        await postgres.start();
        return true;
      },
    },
    loseDisk: async () => {
      await engine.kill();
      engine.wipe();
      await engine.start();
    },
    close: async () => {
      await Promise.all([kill(relay), kill(worker)]);
      rmSync(scratch, { recursive: true, force: true });
      await stack.close();
    },
  };
}

/** False if it has ended meanwhile. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
