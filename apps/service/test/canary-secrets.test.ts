/**
 * Webhook secrets, the details of payout methods and TINs are stored only sealed; API keys, client secrets and access
 * tokens only as hashes. The test uses them in every operation, then searches every table, Redis, the engine's files and the logs of every process, which log at level `trace`. A canary
 * secret is planted in each of the four and must be found: so the search is able to fail.
 */

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { until } from '../../../scripts/servers/server.ts';
import { canaryAccounts, canaryTins } from './bank-canaries.ts';
import { openFullStack } from './full-stack.ts';
import { givenBalance } from './money-fixture.ts';
import { basicOf } from './oauth-fixture.ts';
import { type ApiProcess, kill, type RailProcess, startApi, startRail } from './processes.ts';
import { isSigned, openReceiver, type Receiver } from './receiver.ts';
import {
  dumpTables,
  type ByteSource,
  readEngineFiles,
  readRedis,
  findSecretIn,
  findTextIn,
} from './secret-search.ts';
import { databaseUrl, draft } from './test-service.ts';

const redisUrl = process.env['TONEARM_TEST_REDIS'] ?? '';
const port = 27_480;
const logEverything = { TONEARM_LOG_LEVEL: 'trace' };
const arriveWithinMs = 20_000;

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('secrets of webhooks, credentials and payees', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let api: ApiProcess;
  let rail: RailProcess;
  let receiver: Receiver;
  const railFolder = mkdtempSync(join(tmpdir(), 'tonearm-rail-'));
  const railJournal = join(railFolder, 'rail.jsonl');
  before(async () => {
    rail = await startRail(railJournal, 0, logEverything);
    stack = await openFullStack(port, { ...logEverything, TONEARM_PAYOUT_RAIL_URL: rail.url });
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
    await kill(rail);
    rmSync(railFolder, { recursive: true });
  });

  /** Calls the api process, whose log is searched too. */
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

  /** Sends a request twice with one idempotency key; the replay has the same bytes, which the service stored. */
  const sendTwice = async (send: Send, path: string, body: object) => {
    const idempotencyHeader = { 'idempotency-key': randomUUID() };
    const first = await send('POST', path, body, idempotencyHeader);
    const second = await send('POST', path, body, idempotencyHeader);
    assert.ok(first.status < 300, first.text);
    assert.equal(second.text, first.text);
    return { ...first, idempotencyHeader };
  };

  const triggerEvent = async (send: Send): Promise<string> => {
    const { status, json, text } = await send('POST', '/v1/releases', draft());
    assert.equal(status, 201, text);
    return json.id;
  };

  /** Uses secrets in every operation that accepts or returns one, and returns them all. */
  const useSecrets = async (): Promise<Readonly<Record<string, string>>> => {
    const { key } = await stack.service.givenOrganization({ tier: 'enterprise' });
    const send = sendTo(key);
    const chosen = newSecret();
    const fields = { url: receiver.url, event_type: 'release.created' };
    const registered = await sendTwice(send, '/v1/webhooks', { ...fields, secret: chosen });
    assert.equal(registered.json.status, 'verified');
    const generated = await sendTwice(send, '/v1/webhooks', {
      ...fields,
      url: `${receiver.url}/second`,
    });

    await triggerEvent(send);
    await until(
      'both webhooks have the event',
      () => receiver.events().length === 2,
      arriveWithinMs,
    );
    assert.ok(receiver.events().some((each) => isSigned(each, chosen)));

    const created = await sendTwice(send, '/v1/api_keys', {
      name: 'Second',
      scopes: ['releases:write'],
    });
    await triggerEvent(sendTo(created.json.secret));
    const path = `/v1/webhooks/${registered.json.id}`;
    const rotated = await sendTwice(send, `${path}/rotate_secret`, {});
    const rotatedTwice = await sendTwice(send, `${path}/rotate_secret`, {
      grace_period_seconds: 0,
    });
    const refused = await sendRefusedSecrets(send, fields, registered.idempotencyHeader);
    await failAttempts(send);
    await send('PATCH', path, { url: `${receiver.url}/moved` });
    await send('POST', `${path}/ping`);
    await send('DELETE', `/v1/webhooks/${generated.json.id}`);
    return {
      key,
      createdKey: created.json.secret,
      chosen,
      generated: generated.json.secret,
      rotated: rotated.json.secret,
      rotatedTwice: rotatedTwice.json.secret,
      ...refused,
      ...(await useOAuth(send)),
    };
  };

  /** Accepted, replayed and refused ones. The events about the methods are sent to a webhook. */
  const useBankDetails = async (): Promise<Readonly<Record<string, string>>> => {
    const caller = await stack.service.givenOrganization();
    const send = sendTo(caller.key);
    const webhook = { url: `${receiver.url}/methods`, event_type: 'payout_method.changed' };
    await sendTwice(send, '/v1/webhooks', webhook);
    const known = receiver.events().length;
    const { accepted, refused, secrets } = canaryAccounts();
    for (const body of accepted) {
      const { json } = await sendTwice(send, '/v1/payout_methods', body);
      await send('GET', `/v1/payout_methods/${json.id}`);
      await send('DELETE', `/v1/payout_methods/${json.id}`);
    }
    for (const body of refused) {
      const answer = await send('POST', '/v1/payout_methods', body, {
        'idempotency-key': randomUUID(),
      });
      assert.ok(answer.status === 400 || answer.status === 422, answer.text);
      for (const secret of Object.values(secrets)) assert.ok(!answer.text.includes(secret));
    }
    const tins = canaryTins();
    for (const body of tins.accepted) {
      const key = { 'idempotency-key': randomUUID() };
      for (let i = 0; i < 2; i++) {
        const answer = await send('PATCH', '/v1/tax_profile', body, key);
        assert.equal(answer.status, 200, answer.text);
      }
    }
    for (const body of tins.refused) {
      assert.equal((await send('PATCH', '/v1/tax_profile', body)).status, 422);
    }
    const created = accepted.length;
    await until(
      'the webhook has the events',
      () => receiver.events().length >= known + 2 * created,
      arriveWithinMs,
    );
    await givenBalance(stack.service, caller, '100');
    await payOut(send, accepted[0]);
    return { ...secrets, ...tins.secrets };
  };

  /** The worker opens the details and sends them to the rail. */
  const payOut = async (send: Send, account: object | undefined): Promise<void> => {
    const { json: method } = await send('POST', '/v1/payout_methods', account);
    const payout = { amount: '20.00', currency: 'EUR', payout_method_id: method.id };
    const { json, status, text } = await send('POST', '/v1/payouts', payout);
    assert.equal(status, 201, text);
    await send('POST', '/v1/sandbox/clock/advance', { by: '7d' });
    const statusOf = async () => (await send('GET', `/v1/payouts/${json.id}`)).json.status;
    await until('the payout was sent', async () => (await statusOf()) === 'paid', arriveWithinMs);
    assert.match(readFileSync(railJournal, 'utf8'), new RegExp(json.id));
  };

  const useOAuth = async (send: Send) => {
    const fields = { name: 'Sync', scopes: ['releases:read'] };
    const { json: client } = await sendTwice(send, '/v1/oauth_clients', fields);
    const response = await fetch(`${api.url}/v1/oauth/token`, {
      method: 'POST',
      headers: basicOf(client),
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: accessToken } = (await response.json()) as { access_token: string };
    assert.equal((await sendTo(accessToken)('GET', '/v1/releases')).status, 200);
    return { clientSecret: client.secret, accessToken };
  };

  const sendRefusedSecrets = async (send: Send, fields: object, idempotencyHeader: object) => {
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
      await send(
        'POST',
        '/v1/webhooks',
        { ...fields, secret: refused.ofUsedKey },
        idempotencyHeader,
      ),
      await send('POST', '/v1/webhooks', { ...fields, [refused.unknownField]: 1 }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status >= 400 && status < 500),
      answers.map(() => true),
    );
    return refused;
  };

  /** An attempt that gets 503 and succeeds at the retry, then one to a closed port. */
  const failAttempts = async (send: Send) => {
    receiver.respondWith(() => ({ status: 503, body: 'Not now.' }));
    const known = receiver.events().length;
    await triggerEvent(send);
    await until('both were tried', () => receiver.events().length >= known + 2, arriveWithinMs);
    receiver.respondWith(() => ({ status: 200 }));
    await until(
      'both were tried again',
      () => receiver.events().length >= known + 4,
      arriveWithinMs,
    );
    const closed = await openReceiver();
    const { json } = await send('POST', '/v1/webhooks', {
      url: closed.url,
      event_type: 'release.created',
    });
    assert.equal(json.status, 'verified');
    await closed.close();
    await triggerEvent(send);
    const hasFailed = async () =>
      (await stack.service.query('select 1 from webhook_attempts where failure is not null'))
        .length > 0;
    await until('an attempt failed without a response', hasFailed, arriveWithinMs);
  };

  /** Everything that could contain a secret, by kind. */
  const readAllSources = async (): Promise<Readonly<Record<string, readonly ByteSource[]>>> => ({
    tables: await dumpTables(databaseUrl(stack.service.database)),
    redis: await readRedis(redisUrl),
    engine: readEngineFiles(stack.engineFolder),
    logs: Object.entries({ api, rail, relay: stack.relay, worker: stack.worker }).map(
      ([name, { log }]) => ({
        name,
        bytes: Buffer.from(log()),
      }),
    ),
  });

  /** Plants the canary in a table, in Redis and in the log of the api, each in another encoding. */
  const plant = async (canary: string): Promise<void> => {
    await stack.service.query('create table planted (canary bytea)');
    await stack.service.query('insert into planted values ($1)', [Buffer.from(canary)]);
    const redis = new Redis(redisUrl);
    await redis.set('planted', Buffer.from(`a ${canary} b`).toString('base64'), 'EX', 60);
    redis.disconnect();
    await fetch(`${api.url}/v1/nowhere`, { headers: { 'x-request-id': canary } });
  };

  test(
    'are stored only sealed; a planted one is found in every kind of source',
    { timeout: 120_000 },
    async () => {
      const canary = newSecret();
      // Sent first, so that the engine has as much time to move and compress it as it has for the others.
      const sent = await fetch(`${stack.urls.ingressUrl}/restate/send/canary/planted/ping`, {
        method: 'POST',
        headers: { 'x-tonearm-entity-ref': canary },
      });
      assert.equal(sent.status, 202);
      const secrets = await useSecrets();
      const payeeTexts = await useBankDetails();
      await plant(canary);
      await until('the api has logged the canary', () => api.log().includes(canary));

      const sourcesByKind = await readAllSources();
      for (const [kind, found] of Object.entries(sourcesByKind)) {
        assert.ok(
          found.some(({ bytes }) => bytes.length > 0),
          `there is something to search: ${kind}`,
        );
        assert.notDeepEqual(findSecretIn(canary, found), [], `the planted one is found: ${kind}`);
        for (const [which, secret] of Object.entries(secrets)) {
          assert.deepEqual(findSecretIn(secret, found), [], `${which}: ${kind}`);
        }
        assert.notDeepEqual(findTextIn(canary, found), [], `as a text too: ${kind}`);
        for (const [which, text] of Object.entries(payeeTexts)) {
          assert.deepEqual(findTextIn(text, found), [], `${which}: ${kind}`);
        }
      }
      const filled = sourcesByKind['tables']
        ?.filter(({ bytes }) => bytes.length > 0)
        .map(({ name }) => name);
      for (const table of [
        'webhooks',
        'api_keys',
        'audit',
        'events',
        'webhook_attempts',
        'idempotency_keys',
        'requests',
        'oauth_credentials',
        'oauth_tokens',
        'payout_methods',
        'tax_profiles',
        'payout_attempts',
      ]) {
        assert.ok(
          filled?.some((name) => name.startsWith(`public.${table}`)),
          `${table} was searched`,
        );
      }
    },
  );
});
