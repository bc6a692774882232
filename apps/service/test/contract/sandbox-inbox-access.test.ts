/** Whose the sandbox's inbox is, and how much it takes: contract §4 (sandbox row), §5, §7, §9. */

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

describe('whose an inbox is', () => {
  let service: TestService;
  let fixture: InboxFixture;
  before(async () => {
    service = await openTestService();
  });
  beforeEach(async () => {
    fixture = await givenInbox(service);
  });
  after(() => service.close());

  test('nothing of it is seen, told or emptied by another organization', async () => {
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

  test('an unknown token is resource_not_found, whatever is wrong with it', async () => {
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
    const answers = await Promise.all(
      wrong.map((each) => service.request(undefined, 'POST', `${inboxPath}/${each}`, {})),
    );
    const texts = answers.map(({ text }) => text.replaceAll(/req_\w{26}/g, 'req_'));
    for (const { status, json } of answers) {
      assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
    }
    assert.equal(new Set(texts).size, 1, 'all alike');
    assert.deepEqual((await readInbox()).data, []);
  });

  test('the token is stored as a hash and sealed, never as it is, and is in no log', async () => {
    const lines: string[] = [];
    const watched = await openTestService({ log: (line) => lines.push(line) });
    const { call } = await watched.givenOrganization();
    const { json } = await call('GET', inboxPath);
    const token: string = json.url.split('/').at(-1);
    await postToInbox(json.url, 'hello');
    await until('the request is logged', () => lines.some((l) => l.includes(':token')), 5_000);
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

  test('contract §7: another method on an address → 405 with Allow', async () => {
    const { label, url } = fixture;
    const { status, headers } = await label.call('GET', new URL(url).pathname);
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  });
});

describe('contract §9: the inbox has a limit of its own', () => {
  /** Counts as the real one would, but has had enough of whoever is named here. */
  const exhausted = new Set<string>();
  const limiter: RateLimiter = {
    consume: async (subject, policy) => {
      const verdict = await unlimited.consume(subject, policy);
      if (!exhausted.has(subject)) return verdict;
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

  test('300 a second and 12,000 a minute, whatever the address they come from', async () => {
    const { status, headers } = await postToInbox(other.url, 'x');
    assert.deepEqual([status, headers.get('ratelimit-policy')], [200, '12000;w=60, 300;w=1']);
  });

  test('a flood is refused, keeps nothing, and hurts neither its owner nor another', async () => {
    const refused = await postToInbox(flooded.url, 'x');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    assert.deepEqual((await flooded.readInbox()).data, []);
    assert.equal((await postToInbox(other.url, 'x')).status, 200);
  });

  test('an owner who asks too much still receives', async () => {
    exhausted.add(other.label.orgId);
    assert.equal((await other.label.call('GET', inboxPath)).status, 429);
    assert.equal((await postToInbox(other.url, 'x')).status, 200);
  });

  test('whoever guesses addresses is a stranger: 10 a second', async () => {
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
    for (const [method, where] of [
      ['GET', inboxPath],
      ['POST', inboxPath],
      ['DELETE', inboxPath],
      ['POST', `${inboxPath}/${token}`],
    ] as const) {
      const { status, json } = await call(
        method,
        where,
        method === 'POST' ? { status: 200 } : undefined,
      );
      assert.deepEqual([status, json.error.code], [404, 'route_not_found'], `${method} ${where}`);
    }
    await live.close();
  });
});
