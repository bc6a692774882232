/**
 * Secrets of webhooks, and the key they were made with, are nowhere but sealed: after everything that can become of
 * them, every table, Redis, the engine's disk and the logs of every process are searched. The processes log all they
 * can (`trace`). Another secret is planted in each of the four, and must be found.
 */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { until } from '../../../scripts/servers/server.ts';
import { openFullStack } from './full-stack.ts';
import { type ApiProcess, kill, startApi } from './processes.ts';
import { isSigned, openReceiver, type Receiver } from './receiver.ts';
import {
  dumpTables,
  type ByteSource,
  readEngineFiles,
  readRedis,
  findSecretIn,
} from './secret-search.ts';
import { databaseUrl, draft } from './test-service.ts';

const redisUrl = process.env['TONEARM_TEST_REDIS'] ?? '';
const port = 27_480;
const logEverything = { TONEARM_LOG_LEVEL: 'trace' };
const arriveWithinMs = 20_000;

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('secrets of webhooks', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let api: ApiProcess;
  let receiver: Receiver;
  before(async () => {
    stack = await openFullStack(port, logEverything);
    api = await startApi(stack.service.database, {
      ...logEverything,
      TONEARM_REDIS_URL: redisUrl,
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
    });
    receiver = await openReceiver();
  });
  after(async () => {
    await receiver.close();
    await kill(api);
    await stack.close();
  });

  /** Through the real api, whose log is searched too. */
  const sendTo =
    (key: string) =>
    async (method: string, path: string, body?: unknown, headers = {}) => {
      const response = await fetch(`${api.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: text === '' ? undefined : JSON.parse(text) };
    };

  type Send = ReturnType<typeof sendTo>;

  /** Once, and again with the same key: the same bytes, which were kept for it. */
  const twice = async (send: Send, path: string, body: object) => {
    const keyed = { 'idempotency-key': randomUUID() };
    const first = await send('POST', path, body, keyed);
    const second = await send('POST', path, body, keyed);
    assert.ok(first.status < 300, first.text);
    assert.equal(second.text, first.text);
    return { ...first, keyed };
  };

  const announce = async (send: Send): Promise<string> => {
    const { status, json, text } = await send('POST', '/v1/releases', draft());
    assert.equal(status, 201, text);
    return json.id;
  };

  /** Every way a secret comes in or goes out; returns them all. */
  const useSecrets = async (): Promise<Readonly<Record<string, string>>> => {
    const { key } = await stack.service.givenOrganization();
    const send = sendTo(key);
    const given = newSecret();
    const fields = { url: receiver.url, event_type: 'release.created' };
    const registered = await twice(send, '/v1/webhooks', { ...fields, secret: given });
    assert.equal(registered.json.status, 'verified');
    const made = await twice(send, '/v1/webhooks', { ...fields, url: `${receiver.url}/second` });

    await announce(send);
    await until('both have it', () => receiver.events().length === 2, arriveWithinMs);
    assert.ok(receiver.events().some((each) => isSigned(each, given)));

    const path = `/v1/webhooks/${registered.json.id}`;
    const rotated = await twice(send, `${path}/rotate_secret`, {});
    const again = await twice(send, `${path}/rotate_secret`, { grace_period_seconds: 0 });
    const refused = await useRefused(send, fields, registered.keyed);
    await fail(send);
    await send('PATCH', path, { url: `${receiver.url}/moved` });
    await send('POST', `${path}/ping`);
    await send('DELETE', `/v1/webhooks/${made.json.id}`);
    return {
      key,
      given,
      made: made.json.secret,
      rotated: rotated.json.secret,
      again: again.json.secret,
      ...refused,
    };
  };

  const useRefused = async (send: Send, fields: object, keyed: object) => {
    const refused = {
      malformed: `${newSecret()}!`,
      unparseable: newSecret(),
      toBadUrl: newSecret(),
      ofUsedKey: newSecret(),
      unknownField: newSecret(),
    };
    const bad = { ...fields, url: 'http://10.0.0.1/', secret: refused.toBadUrl };
    const answers = [
      await send('POST', '/v1/webhooks', { ...fields, secret: refused.malformed }),
      await send('POST', '/v1/webhooks', `{"secret":"${refused.unparseable}"`),
      await send('POST', '/v1/webhooks', bad, { 'idempotency-key': randomUUID() }),
      await send('POST', '/v1/webhooks', { ...fields, secret: refused.ofUsedKey }, keyed),
      await send('POST', '/v1/webhooks', { ...fields, [refused.unknownField]: 1 }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status >= 400 && status < 500),
      answers.map(() => true),
    );
    return refused;
  };

  /** Refused, then accepted at the retry; and nobody there at all. */
  const fail = async (send: Send) => {
    receiver.respondWith(() => ({ status: 503, body: 'away' }));
    const known = receiver.events().length;
    await announce(send);
    await until('both were tried', () => receiver.events().length >= known + 2, arriveWithinMs);
    receiver.respondWith(() => ({ status: 200 }));
    await until(
      'both were tried again',
      () => receiver.events().length >= known + 4,
      arriveWithinMs,
    );
    const nowhere = await openReceiver();
    const { json } = await send('POST', '/v1/webhooks', {
      url: nowhere.url,
      event_type: 'release.created',
    });
    assert.equal(json.status, 'verified');
    await nowhere.close();
    await announce(send);
    const hasFailed = async () =>
      (await stack.service.query('select 1 from webhook_attempts where failure is not null')).length >
      0;
    await until('nobody was there', hasFailed, arriveWithinMs);
  };

  /** Where a secret can be: tables, Redis, the engine, logs. */
  const everywhere = async (): Promise<Readonly<Record<string, readonly ByteSource[]>>> => ({
    tables: await dumpTables(databaseUrl(stack.service.database)),
    redis: await readRedis(redisUrl),
    engine: readEngineFiles(stack.engineFolder),
    logs: Object.entries({ api, relay: stack.relay, worker: stack.worker }).map(([name, { log }]) => ({
      name,
      bytes: Buffer.from(log()),
    })),
  });

  /** One in each, each spelled in another way. */
  const plant = async (canary: string): Promise<void> => {
    await stack.service.query('create table planted (canary bytea)');
    await stack.service.query('insert into planted values ($1)', [Buffer.from(canary)]);
    const redis = new Redis(redisUrl);
    await redis.set('planted', Buffer.from(`a ${canary} b`).toString('base64'), 'EX', 60);
    redis.disconnect();
    await fetch(`${api.url}/v1/nowhere`, { headers: { 'x-request-id': canary } });
  };

  test(
    'are nowhere but sealed; a planted one is found everywhere',
    { timeout: 120_000 },
    async () => {
      const canary = newSecret();
      // First, so that it has all the time the others have to be moved and packed by the engine.
      const sent = await fetch(`${stack.urls.ingressUrl}/restate/send/canary/planted/ping`, {
        method: 'POST',
        headers: { 'x-tonearm-subject': canary },
      });
      assert.equal(sent.status, 202);
      const secrets = await useSecrets();
      await plant(canary);
      await until('the api has said so', () => api.log().includes(canary), 5_000);

      const places = await everywhere();
      for (const [kind, found] of Object.entries(places)) {
        assert.ok(
          found.some(({ bytes }) => bytes.length > 0),
          `there is something to search: ${kind}`,
        );
        assert.notDeepEqual(findSecretIn(canary, found), [], `the planted one is found: ${kind}`);
        for (const [which, secret] of Object.entries(secrets)) {
          assert.deepEqual(findSecretIn(secret, found), [], `${which}: ${kind}`);
        }
      }
      const filled = places['tables']
        ?.filter(({ bytes }) => bytes.length > 0)
        .map(({ name }) => name);
      for (const table of [
        'webhooks',
        'api_keys',
        'audit',
        'events',
        'webhook_attempts',
        'idempotency_keys',
      ]) {
        assert.ok(
          filled?.some((name) => name.startsWith(`public.${table}`)),
          `${table} was searched`,
        );
      }
    },
  );
});
