/** The processes a delivery needs, each of which can be killed, and a client that does not mind. */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '../../../../scripts/servers/fleet.ts';
import { kill, startApi, startRelay, startWorker } from '../processes.ts';
import type { openServiceWithEngine } from '../service-with-engine.ts';
import { openClient, type ClientResponse, type ClientRequest } from './client.ts';

export type EngineWorld = Awaited<ReturnType<typeof openServiceWithEngine>>;

type ApiRequest = Omit<ClientRequest, 'headers'>;

export type KillableProcesses = {
  /** What the api has answered in the end, be it a refusal. */
  readonly send: (request: ApiRequest) => Promise<ClientResponse>;
  /** What the api has answered in the end; undefined when it refused, which nothing here deserves. */
  readonly requestJson: (request: ApiRequest) => Promise<Record<string, unknown> | undefined>;
  readonly killAndRestart: Readonly<Record<string, () => Promise<void>>>;
  /** Restate is killed and comes back with nothing. */
  readonly loseDisk: () => Promise<void>;
  readonly refusals: string[];
  readonly counts: { requests: number; broken: number };
  readonly close: () => Promise<void>;
};

const retryMs = 100;
/** What a client is told when it may try again. */
const temporary = new Set([429, 503]);

export async function startKillableProcesses(
  engineWorld: EngineWorld,
  { postgres }: Fleet,
  firstPort: number,
  workerEnv: Readonly<Record<string, string>> = {},
): Promise<KillableProcesses> {
  const { service, engine, urls, identityKey } = engineWorld;
  const env = {
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    // Where the engine knows it: a worker that comes back must be found at the same place.
    TONEARM_WORKER_PORT: String(firstPort + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
    ...workerEnv,
  };
  const startReachable = async () => {
    const process = await startApi(service.database);
    return { process, client: openClient(process.url) };
  };
  let api = await startReachable();
  let relay = await startRelay(service.database, urls);
  let worker = await startWorker(service.database, urls, env);
  const counts = { requests: 0, broken: 0 };
  const refusals: string[] = [];

  const kinds = {
    api: async () => {
      await kill(api.process);
      await api.client.close();
      api = await startReachable();
    },
    relay: async () => {
      await kill(relay);
      relay = await startRelay(service.database, urls);
    },
    worker: async () => {
      await kill(worker);
      worker = await startWorker(service.database, urls, env);
    },
    engine: async () => {
      await engine.kill();
      await engine.start();
    },
    postgres: async () => {
      await postgres.kill();
      await postgres.start();
    },
  };
  const attempt = (request: ApiRequest, key: string): Promise<ClientResponse | undefined> => {
    counts.requests++;
    return api.client
      .send({ ...request, headers: { 'idempotency-key': key } })
      .catch(() => undefined);
  };
  const send: KillableProcesses['send'] = async (request) => {
    const key = randomUUID();
    for (;;) {
      const reply = await attempt(request, key);
      if (reply === undefined) counts.broken++;
      else if (!isTemporary(reply)) return reply;
      await wait(retryMs);
    }
  };
  return {
    killAndRestart: kinds,
    refusals,
    counts,
    send,
    requestJson: async (request) => {
      const { status, text } = await send(request);
      if (status < 300) return JSON.parse(text) as Record<string, unknown>;
      refusals.push(`${request.method} ${request.path}: ${status} ${text}`);
      return undefined;
    },
    loseDisk: async () => {
      await engine.kill();
      engine.wipe();
      await engine.start();
    },
    close: async () => {
      await Promise.all([kill(api.process), kill(relay), kill(worker)]);
      await api.client.close();
    },
  };
}

const isTemporary = ({ status, text }: ClientResponse): boolean =>
  temporary.has(status) || text.includes('idempotency_key_in_use');
