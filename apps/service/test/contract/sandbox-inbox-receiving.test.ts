/** How the sandbox inbox stores what it receives: contract §4 (sandbox row), §6, §7. */

import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { givenInbox, type InboxFixture, postToInbox } from '../inbox-fixture.ts';
import { openTestService, type TestService } from '../test-service.ts';

describe('messages in an inbox', () => {
  let service: TestService;
  let fixture: InboxFixture;
  before(async () => {
    service = await openTestService();
  });
  beforeEach(async () => {
    fixture = await givenInbox(service);
  });
  after(() => service.close());

  test('contract §6: keep their exact bytes, so that signatures can be verified, and their headers', async () => {
    const { url, newestMessage } = fixture;
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const body = '{ "id" : "evt_1",\r\n\t"title":"Ünïcødé 🎧 \\u0000", "n": 1.0 }\n';
    const svc = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const standard = `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`evt_1.1700000000.${body}`)
      .digest('base64')}`;
    const startedAt = service.clock.now().getTime();
    const response = await postToInbox(url, body, {
      'content-type': 'application/json',
      'X-SVC-Signature': svc,
      'X-SVC-Event': 'release.created',
      'X-SVC-Delivery': 'att_1',
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': standard,
    });
    assert.deepEqual([response.status, await response.json()], [200, { received: true }]);

    const message = await newestMessage();
    assert.match(message.id, /^inb_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.equal(message.body, body);
    assert.equal(message.body_base64, null);
    assert.equal(message.body_sha256, createHash('sha256').update(body).digest('hex'));
    assert.equal(message.status, 200);
    assert.equal(message.event_id, 'evt_1');
    assert.equal(message.event_type, 'release.created');
    assert.ok(Math.abs(Date.parse(message.received_at) - startedAt) < 10_000, 'real time');
    const { headers } = message;
    assert.equal(headers['x-svc-delivery'], 'att_1');
    assert.equal(
      headers['x-svc-signature'],
      `sha256=${createHmac('sha256', secret).update(message.body).digest('hex')}`,
    );
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${message.body}`;
    const key = Buffer.from(secret.slice(6), 'base64');
    assert.equal(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
  });

  const bodies: readonly [what: string, bytes: Buffer][] = [
    ['a byte order mark', Buffer.from('\uFEFF{}')],
    ['NUL', Buffer.from('a\0b')],
    ['an empty body', Buffer.alloc(0)],
    ['broken JSON', Buffer.from('{"a":')],
    ['every byte value', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
    ['half a character', Buffer.from('é').subarray(0, 1)],
  ];
  for (const [what, bytes] of bodies) {
    test(`${what} is stored byte for byte`, async () => {
      const { url, newestMessage } = fixture;
      for (const type of ['application/json', 'text/plain', 'image/png', 'x/y; charset=utf-16']) {
        assert.equal((await postToInbox(url, bytes, { 'content-type': type })).status, 200, type);
        const { body, body_base64, body_sha256, headers, event_id, event_type } =
          await newestMessage();
        assert.equal(headers['content-type'], type);
        assert.deepEqual([event_id, event_type], [null, null]);
        assert.equal((body === null) !== (body_base64 === null), true, 'one or the other');
        const stored = body === null ? Buffer.from(body_base64, 'base64') : Buffer.from(body);
        assert.deepEqual(stored, bytes);
        assert.equal(body_sha256, createHash('sha256').update(bytes).digest('hex'));
      }
    });
  }

  test('are accepted without a content type and in chunks', async () => {
    const { url, newestMessage } = fixture;
    const { port, hostname, pathname } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname });
    let response = '';
    socket.on('data', (chunk) => (response += chunk.toString()));
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    socket.write('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
    await new Promise((resolve) => socket.once('close', resolve));
    assert.match(response, /^HTTP\/1\.1 200 /);
    assert.equal((await newestMessage()).body, 'abcde');
  });

  test('contract §7: over 256 KiB are payload_too_large, and not stored', async () => {
    const { url, readInbox } = fixture;
    assert.equal((await postToInbox(url, Buffer.alloc(256 * 1024))).status, 200);
    const refused = await postToInbox(url, Buffer.alloc(256 * 1024 + 1));
    const { error } = (await refused.json()) as { error: { code: string } };
    assert.deepEqual([refused.status, error.code], [413, 'payload_too_large']);
    assert.equal((await readInbox()).data.length, 1);
  });

  test('are stored without credentials, and with at most 64 headers and 8 KiB of headers', async () => {
    const { url, newestMessage } = fixture;
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`x-filler-${i}`, 'y'.repeat(200)]),
    );
    const secrets = { authorization: 'Bearer hush', cookie: 'hush=1', 'x-api-key': 'hush' };
    assert.equal((await postToInbox(url, 'x', { ...secrets, ...many })).status, 200);
    const { headers } = await newestMessage();
    const entries = Object.entries<string>(headers);
    assert.ok(entries.length > 20 && entries.length <= 64);
    const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    assert.ok(size <= 8 * 1024);
    assert.ok(!JSON.stringify(headers).includes('hush'));
  });

  test('are limited to the newest 1,000, also when they arrive concurrently', async () => {
    const { url, readInbox } = fixture;
    const sent = 1_030;
    let next = 0;
    const postUntilSent = async () => {
      while (next < sent) assert.equal((await postToInbox(url, `m${next++}`)).status, 200);
    };
    await Promise.all(Array.from({ length: 10 }, postUntilSent));
    const numbers: number[] = [];
    let cursor = '';
    do {
      const page = await readInbox(`?limit=100${cursor}`);
      numbers.push(
        ...page.data.map(({ body }: { body: string }) => Number(/^m(\d+)$/.exec(body)?.[1])),
      );
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    assert.equal(numbers.length, 1_000);
    assert.equal(new Set(numbers).size, 1_000);
    // Ten are sent at a time, so none of the last 990 can have been deleted.
    assert.ok(numbers.filter((number) => number >= sent - 990).length === 990);
  });
});
