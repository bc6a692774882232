/** Starts api, relay and worker as processes that a proof can kill, and a client that repeats interrupted requests. */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fleet } from '../../../../scripts/servers/fleet.ts';
import { kill, startApi, startRelay, startWorker } from '../processes.ts';
import type { openServiceWithEngine } from '../service-with-engine.ts';
import { openClient, type ClientResponse, type ClientRequest } from './client.ts';

export type ServiceWithEngine = Awaited<ReturnType<typeof openServiceWithEngine>>;

type ApiRequest = Omit<ClientRequest, 'headers'>;

export type KillableProcesses = {
  /** The final response, after repeating requests that were cut off or answered 429 or 503. It may be a refusal. */
  readonly send: (request: ApiRequest) => Promise<ClientResponse>;
  /** The body of the final response. Undefined, and counted in `refusals`, if the api refused the request. */
  readonly requestJson: (request: ApiRequest) => Promise<Record<string, unknown> | undefined>;
  readonly killAndRestart: Readonly<Record<string, () => Promise<void>>>;
  /** Kills Restate, deletes its data and starts it. */
  readonly loseDisk: () => Promise<void>;
  readonly refusals: string[];
  readonly counts: { requests: number; broken: number };
  readonly close: () => Promise<void>;
};

const retryMs = 100;
const retryableStatuses = new Set([429, 503]);

export async function startKillableProcesses(
  serviceWithEngine: ServiceWithEngine,
  { postgres }: Fleet,
  firstPort: number,
  workerEnv: Readonly<Record<string, string>> = {},
): Promise<KillableProcesses> {
  const { service, engine, urls, identityKey } = serviceWithEngine;
  const env = {
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    // The engine calls the worker at the URL it registered, so a restarted worker needs the same port.
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

  const killAndRestart = {
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
      else if (!isRetryable(reply)) return reply;
      await wait(retryMs);
    }
  };
  return {
    killAndRestart,
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

const isRetryable = ({ status, text }: ClientResponse): boolean =>
  retryableStatuses.has(status) || text.includes('idempotency_key_in_use');
