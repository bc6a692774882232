/** Access to the sandbox inbox and its rate limit: contract §4 (sandbox row), §5, §7, §9. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import type { RateLimiter } from '../../src/kernel/rate.ts';
import {
  givenInbox,
  inboxPath,
  type InboxFixture,
  postToInbox,
  defaultAnswer,
} from '../inbox-fixture.ts';
import { openTestService, unlimited, type TestService } from '../test-service.ts';

describe('access to an inbox', () => {
  let service: TestService;
  let fixture: InboxFixture;
  before(async () => {
    service = await openTestService();
  });
  beforeEach(async () => {
    fixture = await givenInbox(service);
  });
  after(() => service.close());

  test('another organization can neither read, configure nor empty it', async () => {
    const { url, readInbox, setAnswer } = fixture;
    const other = await service.givenOrganization();
    await postToInbox(url, 'secret');
    await setAnswer({ status: 500 });
    const { json } = await other.call('GET', inboxPath);
    assert.deepEqual([json.data, json.answer], [[], defaultAnswer]);
    await other.call('POST', inboxPath, { status: 404 });
    await other.call('DELETE', inboxPath);
    const mine = await readInbox();
    assert.deepEqual([mine.data[0].body, mine.answer.status], ['secret', 500]);
    await postToInbox(url, 'more');
    const { next_cursor } = await readInbox('?limit=1');
    const stolen = await other.call('GET', `${inboxPath}?limit=1&cursor=${next_cursor}`);
    assert.deepEqual([stolen.status, stolen.json.error.code], [400, 'invalid_cursor']);
  });

  test('contract §5: needs sandbox:write', async () => {
    const { call } = await service.givenOrganization({ scopes: 'webhooks:write' });
    for (const method of ['GET', 'POST', 'DELETE']) {
      const body = method === 'POST' ? { status: 200 } : undefined;
      const { status, json } = await call(method, inboxPath, body);
      assert.deepEqual([status, json.error.code], [403, 'insufficient_scope'], method);
    }
    assert.equal((await service.request(undefined, 'GET', inboxPath)).status, 401);
  });

  test('every unknown or malformed token is the same resource_not_found', async () => {
    const { url, readInbox } = fixture;
    const token = url.split('/').at(-1) ?? '';
    const wrong = [
      randomBytes(24).toString('base64url'),
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      '%00',
      'x'.repeat(300),
    ];
    const replies = await Promise.all(
      wrong.map((each) => service.request(undefined, 'POST', `${inboxPath}/${each}`, {})),
    );
    const texts = replies.map(({ text }) => text.replaceAll(/req_\w{26}/g, 'req_'));
    for (const { status, json } of replies) {
      assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
    }
    assert.equal(new Set(texts).size, 1, 'all the same');
    assert.deepEqual((await readInbox()).data, []);
  });

  test('the token is stored only as a hash and sealed, and is in no log', async () => {
    const lines: string[] = [];
    const watched = await openTestService({ log: (line) => lines.push(line) });
    const { call } = await watched.givenOrganization();
    const { json } = await call('GET', inboxPath);
    const token: string = json.url.split('/').at(-1);
    await postToInbox(json.url, 'hello');
    await until('the request is logged', () => lines.some((l) => l.includes(':token')));
    assert.ok(!lines.join('').includes(token));
    const [{ sealed, hashes }] = await watched.query(
      `select encode(sealed_token, 'escape') as sealed,
              (select count(*)::int from inbox_tokens where sha256 = sha256($1::bytea)) as hashes
         from inboxes`,
      [token],
    );
    assert.ok(!sealed.includes(token));
    assert.equal(hashes, 1);
    await watched.close();
  });

  test('contract §7: another method on an inbox URL → 405 with Allow', async () => {
    const { label, url } = fixture;
    const { status, headers } = await label.call('GET', new URL(url).pathname);
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  });
});

describe('contract §9: the inbox has its own rate limit', () => {
  /** Rate keys whose requests the limiter refuses. */
  const exhausted = new Set<string>();
  const limiter: RateLimiter = {
    consume: async (rateKey, policy) => {
      const verdict = await unlimited.consume(rateKey, policy);
      if (!exhausted.has(rateKey)) return verdict;
      return { ...verdict, isAllowed: false, remaining: 0, retryAfterSeconds: 1 };
    },
    close: unlimited.close,
  };
  let service: TestService;
  let flooded: InboxFixture;
  let other: InboxFixture;
  before(async () => {
    service = await openTestService({ limiter });
    flooded = await givenInbox(service);
    other = await givenInbox(service);
    exhausted.add(`inbox:${flooded.label.orgId}`);
  });
  after(() => service.close());

  test('300 per second and 12,000 per minute, for all sender addresses together', async () => {
    const { status, headers } = await postToInbox(other.url, 'x');
    assert.deepEqual([status, headers.get('ratelimit-policy')], [200, '12000;w=60, 300;w=1']);
  });

  test('a flooded inbox refuses and stores nothing; its owner and other inboxes are not affected', async () => {
    const refused = await postToInbox(flooded.url, 'x');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.deepEqual((await flooded.readInbox()).data, []);
    assert.equal((await postToInbox(other.url, 'x')).status, 200);
  });

  test('the inbox of an owner over the rate limit still receives', async () => {
    exhausted.add(other.label.orgId);
    assert.equal((await other.label.call('GET', inboxPath)).status, 429);
    assert.equal((await postToInbox(other.url, 'x')).status, 200);
  });

  test('a request with a guessed token has the anonymous limit: 10 per second', async () => {
    const { status, headers } = await postToInbox(
      `${service.url}${inboxPath}/${randomBytes(24).toString('base64url')}`,
    );
    assert.deepEqual([status, headers.get('ratelimit-policy')], [404, '60;w=60, 10;w=1']);
  });
});

describe('contract §4: in live there is no inbox', () => {
  test('every path of it is route_not_found', async () => {
    const live = await openTestService({ environment: 'live' });
    const { call } = await live.givenOrganization();
    const token = randomBytes(24).toString('base64url');
    for (const [method, path] of [
      ['GET', inboxPath],
      ['POST', inboxPath],
      ['DELETE', inboxPath],
      ['POST', `${inboxPath}/${token}`],
    ] as const) {
      const { status, json } = await call(
        method,
        path,
        method === 'POST' ? { status: 200 } : undefined,
      );
      assert.deepEqual([status, json.error.code], [404, 'route_not_found'], `${method} ${path}`);
    }
    await live.close();
  });
});
