/**
 * Compares the responses to malformed requests with the OpenAPI document. It sends generated requests with one or more
 * defects, bytes that break HTTP's grammar, and requests of clients that never finish.
 *
 * The bar: no 5xx, no undocumented status or body, every error in the envelope with its request id, every response with
 * rate limit headers, no request without a response; 300 slow sockets are closed within 15 s while healthy requests
 * succeed. One request in a hundred must be accepted, which shows that the generator reaches the handlers. It fails on
 * one response of another kind.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { Pool } from 'undici';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { root } from '../../../../scripts/servers/server.ts';
import { ErrorBody } from '../../src/platform/http/schema.ts';
import { givenOAuthClient } from '../oauth-fixture.ts';
import { createResponseCheck } from '../openapi-check.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Malformed, malformedRequests, type OpenApi } from './malformed-requests.ts';
import { rawRequests } from './malformed-values.ts';
import { seededRandom } from './random.ts';

const requestsOf = { start: 6_000, small: 50_000, full: 1_000_000 };
const rawShare = 0.02;
const concurrency = 16;
const batch = 500;
const slowSockets = 300;
const slowMsMax = { start: 60_000, small: 15_000, full: 15_000 };
const samplesKept = 3;

type Tally = {
  requests: number;
  serverErrors: number;
  undocumented: number;
  outsideEnvelope: number;
  unanswered: number;
  withoutLimits: number;
  readonly statuses: Map<number, number>;
  readonly samples: string[];
};

type MismatchKind =
  | 'withoutLimits'
  | 'serverErrors'
  | 'undocumented'
  | 'outsideEnvelope'
  | 'unanswered';

export const experiment: Experiment = {
  compares: 'responses to malformed requests and to slow clients, against the OpenAPI document',
  bar: (size) => ({
    requests: { atLeast: requestsOf[size] },
    server_errors: { equals: 0 },
    undocumented_or_unfit: { equals: 0 },
    outside_envelope: { equals: 0 },
    unanswered: { equals: 0 },
    without_rate_limit_headers: { equals: 0 },
    accepted: { atLeast: requestsOf[size] / 100 },
    slow_sockets_closed: { equals: slowSockets },
    slow_sockets_ms: { atMost: slowMsMax[size] },
    healthy_meanwhile: { atLeast: 100 },
    healthy_failed: { equals: 0 },
  }),
  run: async (lab) => {
    const { seed } = seededRandom();
    const service = await openTestService();
    const partner = await service.givenOrganization({ tier: 'enterprise' });
    const tally: Tally = {
      requests: 0,
      serverErrors: 0,
      undocumented: 0,
      outsideEnvelope: 0,
      unanswered: 0,
      withoutLimits: 0,
      statuses: new Map(),
      samples: [],
    };
    await sendMalformed(lab, service, partner, seed, tally);
    await sendRaw(service, seed, requestsOf[lab.size] * rawShare, tally);
    lab.say(`${tally.requests} requests; now ${slowSockets} slow sockets`);
    const slow = await measureSlowSockets(service, partner);
    await service.close();
    const accepted = [...tally.statuses].filter(([status]) => status < 300);
    return {
      seed,
      requests: tally.requests,
      statuses: Object.fromEntries([...tally.statuses].toSorted(([a], [b]) => a - b)),
      accepted: accepted.reduce((sum, [, count]) => sum + count, 0),
      server_errors: tally.serverErrors,
      undocumented_or_unfit: tally.undocumented,
      outside_envelope: tally.outsideEnvelope,
      unanswered: tally.unanswered,
      without_rate_limit_headers: tally.withoutLimits,
      samples: tally.samples,
      ...slow,
    };
  },
};

function recordMismatch(
  tally: Tally,
  kind: MismatchKind,
  request: unknown,
  response: string,
): void {
  tally[kind]++;
  if (tally[kind] > samplesKept) return;
  tally.samples.push(`${kind}: ${inspect(request).slice(0, 500)} → ${response.slice(0, 300)}`);
}

async function sendMalformed(
  { size, say }: Lab,
  service: TestService,
  partner: OrgClient,
  seed: number,
  tally: Tally,
): Promise<void> {
  const document = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8')) as OpenApi;
  const created = await Promise.all(
    Array.from({ length: 20 }, () => partner.call('POST', '/v1/releases', draft())),
  );
  const releases = created.map(({ json }) => json.id as string);
  for (const id of releases.slice(0, 10)) await service.makeSubmittable(partner, id);
  const idsOf = async (path: string): Promise<string[]> =>
    (await partner.call('GET', path)).json.data.map(({ id }: { id: string }) => id);
  for (const release_id of releases.slice(0, 5)) {
    await partner.call('POST', `/v1/releases/${release_id}/submit`);
    const plan = { release_id, stores: ['aurora'], territory_codes: ['WORLDWIDE'] };
    await partner.call('POST', '/v1/deliveries', plan);
  }
  const job = { action: 'takedown', items: [{ release_id: releases[0] }] };
  const { json: createdJob } = await partner.call('POST', '/v1/delivery_jobs', job);
  const steps = [{ action: 'lose' }];
  const { json: scenario } = await partner.call('POST', '/v1/sandbox/scenarios', { steps });
  const receiver = { url: 'http://127.0.0.1:9999/', event_type: '*' };
  const key = randomUUID();
  const { json: webhook } = await partner.call('POST', '/v1/webhooks', receiver, {
    'idempotency-key': key,
  });
  await service.flushRequests();
  const artists: string[] = [];
  for (const name of ['One', 'Two'])
    artists.push((await partner.call('POST', '/v1/artists', { name })).json.id);
  const client = await givenOAuthClient(partner);
  // Not the key of these requests: some of them revoke it.
  const newKey = { name: 'Other', scopes: ['stores:read'] };
  const { json: apiKey } = await partner.call('POST', '/v1/api_keys', newKey);
  await service.sequenceEvents();
  // The inbox of another organization: the requests may set the answers of the first organization's inbox to a 5xx.
  const { json: inbox } = await (
    await service.givenOrganization()
  ).call('GET', '/v1/sandbox/inbox');
  const requests = malformedRequests(document, {
    token: [inbox.url.split('/').at(-1)],
    scenario_id: [scenario.id],
    store_id: ['aurora'],
    delivery_id: await idsOf('/v1/deliveries'),
    job_id: [createdJob.id],
    release_id: releases,
    track_id: await idsOf('/v1/tracks'),
    artist_id: artists,
    label_id: await idsOf('/v1/labels'),
    asset_id: await idsOf('/v1/assets'),
    webhook_id: [webhook.id],
    event_id: await idsOf('/v1/events'),
    oauth_client_id: [client.id],
    secret_id: [client.secretId],
    api_key_id: [apiKey.id],
    request_id: await idsOf('/v1/requests'),
    key: [key],
  });
  const pool = new Pool(service.url, { connections: concurrency });
  const judge = judgeOf(service, tally);
  const total = requestsOf[size] * (1 - rawShare);
  for (let round = 0; tally.requests < total; round++) {
    const queue = fc.sample(requests, { numRuns: batch, seed: seed + round });
    await runConcurrently(concurrency, async () => {
      const request = queue.pop();
      if (request !== undefined) await sendOne(pool, partner.key, request, judge, tally);
      return request !== undefined;
    });
    if (round % Math.ceil(total / batch / 5) === 0) say(`${tally.requests} requests`);
  }
  await pool.destroy();
}

type Headers = Readonly<Record<string, unknown>>;
type Judge = (request: Malformed, status: number, headers: Headers, text: string) => void;

async function sendOne(
  pool: Pool,
  key: string,
  request: Malformed,
  judge: Judge,
  tally: Tally,
): Promise<void> {
  tally.requests++;
  try {
    const response = await pool.request({
      method: request.method,
      path: request.path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: request.body }),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    // Some requests accept br, and none gzip.
    const isCompressed = response.headers['content-encoding'] === 'br' && bytes.length > 0;
    const text = String(isCompressed ? brotliDecompressSync(bytes) : bytes);
    judge(request, response.statusCode, response.headers, text);
  } catch (error) {
    recordMismatch(tally, 'unanswered', request, String(error));
  }
}

const isEnvelope = Compile(ErrorBody);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Contract §5: its errors have another form, which the OpenAPI document describes. */
const isTokenRequest = ({ method, path }: Malformed): boolean =>
  method === 'POST' && /^\/v1\/oauth\/token(\?|$)/.test(path);

const isInEnvelope = (json: unknown, requestId: unknown): boolean =>
  isEnvelope.Check(json) && json.error.request_id === requestId;

/** Contract §1: every response of every status has these headers. */
const hasLimits = (headers: Headers): boolean =>
  ['limit', 'remaining', 'reset', 'policy'].every((name) => `ratelimit-${name}` in headers);

const headersOf = (head: string): Headers =>
  Object.fromEntries(
    head
      .split('\r\n')
      .map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*: ?/, '')]),
  );

function judgeOf(service: TestService, tally: Tally): Judge {
  const checkDocumented = createResponseCheck(service.api.operations);
  return (request, status, headers, text) => {
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    if (status >= 500) recordMismatch(tally, 'serverErrors', request, text);
    if (!hasLimits(headers))
      recordMismatch(tally, 'withoutLimits', request, JSON.stringify(headers));
    // A response to HEAD has no body.
    if (request.method === 'HEAD') return;
    const json = parsed(text);
    const isEnveloped = isTokenRequest(request) || isInEnvelope(json, headers['x-request-id']);
    if (status >= 400 && !isEnveloped) recordMismatch(tally, 'outsideEnvelope', request, text);
    try {
      checkDocumented({ method: request.method, path: request.path, status }, json);
    } catch (error) {
      recordMismatch(tally, 'undocumented', request, String(error));
    }
  };
}

async function sendRaw(
  service: TestService,
  seed: number,
  count: number,
  tally: Tally,
): Promise<void> {
  const queue = fc.sample(rawRequests, { numRuns: count, seed });
  await runConcurrently(concurrency, async () => {
    const bytes = queue.pop();
    if (bytes === undefined) return false;
    tally.requests++;
    const response = await exchange(service, bytes);
    const [head = '', text = ''] = response.split('\r\n\r\n', 2);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const headers = headersOf(head);
    const request = bytes.toString('latin1');
    if (Number.isNaN(status)) recordMismatch(tally, 'unanswered', request, response);
    else tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    if (status >= 500) recordMismatch(tally, 'serverErrors', request, response);
    if (!hasLimits(headers)) recordMismatch(tally, 'withoutLimits', request, response);
    if (status >= 400 && !isInEnvelope(parsed(text), headers['x-request-id'])) {
      recordMismatch(tally, 'outsideEnvelope', request, response);
    }
    return true;
  });
}

function open({ url }: TestService): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  return socket;
}

const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

async function exchange(service: TestService, bytes: Buffer): Promise<string> {
  const socket = open(service);
  let response = '';
  socket.on('data', (chunk) => (response += chunk.toString()));
  socket.write(bytes);
  await closed(socket);
  return response.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
}

/** Opens sockets that send headers or a body without end, one byte a second, and sends healthy requests meanwhile. */
async function measureSlowSockets(service: TestService, partner: OrgClient) {
  const startedAt = performance.now();
  const head = 'POST /v1/releases HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  const half = `${head}authorization: Bearer ${partner.key}\r\ncontent-length: 1000\r\n\r\n{"ti`;
  const counts = { closed: 0, served: 0, failed: 0 };
  const slow = Array.from({ length: slowSockets }, async (_, i) => {
    const socket = open(service);
    socket.write(i % 2 === 0 ? head : half);
    const drip = setInterval(() => socket.write('x'), 1_000);
    await closed(socket);
    clearInterval(drip);
    counts.closed++;
  });
  let longestMs = 0;
  while (counts.closed < slowSockets && performance.now() - startedAt < slowMsMax.start) {
    const sentAt = performance.now();
    const { status } = await partner.call('GET', '/v1/releases?limit=1');
    longestMs = Math.max(longestMs, performance.now() - sentAt);
    if (status === 200) counts.served++;
    else counts.failed++;
    await wait(20);
  }
  const closedMs = performance.now() - startedAt;
  if (counts.closed === slowSockets) await Promise.all(slow);
  return {
    slow_sockets_closed: counts.closed,
    slow_sockets_ms: Math.round(closedMs),
    healthy_meanwhile: counts.served,
    healthy_failed: counts.failed,
    healthy_longest_ms: Math.round(longestMs),
  };
}
