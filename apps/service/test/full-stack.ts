/**
 * For journeys, proofs and benches that need the whole service: starts a test service with its own Restate server, and
 * a relay and a worker as processes. `close` kills the processes and drops the database.
 */

import { kill, startRelay, startWorker } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';
import type { TestServiceOptions } from './test-service.ts';

export async function openFullStack(
  port: number,
  env: Record<string, string> = {},
  options: TestServiceOptions = {},
) {
  const stack = await openServiceWithEngine(port, options);
  const { database } = stack.service;
  const [relay, worker] = await Promise.all([
    startRelay(database, stack.urls, env),
    startWorker(database, stack.urls, {
      TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
      ...env,
    }),
  ]);
  return {
    ...stack,
    relay,
    worker,
    close: async () => {
      await Promise.all([kill(relay), kill(worker)]);
      await stack.close();
    },
  };
}
