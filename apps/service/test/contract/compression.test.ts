/** Compressed answers: the same content in fewer bytes, with the conditions of contract §1 and the replays of §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as send } from 'undici';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

/** A release of more than 1 KiB. */
const largeDraft = (title: string) =>
  draft({ title, metadata: { note: 'Sung on the night train. '.repeat(15) } });

describe('compressed answers', () => {
  let service: TestService;
  let label: OrgClient;
  let releaseId: string;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    for (let i = 0; i < 5; i++) {
      const { json } = await label.call('POST', '/v1/releases', largeDraft(`Night Drive ${i}`));
      releaseId = json.id;
    }
    await service.sequenceEvents();
  });
  after(() => service.close());

  type Options = { readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH'; readonly body?: object };

  /** Undici's `request` sends no Accept-Encoding of its own, and does not decode. */
  const call = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    { method = 'GET', body }: Options = {},
  ) => {
    const reply = await send(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${label.key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    const coding = reply.headers['content-encoding'];
    const decoded =
      coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    const { statusCode: status } = reply;
    return { status, headers: reply.headers, coding, bytes, text: decoded.toString() };
  };

  const accepts: readonly (readonly [accepted: string | undefined, coding: string | undefined])[] =
    [
      [undefined, undefined],
      ['', undefined],
      ['identity', undefined],
      ['deflate', undefined],
      ['gzip, deflate', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', undefined],
      ['GZIP;Q=1', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *', 'gzip'],
      ['br;q=nonsense', undefined],
    ];
  for (const [accepted, coding] of accepts) {
    test(`a list for Accept-Encoding ${accepted ?? '(none)'} is sent with ${coding ?? 'no coding'}`, async () => {
      const plain = await call('/v1/releases', {});
      const reply = await call(
        '/v1/releases',
        accepted === undefined ? {} : { 'accept-encoding': accepted },
      );
      assert.equal(reply.coding, coding);
      assert.equal(reply.headers['vary'], 'accept-encoding');
      assert.equal(reply.headers['content-length'], String(reply.bytes.length));
      assert.equal(reply.text, plain.text);
      if (coding !== undefined) assert.ok(reply.bytes.length < plain.bytes.length / 3);
    });
  }

  test('an answer of less than 1 KiB and HEAD are not compressed', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    const small = await call('/v1/releases?limit=1&status=delivered', headers);
    assert.deepEqual([small.status, small.coding], [200, undefined]);
    const head = await call('/v1/releases', headers, { method: 'HEAD' });
    assert.deepEqual([head.status, head.coding, head.bytes.length], [200, undefined, 0]);
  });

  for (const accepted of ['br', 'gzip']) {
    test(`contract §1: the ETag of a resource in ${accepted} is weak, answers 304 and is accepted by If-Match`, async () => {
      const path = `/v1/releases/${releaseId}`;
      const headers = { 'accept-encoding': accepted };
      const plain = await call(path, {});
      assert.match(String(plain.headers['etag']), /^"/);
      const reply = await call(path, headers);
      assert.equal(reply.coding, accepted);
      const etag = String(reply.headers['etag']);
      assert.equal(etag, `W/${String(plain.headers['etag'])}`);
      const known = await call(path, { ...headers, 'if-none-match': etag });
      assert.deepEqual(
        [known.status, known.headers['etag'], known.coding, known.text],
        [304, etag, undefined, ''],
      );
      const patch = { method: 'PATCH', body: { title: `Changed for ${accepted}` } } as const;
      const changed = await call(path, { ...headers, 'if-match': etag }, patch);
      assert.equal(changed.status, 200, changed.text);
      const late = await call(path, { ...headers, 'if-match': etag }, patch);
      assert.equal(late.status, 412);
    });
  }

  test('contract §8: a replay has the same content in whatever coding the retry accepts', async () => {
    const key = randomUUID();
    const create = (headers: Record<string, string>) =>
      call(
        '/v1/releases',
        { 'idempotency-key': key, ...headers },
        { method: 'POST', body: largeDraft('Replayed') },
      );
    const first = await create({ 'accept-encoding': 'gzip' });
    assert.deepEqual([first.status, first.coding], [201, 'gzip'], first.text);
    const inBrotli = await create({ 'accept-encoding': 'br' });
    const plain = await create({});
    assert.deepEqual([inBrotli.coding, plain.coding], ['br', undefined]);
    for (const replay of [inBrotli, plain]) {
      assert.equal(replay.headers['idempotency-replayed'], 'true');
      assert.equal(replay.text, first.text);
    }
    assert.equal(`W/${String(plain.headers['etag'])}`, first.headers['etag']);
  });

  test('contract §4: the request log has the answer before its compression', async () => {
    const reply = await call('/v1/releases', { 'accept-encoding': 'br' });
    await service.flushRequests();
    const { json } = await label.call(
      'GET',
      `/v1/requests/${String(reply.headers['x-request-id'])}`,
    );
    assert.equal(json.response.body_bytes, Buffer.byteLength(reply.text));
    assert.match(json.response.body, /^\{"data":\[/);
  });

  for (const accepted of ['br', 'gzip']) {
    test(`an export is compressed with ${accepted} while it is sent`, async () => {
      const plain = await call('/v1/audit_log.jsonl', {});
      const reply = await call('/v1/audit_log.jsonl', { 'accept-encoding': accepted });
      assert.equal(reply.coding, accepted);
      assert.equal(reply.headers['transfer-encoding'], 'chunked');
      assert.equal(reply.text, plain.text);
      assert.ok(plain.text.split('\n').length > 5);
    });
  }

  for (const path of ['/openapi.json', '/docs/', '/docs/js/scalar.js']) {
    test(`${path} is compressed, and is not sent again to a client that has it`, async () => {
      const plain = await call(path, {});
      for (const accepted of ['br', 'gzip']) {
        const headers = { 'accept-encoding': accepted };
        const first = await call(path, headers);
        assert.deepEqual([first.status, first.coding], [200, accepted]);
        assert.equal(first.text, plain.text);
        assert.ok((await call(path, headers)).bytes.equals(first.bytes));
        const known = await call(path, {
          ...headers,
          'if-none-match': String(first.headers['etag']),
        });
        assert.deepEqual(
          [known.status, known.bytes.length, known.coding, known.headers['etag']],
          [304, 0, undefined, first.headers['etag']],
        );
      }
      assert.match(String(plain.headers['cache-control']), /no-cache|max-age=3600/);
    });
  }
});
