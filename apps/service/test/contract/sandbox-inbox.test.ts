/** The sandbox's inbox as its owner sees it: contract §4 (sandbox row), with §1, §7, §8. */

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
    test('has an address of its own, which stays, with 128 random bits or more', async () => {
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

    test('many who look first at once are shown one address', async () => {
      const { call } = await service.givenOrganization();
      const replies = await Promise.all(Array.from({ length: 10 }, () => call('GET', inboxPath)));
      const urls = new Set(replies.map(({ json }) => json.url));
      assert.equal(urls.size, 1);
      assert.equal((await postToInbox(replies[0]!.json.url, 'x')).status, 200);
    });

    test('the address is not made from what the request says of its host', async () => {
      const { label, url } = fixture;
      const { json } = await label.call('GET', inboxPath, undefined, {
        'x-forwarded-host': 'evil',
      });
      assert.equal(json.url, url);
      const elsewhere = await openTestService({ publicUrl: 'https://sandbox.example.com' });
      const reply = await (await elsewhere.givenOrganization()).call('GET', inboxPath);
      assert.match(reply.json.url, /^https:\/\/sandbox\.example\.com\/v1\/sandbox\/inbox\//);
      await elsewhere.close();
    });

    test('contract §1: newest first, in pages without gap or overlap', async () => {
      const { label, url, readInbox } = fixture;
      for (let i = 0; i < 7; i++) await postToInbox(url, `message ${i}`);
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await readInbox(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
        assert.equal(page.has_more, page.next_cursor !== null);
        seen.push(...page.data.map(({ body }: { body: string }) => body));
        cursor = page.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(
        seen,
        Array.from({ length: 7 }, (_, i) => `message ${6 - i}`),
      );
      const refused = await label.call('GET', `${inboxPath}?cursor=forged`);
      assert.deepEqual([refused.status, refused.json.error.code], [400, 'invalid_cursor']);
    });

    test('a page of large messages ends early, and says that there are more', async () => {
      const { url, readInbox } = fixture;
      const large = Buffer.alloc(256 * 1024, 'x');
      for (let i = 0; i < 6; i++) assert.equal((await postToInbox(url, large)).status, 200);
      const first = await readInbox('?limit=100');
      assert.deepEqual([first.data.length, first.has_more], [4, true]);
      const rest = await readInbox(`?limit=100&cursor=${first.next_cursor}`);
      assert.deepEqual([rest.data.length, rest.has_more], [2, false]);
    });
  });

  describe('told how to answer', () => {
    test('exactly n of 20 at once fail as told; then 200 again', async () => {
      const { url, readInbox, setAnswer } = fixture;
      const told = await setAnswer({ status: 503, times: 7, retry_after: 120 });
      assert.deepEqual(
        [told.status, told.json],
        [200, { url, answer: { status: 503, times: 7, delay: '0s', retry_after: 120 } }],
      );
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => postToInbox(url, `${i}`)),
      );
      const failed = answers.filter(({ status }) => status === 503);
      assert.equal(failed.length, 7);
      assert.equal(answers.filter(({ status }) => status === 200).length, 13);
      for (const answer of failed) {
        assert.equal(answer.headers.get('retry-after'), '120');
        assert.deepEqual(await answer.json(), { received: false });
      }
      const { answer, data } = await readInbox();
      assert.deepEqual(answer, defaultAnswer);
      const recorded = data.filter(({ status }: { status: number }) => status === 503);
      assert.equal(recorded.length, 7, 'and each message says what it was answered');
    });

    test('what is left of the times is shown; without times it lasts until told otherwise', async () => {
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
      test(`${status} can be told`, async () => {
        const { url, setAnswer } = fixture;
        await setAnswer({ status });
        const answer = await postToInbox(url, 'x');
        assert.equal(answer.status, status);
        const text = await answer.text();
        const hasBody = ![204, 205, 304].includes(status);
        assert.equal(text, hasBody ? JSON.stringify({ received: status < 300 }) : '');
        assert.match(answer.headers.get('x-request-id') ?? '', /^req_/, 'contract §1');
        assert.ok(answer.headers.get('ratelimit-limit'), 'contract §1');
      });
    }

    test('told to wait, it keeps the message first, holds no transaction, and answers late', async () => {
      const { url, readInbox, setAnswer } = fixture;
      await setAnswer({ status: 500, times: 1, delay: '02s' });
      assert.equal((await readInbox()).answer.delay, '2s');
      const begun = performance.now();
      const late = postToInbox(url, 'slow');
      await until('it is kept', async () => (await readInbox()).data.length === 1, 1_500);
      const [{ open }] = await service.query(
        `select count(*)::int as open from pg_stat_activity
          where datname = current_database() and usename = 'tonearm_app' and state like 'idle in transaction%'`,
      );
      assert.equal(open, 0);
      assert.equal((await postToInbox(url, 'quick')).status, 200, 'the next one does not wait');
      assert.ok(performance.now() - begun < 1_900);
      assert.equal((await late).status, 500);
      assert.ok(performance.now() - begun >= 1_990);
    });

    test('whoever waits is answered when the service leaves', async () => {
      const leaving = await openTestService();
      const { call } = await leaving.givenOrganization();
      const { json } = await call('POST', inboxPath, { status: 202, delay: '35s' });
      const late = postToInbox(json.url, 'x');
      await until(
        'it waits',
        async () => (await call('GET', inboxPath)).json.data.length === 1,
        5_000,
      );
      const begun = performance.now();
      leaving.state.isDraining = true;
      await leaving.close();
      assert.equal((await late).status, 202);
      assert.ok(performance.now() - begun < 5_000);
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
      test(`contract §7: ${what} → ${code}, and nothing is told`, async () => {
        const { readInbox, setAnswer } = fixture;
        const { status, json } = await setAnswer(body);
        assert.deepEqual(
          [status, json.error.code, json.error.details[0].field],
          [422, code, field],
        );
        assert.deepEqual((await readInbox()).answer, defaultAnswer);
      });
    }

    test('contract §8: a retry with its key tells nothing twice; each change is audited', async () => {
      const { label, url, readInbox } = fixture;
      const key = { 'idempotency-key': randomUUID() };
      const first = await label.call('POST', inboxPath, { status: 500, times: 2 }, key);
      await postToInbox(url, 'x');
      const again = await label.call('POST', inboxPath, { status: 500, times: 2 }, key);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.equal(again.text, first.text);
      assert.equal((await readInbox()).answer.times, 1, 'still the one that is left');
      await label.call('DELETE', inboxPath);
      assert.deepEqual(
        await auditOf(label),
        ['sandbox_inbox.tell', 'sandbox_inbox.empty'].map((action) => ({
          action,
          audited_id: label.orgId,
        })),
      );
    });

    test('it can be told before it was ever looked at', async () => {
      const { call } = await service.givenOrganization();
      const { json } = await call('POST', inboxPath, { status: 400 });
      assert.equal((await postToInbox(json.url, 'x')).status, 400);
      assert.equal((await call('GET', inboxPath)).json.url, json.url);
    });
  });

  describe('DELETE', () => {
    test('empties it: no message, the usual answer, the same address', async () => {
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

    test('an inbox nobody ever looked at is empty already', async () => {
      const { call } = await service.givenOrganization();
      assert.equal((await call('DELETE', inboxPath)).status, 204);
    });
  });
});
