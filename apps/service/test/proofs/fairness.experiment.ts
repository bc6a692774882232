/**
 * Compares how long the operations of three ordinary organizations take beside a hostile organization with how long
 * they take alone. The ordinary ones create, read, submit, upload and receive webhooks. The hostile one uploads hours
 * of silence in six files at once, creates jobs of 1,000 items, reads a history of a million events by type,
 * has fifty webhooks (49 hang, one is its own inbox) with a backlog of 50,000 pairs, and validates the largest
 * release. Before that, it has 200 requests at once that wait for one lock. Redis, Restate, S3 and all roles are real
 * processes.
 *
 * The bar: no error, and p95 of each operation beside the hostile organization at most 2 times (small: 4, start: 20)
 * that without it. It fails when one organization's work takes the worker, the api or the dispatchers from the others.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { openFullStack } from '../full-stack.ts';
import { kill, startApi } from '../processes.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import { draft, type OrgClient, type TestService } from '../test-service.ts';
import { startHostile } from './fairness-hostile.ts';
import { besideLock } from './fairness-locked.ts';
import { kinds, type Ordinary, type Times, measureOrdinary } from './fairness-ordinary.ts';
import { largestRelease } from './largest-content.ts';
import { appendBacklog } from './webhook-backlog.ts';

type Extent = { seconds: number; backlog: number; history: number; hours: number };
const sizes: Record<Size, Extent> = {
  start: { seconds: 12, backlog: 100, history: 20_000, hours: 1 },
  small: { seconds: 30, backlog: 500, history: 200_000, hours: 4 },
  full: { seconds: 90, backlog: 1_000, history: 1_000_000, hours: 11.9 },
};
const port = 27_880;
const ordinaryCount = 3;
const endpoints = 50;
const warmUpMs = 6_000;
const hangMs = 45_000;
/** A short run consists mostly of the first burst, which is slower; it only shows that no organization starves. */
const ratioMaxOf = { start: 20, small: 4, full: 2 };

export const experiment: Experiment = {
  compares:
    'p95 of the operations of ordinary organizations beside a hostile one, against the same without it',
  bar: (size) => ({
    errors: { equals: 0 },
    ...Object.fromEntries(kinds.map((kind) => [`${kind}_p95_ratio`, { atMost: ratioMaxOf[size] }])),
    locked_get_p95_ratio: { atMost: ratioMaxOf[size] },
    locked_post_p95_ratio: { atMost: ratioMaxOf[size] },
    locked_requests_refused: { atLeast: 1 },
  }),
  run: async ({ size, say, fleet }) => {
    const { seconds, backlog, history, hours } = sizes[size];
    const stack = await openFullStack(port);
    const { service } = stack;
    const api = await startApi(service.database, {
      TONEARM_REDIS_URL: `redis://127.0.0.1:${fleet.ports.redis}`,
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
    });
    const ordinary: Ordinary[] = [];
    for (let i = 0; i < ordinaryCount; i++) ordinary.push(await givenOrdinary(service));
    const measure = (ms: number) => measureOrdinary(service, api.url, ordinary, ms);
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-fairness-'));
    const silence = join(folder, 'silence.flac');
    makeSilence(silence, hours);
    const hostile = await service.givenOrganization();
    const largeRelease = await largestRelease(service, hostile);
    await fillHistory(service, hostile, history);
    await service.query('analyze');
    say(`${history} events of the hostile organization; warming up`);
    await measure(warmUpMs);
    const without = await measure(seconds * 1_000);
    say(`without: ${JSON.stringify(p95sOf(without.times))}`);

    const { id: releaseId } = (await hostile.call('POST', '/v1/releases', draft())).json;
    const lock = { caller: hostile, releaseId };
    const locked = await besideLock(service, api.url, lock, () => measure(seconds * 1_000));
    say(`beside a lock: ${JSON.stringify(p95sOf(locked.result.times))}, ${locked.refused} refused`);

    const hanging = await openReceiver(({ json }) =>
      json.type === 'ping' ? { status: 200 } : { status: 200, delayMs: hangMs },
    );
    await registerEndpoints(api.url, hostile, hanging);
    const attack = startHostile({ url: api.url, key: hostile.key, silence, largeRelease });
    const [beside] = await Promise.all([
      measure(seconds * 1_000),
      appendBacklog(service, hostile, backlog),
    ]);
    const answered = await attack.stop();
    say(`beside: ${JSON.stringify(p95sOf(beside.times))}`);
    const errors = [...without.errors, ...locked.result.errors, ...beside.errors];
    const [p95Without, p95Beside] = [p95sOf(without.times), p95sOf(beside.times)];
    const p95Locked = p95sOf(locked.result.times);
    const pairs = await countPairs(service, hostile);
    await Promise.all([hanging, ...ordinary.map(({ receiver }) => receiver)].map((r) => r.close()));
    await kill(api);
    await stack.close();
    rmSync(folder, { recursive: true, force: true });
    return {
      errors: errors.length,
      samples: errors.slice(0, 5),
      ...Object.fromEntries(
        kinds.map((kind) => [`${kind}_p95_ratio`, ratio(p95Beside[kind], p95Without[kind])]),
      ),
      locked_get_p95_ratio: ratio(p95Locked.get, p95Without.get),
      locked_post_p95_ratio: ratio(p95Locked.post, p95Without.post),
      locked_requests_refused: locked.refused,
      p95_ms: { without: p95Without, locked: p95Locked, beside: p95Beside },
      probes: Object.fromEntries(kinds.map((kind) => [kind, beside.times[kind].length])),
      hostile_answers: answered,
      hostile_webhook_pairs: pairs,
    };
  },
};

const ratio = (one: number, other: number): number => Math.round((100 * one) / other) / 100;

async function givenOrdinary(service: TestService): Promise<Ordinary> {
  const caller = await service.givenOrganization();
  const receiver = await openReceiver();
  await register(caller, receiver.url, 'release.created');
  return { caller, receiver };
}

async function register({ call }: OrgClient, url: string, event_type: string): Promise<void> {
  const { json, text } = await call('POST', '/v1/webhooks', { url, event_type });
  if (json?.status !== 'verified') throw new Error(text);
}

/** All endpoints hang, except one that is the organization's inbox in the api. */
async function registerEndpoints(
  url: string,
  hostile: OrgClient,
  hanging: Receiver,
): Promise<void> {
  const headers = { authorization: `Bearer ${hostile.key}` };
  const inbox = await (await fetch(`${url}/v1/sandbox/inbox`, { headers })).json();
  await register(hostile, (inbox as { readonly url: string }).url, 'release.status.changed');
  for (let i = 1; i < endpoints; i++) {
    await register(hostile, `${hanging.url}/${i}`, 'release.status.changed');
  }
}

function makeSilence(path: string, hours: number): void {
  const source = `anullsrc=r=44100:cl=stereo:d=${hours * 3_600}`;
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:a', 'flac', path]);
}

/** Inserts events of another type than the hostile organization reads, numbered as the relay's sequencer does. */
async function fillHistory(
  service: TestService,
  { orgId }: OrgClient,
  count: number,
): Promise<void> {
  await service.sequenceEvents();
  await service.query(
    `with head as (update sequence_heads set event_sequence = event_sequence + $2::int where org_id = $1
                   returning event_sequence - $2::int as sequence)
     insert into events (org_id, id, type, data, created_at, sequence)
     select $1, uuidv7(), 'asset.ready', '{}', now(), head.sequence + n
       from head, generate_series(1, $2::int) n`,
    [toUuid(orgId as Id<'org'>), count],
  );
}

async function countPairs(service: TestService, { orgId }: OrgClient): Promise<number> {
  const [row] = await service.query(
    'select count(*)::int as pairs from webhook_deliveries where org_id = $1',
    [toUuid(orgId as Id<'org'>)],
  );
  return row.pairs as number;
}

function p95sOf(times: Times): Record<(typeof kinds)[number], number> {
  const p95 = (list: readonly number[]): number => {
    const sorted = list.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN);
  };
  const { get, post, review, examination, webhook } = times;
  return {
    get: p95(get),
    post: p95(post),
    review: p95(review),
    examination: p95(examination),
    webhook: p95(webhook),
  };
}
