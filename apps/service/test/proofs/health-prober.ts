/** Requests /healthz continually in its own thread, so that work of the main thread does not disturb the times. */

import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

const pauseMs = 2;

export type Prober = {
  /** The times of all responses since the last call, in milliseconds. */
  readonly drainTimes: () => Promise<number[]>;
  readonly close: () => Promise<unknown>;
};

export function startProber(url: string): Prober {
  const thread = new Worker(new URL(import.meta.url), { workerData: { url } });
  return {
    drainTimes: () => {
      const reported = Promise.withResolvers<number[]>();
      thread.once('message', reported.resolve);
      thread.postMessage('drain');
      return reported.promise;
    },
    close: () => thread.terminate(),
  };
}

async function probe(url: string): Promise<never> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let times: number[] = [];
  parentPort?.on('message', () => {
    parentPort?.postMessage(times);
    times = [];
  });
  for (;;) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      get(`${url}/healthz`, { agent }, (response) => response.resume().once('end', resolve)).once(
        'error',
        reject,
      );
    });
    times.push(performance.now() - start);
    await wait(pauseMs);
  }
}

if (parentPort !== null) await probe((workerData as { readonly url: string }).url);
