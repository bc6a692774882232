/** Calls that succeed: what is sent, and how answers are read. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterOf, retryDelayMs } from '../src/core/retry.ts';
import { NotModifiedError, RateLimitError, Tonearm, TonearmError } from '../src/index.ts';
import { givenClient, hangUp, json, refusal } from './scripted-server.ts';

const page = (ids: readonly string[], next: string | null) =>
  json(200, { data: ids.map((id) => ({ id })), next_cursor: next, has_more: next !== null });

test('a call sends the key, who is calling, and its query', async (t) => {
  const options = { userAgent: 'label-sync/2', headers: { 'x-team': 'catalogue' } };
  const { tonearm, received } = await givenClient(t, [json(200, {})], options);
  await tonearm.request('GET', 'releases', {
    query: { label: 'Süd & Ost', upc: undefined, limit: 5 },
  });
  const [request] = received;
  assert.equal(request?.path, '/v1/releases?label=S%C3%BCd+%26+Ost&limit=5');
  assert.equal(request?.headers['authorization'], 'Bearer ta_test_key');
  assert.match(String(request?.headers['user-agent']), /^label-sync\/2 tonearm-sdk\/\d/);
  assert.equal(request?.headers['x-team'], 'catalogue');
  assert.equal(request?.headers['idempotency-key'], undefined);
});

test('an empty id never calls another operation', async (t) => {
  const { tonearm, received } = await givenClient(t, [json(200, {})]);
  assert.throws(() => tonearm.releases.get(''), TonearmError);
  assert.throws(
    () => tonearm.releases.get(undefined as unknown as string),
    /release_id is missing/,
  );
  assert.throws(() => tonearm.releases.delete('..'), TonearmError);
  await tonearm.releases.get('a/b?c');
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/v1/releases/a%2Fb%3Fc'],
  );
});

test('a list reads its pages, and no page more than it needs', async (t) => {
  const pages = [page(['a', 'b'], 'x'), page(['c'], null)];
  const { tonearm, received } = await givenClient(t, [...pages, ...pages, page(['a', 'b'], 'x')]);
  const ids: string[] = [];
  for await (const { id } of tonearm.releases.list({ limit: 2 })) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/v1/releases?limit=2', '/v1/releases?limit=2&cursor=x'],
  );
  const sizes: number[] = [];
  for await (const { data } of tonearm.releases.list().pages()) sizes.push(data.length);
  assert.deepEqual(sizes, [2, 1]);
  assert.equal((await tonearm.releases.list().toArray({ limit: 2 })).length, 2);
  assert.equal((await tonearm.releases.list().page()).next_cursor, 'x');
  assert.equal(received.length, 6);
});

test('a download of JSON lines continues after a break, where it was', async (t) => {
  const lines = [1, 2, 3, 4].map((n) => `${JSON.stringify({ id: `sli_${n}` })}\n`);
  const { tonearm, received } = await givenClient(t, [
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(`${lines[0]}${lines[1]}{"id":"sl`, () => response.destroy());
    },
    (response) => response.writeHead(200).end(lines.slice(2).join('')),
  ]);
  const ids: string[] = [];
  for await (const { id } of tonearm.statements.exportLineItems('stm_1')) ids.push(id);
  assert.deepEqual(ids, ['sli_1', 'sli_2', 'sli_3', 'sli_4']);
  assert.deepEqual(
    received.map(({ path }) => path.split('?')[1]),
    [undefined, 'after=sli_2'],
  );
});

test('a download with a next one goes on with it', async (t) => {
  const next = { link: '</v1/audit_log.jsonl?after=1>; rel="next"' };
  const { tonearm, received } = await givenClient(t, [
    (response) => response.writeHead(200, next).end('{"sequence":1}\n'),
    (response) => response.writeHead(200).end('{"sequence":2}'),
  ]);
  const sequences: number[] = [];
  for await (const { sequence } of tonearm.auditLog.export()) sequences.push(sequence);
  assert.deepEqual(sequences, [1, 2]);
  assert.equal(received[1]?.path, '/v1/audit_log.jsonl?after=1');
});

test('one OAuth token serves all calls, and is replaced when it is refused', async (t) => {
  let tokens = 0;
  const { tonearm, received } = await givenClient(
    t,
    [
      (response, { path, headers }) => {
        if (path === '/v1/oauth/token') {
          json(200, { access_token: `ta_at_${++tokens}`, token_type: 'Bearer', expires_in: 3600 })(
            response,
            { path, headers, method: '', body: Buffer.alloc(0) },
          );
        } else if (tokens === 1 && received.length > 4) {
          refusal(401, 'token_expired')(response, {
            path,
            headers,
            method: '',
            body: Buffer.alloc(0),
          });
        } else response.end(JSON.stringify({ token: headers['authorization'] }));
      },
    ],
    { oauth: { clientId: 'oac_1', clientSecret: 's3cret', scopes: ['releases:read'] } },
  );
  const call = () => tonearm.request<{ token: string }>('GET', '/v1/organization');
  const answers = await Promise.all([call(), call(), call()]);
  assert.deepEqual(new Set(answers.map(({ token }) => token)), new Set(['Bearer ta_at_1']));
  assert.equal(tokens, 1);
  assert.equal((await call()).token, 'Bearer ta_at_2');
  const form = new URLSearchParams(received[0]?.body.toString());
  assert.deepEqual(Object.fromEntries(form), {
    grant_type: 'client_credentials',
    client_id: 'oac_1',
    client_secret: 's3cret',
    scope: 'releases:read',
  });
});

test('a refusal of the token endpoint says what OAuth says', async (t) => {
  const { tonearm } = await givenClient(
    t,
    [json(401, { error: 'invalid_client', error_description: 'The secret is wrong.' })],
    { oauth: { clientId: 'oac_1', clientSecret: 'x' } },
  );
  await assert.rejects(tonearm.organization.get(), /invalid_client: The secret is wrong\./);
});

test('304 is a NotModifiedError', async (t) => {
  const { tonearm, received } = await givenClient(t, [(response) => response.writeHead(304).end()]);
  await assert.rejects(tonearm.releases.get('rel_1', { ifNoneMatch: '"3"' }), NotModifiedError);
  assert.equal(received[0]?.headers['if-none-match'], '"3"');
});

test('a call whose answer is read with withResponse leaves no rejection behind', async (t) => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listen);
  t.after(() => process.off('unhandledRejection', listen));
  const { tonearm } = await givenClient(t, [hangUp], { maxRetries: 0 });
  await assert.rejects(tonearm.releases.get('rel_1').withResponse());
  await tonearm.releases.get('rel_1').catch(() => undefined);
  await assert.rejects(tonearm.releases.get('rel_1').finally(() => undefined));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(unhandled, []);
});

test('Retry-After has seconds or a date; waits are random below a bound that doubles', () => {
  const after = (text: string) => retryAfterOf(new Headers({ 'retry-after': text }), 0);
  assert.deepEqual(
    ['7', 'Thu, 01 Jan 1970 00:01:30 GMT', 'Wed, 31 Dec 1969 00:00:00 GMT', 'soon', ' '].map(after),
    [7, 90, 0, undefined, undefined],
  );
  const limited = (retryAfter: number) =>
    new RateLimitError({
      status: 429,
      headers: new Headers(),
      message: '',
      retryAfter,
      attempts: 1,
    });
  const bounds = [1, 2, 3, 4, 5, 6].map((retry) => retryDelayMs(retry, undefined, () => 1));
  assert.deepEqual(bounds, [500, 1000, 2000, 4000, 8000, 8000]);
  assert.equal(
    retryDelayMs(5, undefined, () => 0),
    0,
  );
  assert.equal(
    retryDelayMs(1, limited(3), () => 0),
    3000,
  );
  assert.equal(
    retryDelayMs(1, limited(61), () => 0),
    undefined,
  );
});

test('a client says what is wrong with its options', () => {
  assert.throws(() => new Tonearm({ baseUrl: 'sandbox' }), /absolute URL/);
  assert.throws(() => new Tonearm({ apiKey: 'ta_live_x', baseUrl: '' }), /TONEARM_BASE_URL/);
  assert.throws(
    () => new Tonearm({ apiKey: 'x', oauth: { clientId: 'a', clientSecret: 'b' } }),
    /not both/,
  );
  assert.equal(new Tonearm({ baseUrl: 'https://api.example/v1/' }).baseUrl, 'https://api.example');
});
