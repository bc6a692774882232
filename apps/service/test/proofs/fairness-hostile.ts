/**
 * One organization that sends, all at once, every kind of request that has delayed other organizations before. It runs
 * in its own thread, so that its processor time does not slow the measuring thread. After a 429 it waits for the
 * `retry-after` of the response.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../src/platform/threads/low-priority.ts';
import { openClient, type ClientResponse } from './client.ts';

export type HostileTask = {
  readonly url: string;
  readonly key: string;
  /** Path of a FLAC file of up to twelve hours of silence. */
  readonly silence: string;
  readonly largeRelease: string;
};

export type HostileTally = Record<string, number>;

export function startHostile(task: HostileTask) {
  const thread = new Worker(new URL(import.meta.url), { workerData: task });
  return {
    /** Returns how many responses it got, by kind of request and status. */
    stop: async (): Promise<HostileTally> => {
      const reported = Promise.withResolvers<HostileTally>();
      thread.once('message', reported.resolve);
      thread.postMessage('stop');
      const tally = await reported.promise;
      await thread.terminate();
      return tally;
    },
  };
}

const itemsPerJob = 1_000;
const filesAtOnce = 6;
const silenceEveryMs = 10_000;

async function attack({ url, key, silence, largeRelease }: HostileTask): Promise<void> {
  const client = openClient(url, 64);
  const tally: HostileTally = {};
  const state = { isOver: false };
  parentPort?.on('message', () => {
    state.isOver = true;
    parentPort?.postMessage(tally);
  });
  const send = async (
    name: string,
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<ClientResponse | undefined> => {
    const reply = await client
      .send({ method, path, key, ...(body !== undefined && { body }) })
      .catch(() => undefined);
    const outcome = `${name} ${reply?.status ?? 'lost'}`;
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    if (reply?.status === 429) await wait(1_000 * Number(reply.headers['retry-after'] ?? 1));
    return reply;
  };
  const forever = async (pauseMs: number, work: () => Promise<unknown>) => {
    while (!state.isOver) {
      await work();
      await wait(pauseMs);
    }
  };
  const bytes = readFileSync(silence);
  const items = Array.from({ length: itemsPerJob }, () => ({ release_id: largeRelease }));
  const sendSilence = async () => {
    const declared = {
      type: 'audio',
      file_name: 's.flac',
      content_type: 'audio/flac',
      size_bytes: bytes.length,
    };
    const created = await send('asset', 'POST', '/v1/assets', declared);
    if (created?.status !== 201) return;
    const { id, upload } = JSON.parse(created.text);
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: new Uint8Array(bytes) })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
    await send('complete', 'POST', `/v1/assets/${id}/complete`, {});
  };
  const artists = [{ name: 'Aurora Díaz', role: 'main' }];
  const release = { title: 'Flood', artists, release_date: '2030-01-18' };
  await Promise.all([
    ...Array.from({ length: filesAtOnce }, () => forever(silenceEveryMs, sendSilence)),
    forever(50, () => send('job', 'POST', '/v1/delivery_jobs', { action: 'takedown', items })),
    forever(50, () => send('events', 'GET', '/v1/events?type=release.created&limit=100')),
    forever(100, () => send('release', 'POST', '/v1/releases', release)),
    forever(200, () => send('validate', 'POST', `/v1/releases/${largeRelease}/validate`)),
  ]);
}

if (parentPort !== null && workerData !== null) {
  lowerThreadPriority();
  await attack(workerData as HostileTask);
}
