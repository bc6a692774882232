/** Three ordinary organizations work at a steady pace; measures how long each kind of operation takes. */

import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../scripts/servers/server.ts';
import { createAssetBody, putFile, toneWav } from '../asset-files.ts';
import type { Receiver } from '../receiver.ts';
import { draft, completeDraft, type OrgClient, type TestService } from '../test-service.ts';
import { type Client, openClient } from './client.ts';

export type Ordinary = { readonly caller: OrgClient; readonly receiver: Receiver };

export const kinds = ['get', 'post', 'review', 'examination', 'webhook'] as const;
export type Kind = (typeof kinds)[number];
export type Times = Record<Kind, number[]>;

const settleLimitMs = 60_000;
/** Long enough that polling is not a part of the measured load. */
const pollMs = 75;
const requestEveryMs = 400;
const reviewEveryMs = 1_000;
const fileEveryMs = 3_000;
const fileMs = 5_000;

export type Measurement = { readonly times: Times; readonly errors: string[] };

/** Runs all operations for `durationMs`; each organization does one operation of a kind at a time. */
export async function measureOrdinary(
  service: TestService,
  url: string,
  ordinary: readonly Ordinary[],
  durationMs: number,
): Promise<Measurement> {
  const times: Times = { get: [], post: [], review: [], examination: [], webhook: [] };
  const errors: string[] = [];
  const client = openClient(url);
  const end = Date.now() + durationMs;
  const every = async (ms: number, work: () => Promise<void>) => {
    while (Date.now() < end) {
      const next = Date.now() + ms;
      await work().catch((error: unknown) => void errors.push(String(error)));
      await wait(Math.max(0, next - Date.now()));
    }
  };
  await Promise.all(
    ordinary.flatMap((one) => {
      const steps = stepsOf(client, one.caller);
      return [
        every(requestEveryMs, () => readAndWrite(steps, one.receiver, times)),
        every(reviewEveryMs, () => review(service, one.caller, steps, times)),
        every(fileEveryMs, () => examine(steps, times)),
      ];
    }),
  );
  await client.close();
  return { times, errors };
}

type Steps = ReturnType<typeof stepsOf>;

function stepsOf(client: Client, { key }: OrgClient) {
  const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => {
    const { status, text } = await client.send({
      method,
      path,
      key,
      ...(body !== undefined && { body }),
    });
    if (status >= 300) throw new Error(`${method} ${path} ${status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  return { send };
}

async function timed<T>(list: number[], work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  list.push(performance.now() - start);
  return result;
}

let titles = 0;

async function readAndWrite({ send }: Steps, receiver: Receiver, times: Times): Promise<void> {
  const title = `Night Drive ${titles++}`;
  const { id } = await timed(times.post, () => send('POST', '/v1/releases', draft({ title })));
  const answeredAt = Date.now();
  await timed(times.get, () => send('GET', `/v1/releases/${id}`));
  const arrival = () => receiver.events().find(({ json }) => json.data.id === id);
  await until('the webhook has arrived', () => arrival() !== undefined, settleLimitMs, pollMs);
  times.webhook.push(Math.max(0, (arrival()?.at ?? Infinity) - answeredAt));
}

async function review(
  service: TestService,
  caller: OrgClient,
  { send }: Steps,
  times: Times,
): Promise<void> {
  const { id } = await send('POST', '/v1/releases', completeDraft());
  await service.makeSubmittable(caller, id);
  await timed(times.review, async () => {
    await send('POST', `/v1/releases/${id}/submit`);
    const isDecided = async () => {
      const { submission } = await send('GET', `/v1/releases/${id}`);
      return submission.review_status !== 'pending';
    };
    await until('the release is reviewed', isDecided, settleLimitMs, pollMs);
  });
}

async function examine({ send }: Steps, times: Times): Promise<void> {
  // Each file is different, because a file that was examined before is not examined again.
  const file = toneWav(fileMs, 200 + titles++);
  const asset = await send('POST', '/v1/assets', createAssetBody(file));
  const status = await putFile(asset, file.bytes);
  if (status !== 200) throw new Error(`PUT ${status}`);
  await timed(times.examination, async () => {
    await send('POST', `/v1/assets/${asset.id}/complete`, {});
    let assetStatus = '';
    const isSettled = async () => {
      ({ status: assetStatus } = await send('GET', `/v1/assets/${asset.id}`));
      return assetStatus === 'ready' || assetStatus === 'failed';
    };
    await until('the asset is examined', isSettled, settleLimitMs, pollMs);
    if (assetStatus !== 'ready') throw new Error(`${asset.id} is ${assetStatus}`);
  });
}
