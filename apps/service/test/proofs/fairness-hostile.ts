/**
 * One organization that does everything at once that has starved others: in a thread of its own, so that what it costs
 * is not measured as ours. It keeps to its key's rate: what it is refused for that, it tries again.
 */

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../src/platform/threads/low-priority.ts';
import { openClient, type ClientResponse } from './client.ts';

export type HostileTask = {
  readonly url: string;
  readonly key: string;
  /** FLAC of twelve hours of silence. */
  readonly silence: string;
  readonly largeRelease: string;
};

export type HostileTally = Record<string, number>;

export function startHostile(task: HostileTask) {
  const thread = new Worker(new URL(import.meta.url), { workerData: task });
  return {
    /** What it was answered: how many of each kind and status. */
    stop: async (): Promise<HostileTally> => {
      const answer = Promise.withResolvers<HostileTally>();
      thread.once('message', answer.resolve);
      thread.postMessage('stop');
      const tally = await answer.promise;
      await thread.terminate();
      return tally;
    },
  };
}

const itemsOfJob = 1_000;
const unknownRelease = 'rel_01m7gh7a9regqrsxfzwpkdhgm4';
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
    const seen = `${name} ${reply?.status ?? 'lost'}`;
    tally[seen] = (tally[seen] ?? 0) + 1;
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
  const items = Array.from({ length: itemsOfJob }, () => ({ release_id: unknownRelease }));
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
      .then((answer) => answer.arrayBuffer())
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
