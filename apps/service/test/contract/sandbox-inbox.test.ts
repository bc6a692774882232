/** The sandbox inbox for its owner: contract §4 (sandbox row), with §1, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { toUuid } from '../../src/kernel/ids.ts';
import {
  givenInbox,
  inboxPath,
  type InboxFixture,
  postToInbox,
  defaultAnswer,
} from '../inbox-fixture.ts';
import { type OrgClient, openTestService, type TestService } from '../test-service.ts';

describe('contract §4: the inbox', () => {
  let service: TestService;
  let fixture: InboxFixture;
  before(async () => {
    service = await openTestService();
  });
  beforeEach(async () => {
    fixture = await givenInbox(service);
  });
  after(() => service.close());

  const auditOf = (caller: OrgClient) =>
    service.query(
      `select action, audited_id from audit where org_id = $1 and actor_type = 'api_key' order by id`,
      [toUuid(caller.orgId as `org_${string}`)],
    );

  describe('GET', () => {
    test('has its own permanent URL, with at least 128 random bits', async () => {
      const { url, readInbox } = fixture;
      assert.match(url, new RegExp(`^${service.url}/v1/sandbox/inbox/[A-Za-z0-9_-]{32}$`));
      assert.deepEqual(await readInbox(), {
        url,
        answer: defaultAnswer,
        data: [],
        next_cursor: null,
        has_more: false,
      });
      const another = await service.givenOrganization();
      assert.notEqual((await another.call('GET', inboxPath)).json.url, url);
    });

    test('concurrent first reads all get the same URL', async () => {
      const { call } = await service.givenOrganization();
      const replies = await Promise.all(Array.from({ length: 10 }, () => call('GET', inboxPath)));
      const urls = new Set(replies.map(({ json }) => json.url));
      assert.equal(urls.size, 1);
      assert.equal((await postToInbox(replies[0]!.json.url, 'x')).status, 200);
    });

    test('the URL does not depend on the host headers of the request', async () => {
      const { label, url } = fixture;
      const { json } = await label.call('GET', inboxPath, undefined, {
        'x-forwarded-host': 'evil',
      });
      assert.equal(json.url, url);
      const otherService = await openTestService({ publicUrl: 'https://sandbox.example.com' });
      const reply = await (await otherService.givenOrganization()).call('GET', inboxPath);
      assert.match(reply.json.url, /^https:\/\/sandbox\.example\.com\/v1\/sandbox\/inbox\//);
      await otherService.close();
    });

    test('contract §1: newest first, in pages without gap or overlap', async () => {
      const { label, url, readInbox } = fixture;
      for (let i = 0; i < 7; i++) await postToInbox(url, `message ${i}`);
      const collected: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await readInbox(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
        assert.equal(page.has_more, page.next_cursor !== null);
        collected.push(...page.data.map(({ body }: { body: string }) => body));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(
        collected,
        Array.from({ length: 7 }, (_, i) => `message ${6 - i}`),
      );
      const refused = await label.call('GET', `${inboxPath}?cursor=forged`);
      assert.deepEqual([refused.status, refused.json.error.code], [400, 'invalid_cursor']);
    });

    test('a page of large messages ends early, with has_more', async () => {
      const { url, readInbox } = fixture;
      const large = Buffer.alloc(256 * 1024, 'x');
      for (let i = 0; i < 6; i++) assert.equal((await postToInbox(url, large)).status, 200);
      const first = await readInbox('?limit=100');
      assert.deepEqual([first.data.length, first.has_more], [4, true]);
      const rest = await readInbox(`?limit=100&cursor=${first.next_cursor}`);
      assert.deepEqual([rest.data.length, rest.has_more], [2, false]);
    });
  });

  describe('POST: how it answers', () => {
    test('exactly `times` of 20 concurrent requests get the chosen status; then 200 again', async () => {
      const { url, readInbox, setAnswer } = fixture;
      const configured = await setAnswer({ status: 503, times: 7, retry_after: 120 });
      assert.deepEqual(
        [configured.status, configured.json],
        [200, { url, answer: { status: 503, times: 7, delay: '0s', retry_after: 120 } }],
      );
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, i) => postToInbox(url, `${i}`)),
      );
      const failed = responses.filter(({ status }) => status === 503);
      assert.equal(failed.length, 7);
      assert.equal(responses.filter(({ status }) => status === 200).length, 13);
      for (const response of failed) {
        assert.equal(response.headers.get('retry-after'), '120');
        assert.deepEqual(await response.json(), { received: false });
      }
      const { answer, data } = await readInbox();
      assert.deepEqual(answer, defaultAnswer);
      const recorded = data.filter(({ status }: { status: number }) => status === 503);
      assert.equal(recorded.length, 7, 'each message has the status it was answered with');
    });

    test('the remaining times are shown; without times the answer stays until it is changed', async () => {
      const { url, readInbox, setAnswer } = fixture;
      await setAnswer({ status: 500, times: 3 });
      await postToInbox(url, 'x');
      assert.equal((await readInbox()).answer.times, 2);
      await setAnswer({ status: 410, times: null });
      for (let i = 0; i < 5; i++) assert.equal((await postToInbox(url, 'x')).status, 410);
      assert.equal((await readInbox()).answer.times, null);
      await setAnswer({ status: 200 });
      assert.equal((await postToInbox(url, 'x')).status, 200);
    });

    for (const status of [200, 201, 204, 205, 301, 304, 401, 404, 418, 429, 500, 599]) {
      test(`${status} can be chosen`, async () => {
        const { url, setAnswer } = fixture;
        await setAnswer({ status });
        const response = await postToInbox(url, 'x');
        assert.equal(response.status, status);
        const text = await response.text();
        const hasBody = ![204, 205, 304].includes(status);
        assert.equal(text, hasBody ? JSON.stringify({ received: status < 300 }) : '');
        assert.match(response.headers.get('x-request-id') ?? '', /^req_/, 'contract §1');
        assert.ok(response.headers.get('ratelimit-limit'), 'contract §1');
      });
    }

    test('with a delay it stores the message first, keeps no transaction open, and answers late', async () => {
      const { url, readInbox, setAnswer } = fixture;
      await setAnswer({ status: 500, times: 1, delay: '08s' });
      assert.equal((await readInbox()).answer.delay, '8s');
      const startedAt = performance.now();
      const delayed = postToInbox(url, 'slow');
      await until('the message is stored', async () => (await readInbox()).data.length === 1);
      const [{ open }] = await service.query(
        `select count(*)::int as open from pg_stat_activity
          where datname = current_database() and usename = 'tonearm_app' and state like 'idle in transaction%'`,
      );
      assert.equal(open, 0);
      assert.equal((await postToInbox(url, 'quick')).status, 200, 'the next one does not wait');
      assert.ok(performance.now() - startedAt < 7_900);
      assert.equal((await delayed).status, 500);
      assert.ok(performance.now() - startedAt >= 7_990);
    });

    test('delayed requests are answered when the service shuts down', async () => {
      const closing = await openTestService();
      const { call } = await closing.givenOrganization();
      const { json } = await call('POST', inboxPath, { status: 202, delay: '35s' });
      const delayed = postToInbox(json.url, 'x');
      await until(
        'the message is stored and its answer waits',
        async () => (await call('GET', inboxPath)).json.data.length === 1,
      );
      const startedAt = performance.now();
      closing.state.isDraining = true;
      await closing.close();
      assert.equal((await delayed).status, 202);
      assert.ok(performance.now() - startedAt < 30_000);
    });

    const refused: readonly [what: string, body: object, code: string, field: string][] = [
      ['no status', {}, 'missing_required_field', 'status'],
      ['199', { status: 199 }, 'invalid_field', 'status'],
      ['600', { status: 600 }, 'invalid_field', 'status'],
      ['no times', { status: 500, times: 0 }, 'invalid_field', 'times'],
      ['1,001 times', { status: 500, times: 1_001 }, 'invalid_field', 'times'],
      ['36s', { status: 500, delay: '36s' }, 'invalid_field', 'delay'],
      ['minutes', { status: 500, delay: '1m' }, 'invalid_field', 'delay'],
      ['days', { status: 500, retry_after: 86_401 }, 'invalid_field', 'retry_after'],
      ['something else', { status: 500, colour: 'red' }, 'unknown_field', 'colour'],
      ['its url', { status: 500, url: 'x' }, 'read_only_field', 'url'],
    ];
    for (const [what, body, code, field] of refused) {
      test(`contract §7: ${what} → ${code}, and the answer does not change`, async () => {
        const { readInbox, setAnswer } = fixture;
        const { status, json } = await setAnswer(body);
        assert.deepEqual(
          [status, json.error.code, json.error.details[0].field],
          [422, code, field],
        );
        assert.deepEqual((await readInbox()).answer, defaultAnswer);
      });
    }

    test('contract §8: a replay does not set the answer again; each change is audited', async () => {
      const { label, url, readInbox } = fixture;
      const key = { 'idempotency-key': randomUUID() };
      const first = await label.call('POST', inboxPath, { status: 500, times: 2 }, key);
      await postToInbox(url, 'x');
      const replay = await label.call('POST', inboxPath, { status: 500, times: 2 }, key);
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
      assert.equal(replay.text, first.text);
      assert.equal((await readInbox()).answer.times, 1, 'the one that is left');
      await label.call('DELETE', inboxPath);
      assert.deepEqual(
        await auditOf(label),
        ['sandbox_inbox.tell', 'sandbox_inbox.empty'].map((action) => ({
          action,
          audited_id: label.orgId,
        })),
      );
    });

    test('the answer can be set before the inbox was ever read', async () => {
      const { call } = await service.givenOrganization();
      const { json } = await call('POST', inboxPath, { status: 400 });
      assert.equal((await postToInbox(json.url, 'x')).status, 400);
      assert.equal((await call('GET', inboxPath)).json.url, json.url);
    });
  });

  describe('DELETE', () => {
    test('empties it: no messages, the default answer, the same URL', async () => {
      const { label, url, readInbox, setAnswer } = fixture;
      await setAnswer({ status: 500 });
      await postToInbox(url, 'x');
      const { status, text } = await label.call('DELETE', inboxPath);
      assert.deepEqual([status, text], [204, '']);
      const inbox = await readInbox();
      assert.deepEqual([inbox.url, inbox.answer, inbox.data], [url, defaultAnswer, []]);
      assert.equal((await postToInbox(url, 'again')).status, 200);
      assert.equal((await readInbox()).data.length, 1);
    });

    test('an inbox that was never read is empty already', async () => {
      const { call } = await service.givenOrganization();
      assert.equal((await call('DELETE', inboxPath)).status, 204);
    });
  });
});
