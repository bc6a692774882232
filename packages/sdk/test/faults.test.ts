/** What a call does when the network or the service fails, over real sockets. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test, type TestContext } from 'node:test';
import {
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  Tonearm,
  TonearmError,
  type TonearmOptions,
} from '../src/index.ts';
import {
  breakOff,
  givenClient,
  type Handler,
  hangUp,
  json,
  neverAnswer,
  type Received,
  refusal,
} from './scripted-server.ts';

const release = { id: 'rel_1', title: 'Night Drive' };
const body = { title: 'Night Drive', artists: [], release_date: '2027-01-15' };
const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const keysOf = (received: readonly Received[]) =>
  received.map(({ headers }) => headers['idempotency-key']);

test('429 is repeated after the seconds of Retry-After', async (t) => {
  const limited = refusal(429, 'rate_limit_exceeded', { 'retry-after': '1' });
  const { tonearm } = await givenClient(t, [limited, json(200, release)]);
  const begun = performance.now();
  const { data, attempts } = await tonearm.releases.get('rel_1').withResponse();
  assert.deepEqual([data.id, attempts], ['rel_1', 2]);
  assert.ok(performance.now() - begun >= 1_000);
});

test('a Retry-After of more than a minute ends the call, and the error has it', async (t) => {
  const limited = refusal(429, 'quota_exceeded', { 'retry-after': '3600' });
  const { tonearm, received } = await givenClient(t, [limited]);
  await assert.rejects(tonearm.releases.get('rel_1'), (error: unknown) => {
    assert.ok(error instanceof RateLimitError);
    assert.deepEqual([error.retryAfter, error.code, error.attempts], [3600, 'quota_exceeded', 1]);
    return true;
  });
  assert.equal(received.length, 1);
});

test('503 is repeated with the same idempotency key, and then given up', async (t) => {
  const away = refusal(503, 'service_unavailable');
  const { tonearm, received } = await givenClient(t, [away, away, json(201, release), away]);
  assert.equal((await tonearm.releases.create(body)).id, 'rel_1');
  const keys = keysOf(received);
  assert.match(String(keys[0]), uuidV4);
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);

  await assert.rejects(tonearm.releases.create(body), (error: unknown) => {
    assert.ok(error instanceof ServerError);
    assert.deepEqual([error.status, error.attempts], [503, 5]);
    return true;
  });
  assert.notEqual(keysOf(received)[3], keys[0], 'another call has another key');
});

test('an answer that breaks off, and a connection that is closed, are repeated with the same key', async (t) => {
  const { tonearm, received } = await givenClient(t, [
    breakOff(release),
    hangUp,
    json(201, release),
  ]);
  assert.equal((await tonearm.releases.create(body)).title, 'Night Drive');
  assert.equal(new Set(keysOf(received)).size, 1);
  assert.equal(received.length, 3);
});

test('a key of the caller is sent as it is', async (t) => {
  const { tonearm, received } = await givenClient(t, [hangUp, json(200, release)]);
  const idempotencyKey = '7d1f6a3e-2b4c-4d5e-8f60-718293a4b5c6';
  await tonearm.releases.update('rel_1', { title: 'Other' }, { idempotencyKey, ifMatch: '"3"' });
  assert.deepEqual(keysOf(received), [idempotencyKey, idempotencyKey]);
  assert.deepEqual(
    received.map(({ headers }) => headers['if-match']),
    ['"3"', '"3"'],
  );
});

test('a service that nobody can reach is a ConnectionError, which says why', async (t) => {
  const { tonearm } = await givenClient(t, [], { baseUrl: 'http://127.0.0.1:1', maxRetries: 2 });
  await assert.rejects(tonearm.releases.get('rel_1'), (error: unknown) => {
    assert.ok(error instanceof ConnectionError);
    assert.equal(error.attempts, 3);
    return true;
  });
});

test('a slow service is given up after timeoutMs for each attempt, and totalTimeoutMs for all', async (t) => {
  const { tonearm, received } = await givenClient(t, [neverAnswer]);
  const begun = performance.now();
  const limits = { timeoutMs: 50, maxRetries: 1 };
  await assert.rejects(tonearm.releases.get('rel_1', limits), TimeoutError);
  assert.equal(received.length, 2);
  await assert.rejects(tonearm.releases.get('rel_1', { totalTimeoutMs: 80 }), TimeoutError);
  assert.equal(received.length, 3, 'no time was left for another attempt');
  assert.ok(performance.now() - begun < 5_000);
});

test('a body that never ends is a timeout too', async (t) => {
  const { tonearm } = await givenClient(t, [(response) => response.writeHead(200).write('{')]);
  const limits = { timeoutMs: 50, maxRetries: 0 };
  await assert.rejects(tonearm.releases.get('rel_1', limits), TimeoutError);
});

test('of the refusals with 409, only that of a key in use is repeated', async (t) => {
  const inUse = refusal(409, 'idempotency_key_in_use', { 'retry-after': '0' });
  const final = refusal(409, 'invalid_state');
  const { tonearm, received } = await givenClient(t, [inUse, json(200, {}), final]);
  await tonearm.releases.submit('rel_1');
  assert.equal(received.length, 2);
  await assert.rejects(tonearm.releases.submit('rel_1'), ConflictError);
  assert.equal(received.length, 3);
});

test('a DELETE whose answer was lost has done its work if nothing is left', async (t) => {
  const gone = refusal(404, 'resource_not_found');
  const { tonearm } = await givenClient(t, [hangUp, gone]);
  assert.equal(await tonearm.releases.delete('rel_1'), undefined);
  await assert.rejects(tonearm.releases.delete('rel_1'), NotFoundError);
});

test('a POST without a key is repeated only if it was not executed', async (t) => {
  const limited = refusal(429, 'rate_limit_exceeded', { 'retry-after': '0' });
  const { tonearm, received } = await givenClient(t, [limited, hangUp]);
  await assert.rejects(tonearm.sandbox.inbox.receive('token', '{}'), ConnectionError);
  assert.equal(received.length, 2);
});

test('a signal ends a call at once, also between two attempts', async (t) => {
  const away = refusal(503, 'service_unavailable', { 'retry-after': '30' });
  let abort = () => {};
  const { tonearm, received } = await givenClient(t, [
    () => abort(),
    (response, request) => {
      // When the client has the answer, it waits for the next attempt.
      response.once('finish', () => setTimeout(() => abort(), 50));
      away(response, request);
    },
  ]);
  for (const requests of [1, 2]) {
    const controller = new AbortController();
    abort = () => controller.abort(new Error('enough'));
    const call = tonearm.releases.get('rel_1', { signal: controller.signal });
    await assert.rejects(call, /^Error: enough$/);
    assert.equal(received.length, requests);
  }
  await assert.rejects(
    tonearm.releases.get('rel_1', { signal: AbortSignal.abort(new Error('never')) }),
    /^Error: never$/,
  );
  assert.equal(received.length, 2, 'nothing was sent');
});

test('a redirect is not followed, and a page of HTML is not taken for an answer', async (t) => {
  const { tonearm, received } = await givenClient(t, [
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    (response) => response.writeHead(502).end('<html>Bad gateway'),
  ]);
  await assert.rejects(tonearm.releases.get('rel_1'), /redirect \(302\).*from baseUrl: check/);
  await assert.rejects(tonearm.releases.get('rel_1'), /is not JSON\. Check baseUrl/);
  assert.equal(received.length, 2);
  await assert.rejects(tonearm.releases.get('rel_1', { maxRetries: 0 }), (error: unknown) => {
    assert.ok(error instanceof ServerError && error instanceof TonearmError);
    assert.deepEqual([error.code, error.details], [undefined, []]);
    return true;
  });
});

/** Of a server that has stopped. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** Sets variables of the environment for one test. */
function givenEnvironment(t: TestContext, variables: Readonly<Record<string, string | undefined>>) {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

const nothingSet = {
  TONEARM_API_KEY: undefined,
  TONEARM_BASE_URL: undefined,
  TONEARM_URL: undefined,
};

test('an error of the connection names the address, where it is from, and what to do', async (t) => {
  const failing = async (options: TonearmOptions = {}) => {
    const tonearm = new Tonearm({ apiKey: 'ta_test_key', maxRetries: 0, ...options });
    const error: unknown = await tonearm.balance.get().catch((reason: unknown) => reason);
    assert.ok(error instanceof ConnectionError);
    return error.message;
  };
  const refused = await closedAddress();
  assert.equal(
    await failing({ baseUrl: refused }),
    `No answer from ${refused}: ECONNREFUSED. The address is from baseUrl: check that it is the address of the service.`,
  );
  givenEnvironment(t, { ...nothingSet, TONEARM_URL: `${refused}/v1` });
  assert.match(await failing(), /ECONNREFUSED\. The address is from TONEARM_URL: check/);
  givenEnvironment(t, nothingSet);
  const fetch = () => Promise.reject(new Error('refused'));
  assert.equal(
    await failing({ fetch }),
    'No answer from http://127.0.0.1:8420: refused. Neither baseUrl nor TONEARM_BASE_URL is set, so the SDK asks the sandbox on this machine: start it, or set one of them.',
  );
  const { tonearm } = await givenClient(t, [neverAnswer], { timeoutMs: 50, maxRetries: 0 });
  await assert.rejects(
    tonearm.balance.get(),
    /^TimeoutError: No answer from http.* within 50 ms\.$/,
  );
});

test('an address that is none names the variable that has it, not its value, which may be a key', (t) => {
  givenEnvironment(t, { ...nothingSet, TONEARM_URL: 'localhost:8420' });
  assert.throws(
    () => new Tonearm(),
    /^TonearmError: TONEARM_URL must be an absolute URL .*, for example http:\/\/127\.0\.0\.1:8420\.$/,
  );
});

test('an answer of something else says to check the address, and 401 without a key names the variable', async (t) => {
  const page: Handler = (response) => response.writeHead(404).end('<html>');
  const refused = refusal(401, 'authentication_required');
  const gateway = json(404, { error: { code: 404 } });
  const { tonearm } = await givenClient(t, [gateway, page, refused, refused], { maxRetries: 0 });
  await assert.rejects(tonearm.balance.get(), /is not one of the API\. The address/);
  await assert.rejects(
    tonearm.balance.get(),
    /status 404, and is not one of the API\. The address is from baseUrl: check/,
  );
  await assert.rejects(tonearm.balance.get(), { message: 'It is authentication_required.' });
  givenEnvironment(t, nothingSet);
  const withoutKey = new Tonearm({ baseUrl: tonearm.baseUrl });
  await assert.rejects(withoutKey.balance.get(), {
    message:
      'It is authentication_required. The client has no key: give it apiKey, or set TONEARM_API_KEY.',
  });
});
