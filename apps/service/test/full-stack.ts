/** A world in which everything works: its own engine, a relay and a worker as processes of their own. */

import { kill, startRelay, startWorker } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';

export async function openFullStack(port: number, env: Record<string, string> = {}) {
  const lab = await openServiceWithEngine(port);
  const { database } = lab.service;
  const [relay, worker] = await Promise.all([
    startRelay(database, lab.urls, env),
    startWorker(database, lab.urls, {
      TONEARM_ENGINE_IDENTITY_KEYS: lab.identityKey,
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
      ...env,
    }),
  ]);
  return {
    ...lab,
    relay,
    worker,
    close: async () => {
      await Promise.all([kill(relay), kill(worker)]);
      await lab.close();
    },
  };
}
