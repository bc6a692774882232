/** Assets: spec §2.3, §3.3, §4.2 and contract §2, §3, §4, §8. One case per rule. */

import assert from 'node:assert/strict';
import { hash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { until } from '../../../../scripts/servers/server.ts';
import { storedTypes } from '../../src/app/event-catalogue.ts';
import { createKeyring } from '../../src/platform/crypto/keyring.ts';
import { interactiveTimeouts, openS3 } from '../../src/platform/storage/s3-storage.ts';
import {
  coverJpeg,
  createAssetBody,
  putFile,
  sha256Of,
  waitUntilProcessed,
  uploadAsset,
  toneWav,
} from '../asset-files.ts';
import { openFullStack } from '../full-stack.ts';
import { type OrgClient, openTestService, type Reply } from '../test-service.ts';

const mebibyte = 1024 * 1024;

describe('assets', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let label: OrgClient;
  before(async () => {
    stack = await openFullStack(26_080);
    label = await stack.service.givenOrganization();
  });
  after(() => stack.close());

  const file = toneWav();
  const create = (fields: object = {}, headers: Record<string, string> = {}) =>
    label.call('POST', '/v1/assets', { ...createAssetBody(file), ...fields }, headers);
  const complete = (id: string, body?: object) =>
    label.call('POST', `/v1/assets/${id}/complete`, body);
  const get = async (id: string) => (await label.call('GET', `/v1/assets/${id}`)).json;
  const eventsOf = async (id: string): Promise<Reply['json'][]> => {
    await stack.service.sequenceEvents();
    const { json } = await label.call('GET', '/v1/events?limit=100');
    return json.data.filter(({ data }: { data: { id: string } }) => data.id === id);
  };

  describe('POST /v1/assets', () => {
    test('contract §4: 201, pending_upload, with a presigned PUT for one hour', async () => {
      const startedAt = Date.now();
      const { status, json, headers } = await create();
      assert.equal(status, 201);
      assert.equal(headers.get('location'), `/v1/assets/${json.id}`);
      assert.equal(json.status, 'pending_upload');
      assert.equal(json.upload.method, 'PUT');
      assert.deepEqual(json.upload.headers, { 'Content-Type': 'audio/wav' });
      const validMs = new Date(json.upload.expires_at).getTime() - startedAt;
      assert.ok(validMs >= 3_600_000 && validMs < 3_610_000, String(validMs));
      assert.deepEqual(
        [json.technical, json.failure_reason, json.failure_code, json.sha256, json.download],
        [null, null, null, null, null],
      );
    });

    test('contract §7: every missing field is listed', async () => {
      const { status, json } = await label.call('POST', '/v1/assets', {});
      assert.deepEqual([status, json.error.code], [422, 'missing_required_field']);
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['type', 'file_name', 'content_type', 'size_bytes'],
      );
    });

    const refused: readonly [field: string, value: unknown, code: string][] = [
      ['type', 'video', 'invalid_field'],
      ['content_type', 'audio/mpeg', 'invalid_field'],
      ['content_type', 'image/png', 'invalid_field'],
      ['content_type', 'constructor', 'invalid_field'],
      ['size_bytes', 0, 'invalid_field'],
      ['size_bytes', 2_048 * mebibyte + 1, 'invalid_field'],
      ['size_bytes', 1.5, 'invalid_field'],
      ['file_name', '', 'invalid_field'],
      ['file_name', 'x'.repeat(256), 'invalid_field'],
      ['sha256', 'ABC', 'invalid_field'],
      ['status', 'ready', 'read_only_field'],
      ['technical', {}, 'read_only_field'],
      ['codec', 'pcm', 'unknown_field'],
    ];
    for (const [field, value, code] of refused) {
      test(`contract §2: ${field} ${String(value).slice(0, 20)} → ${code}`, async () => {
        const { status, json } = await create({ [field]: value });
        assert.deepEqual([status, json.error.code], [422, code]);
        assert.equal(json.error.details[0].field, field);
      });
    }

    test('the limits: audio 2 GiB, artwork 50 MiB, and not a byte more', async () => {
      assert.equal((await create({ size_bytes: 2_048 * mebibyte })).status, 201);
      const artwork = { type: 'artwork', content_type: 'image/png' };
      assert.equal((await create({ ...artwork, size_bytes: 50 * mebibyte })).status, 201);
      const { status, json } = await create({ ...artwork, size_bytes: 50 * mebibyte + 1 });
      assert.deepEqual([status, json.error.details[0].field], [422, 'size_bytes']);
    });

    test('contract §4: an upload over 100 MB is in parts, each with its own URL', async () => {
      assert.ok('url' in (await create({ size_bytes: 100_000_000 })).json.upload);
      const { json } = await create({ size_bytes: 100_000_001 });
      const { parts, part_size } = json.upload;
      assert.equal(parts.length, Math.ceil(100_000_001 / part_size));
      assert.deepEqual(
        parts.map(({ part_number }: { part_number: number }) => part_number),
        parts.map((_: unknown, i: number) => i + 1),
      );
      const reread = await get(json.id);
      const uploadIdOf = (url: string) => new URL(url).searchParams.get('uploadId');
      assert.equal(
        uploadIdOf(reread.upload.parts[0].url),
        uploadIdOf(parts[0].url),
        'the same upload, signed again',
      );
    });

    test('contract §8: a replay is the same asset; its URL is signed again and never stored', async () => {
      const key = { 'idempotency-key': randomUUID() };
      const first = await create({}, key);
      const second = await create({}, key);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal(second.json.id, first.json.id);
      assert.equal(await putFile(second.json, file.bytes), 200, 'the new URL works');
      const { upload: _, ...body } = second.json;
      const { upload: __, ...earlier } = first.json;
      assert.deepEqual(body, earlier);
      const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32, 7) }]);
      const [row] = await stack.service.query('select body from idempotency_keys where key = $1', [
        key['idempotency-key'],
      ]);
      const context = `idempotency/${label.orgId}/${key['idempotency-key']}`;
      assert.doesNotMatch(keyring.open(context, row.body).toString(), /Signature|https?:/);
    });
  });

  describe('POST /v1/assets/{asset_id}/complete', () => {
    test('contract §3, §8: before the file is uploaded it is refused; afterwards the same key is accepted', async () => {
      const { json } = await create();
      const key = { 'idempotency-key': randomUUID() };
      const completeWithKey = () =>
        label.call('POST', `/v1/assets/${json.id}/complete`, undefined, key);
      const early = await completeWithKey();
      assert.deepEqual([early.status, early.json.error.code], [409, 'invalid_state']);
      assert.match(early.json.error.message, /PUT the file to upload\.url/);
      assert.equal(await putFile(json, file.bytes), 200);
      const [accepted, replayed] = [await completeWithKey(), await completeWithKey()];
      assert.deepEqual(
        [accepted.status, accepted.headers.get('idempotency-replayed')],
        [200, null],
        'the refusal was not stored',
      );
      assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
      assert.equal((await waitUntilProcessed(label, json.id)).status, 'ready');
    });

    test('a second completion changes nothing', async () => {
      const id = await uploadAsset(label, file);
      assert.equal((await complete(id)).status, 200);
      await waitUntilProcessed(label, id);
      const repeated = await complete(id);
      assert.deepEqual([repeated.status, repeated.json.status], [200, 'ready']);
      assert.equal((await eventsOf(id)).length, 1);
    });

    test('a file uploaded in parts is joined and examined', async () => {
      const large = toneWav(600_000, 333);
      assert.ok(large.bytes.length > 100_000_000);
      const { json } = await label.call('POST', '/v1/assets', {
        ...createAssetBody(large),
        sha256: sha256Of(large.bytes),
      });
      const { parts, part_size } = json.upload;
      const uploaded = [];
      for (const { part_number, url } of parts) {
        const start = (part_number - 1) * part_size;
        const body = new Uint8Array(large.bytes.subarray(start, start + part_size));
        const response = await fetch(url, { method: 'PUT', body });
        assert.equal(response.status, 200);
        uploaded.push({ part_number, etag: response.headers.get('etag') });
      }
      const wrong = uploaded.map((part) => ({
        ...part,
        etag: '"00000000000000000000000000000000"',
      }));
      assert.equal((await complete(json.id, { parts: wrong })).status, 422);
      assert.equal((await complete(json.id, { parts: uploaded })).status, 200);
      const asset = await waitUntilProcessed(label, json.id);
      assert.equal(asset.status, 'ready', asset.failure_reason);
      assert.equal(asset.technical.duration_ms, 600_000);
    });
  });

  describe('the examination of a file', () => {
    test('contract §2: audio is measured, and can be fetched', async () => {
      const sent = toneWav(1_500);
      const id = await uploadAsset(label, sent);
      const asset = await waitUntilProcessed(label, id);
      assert.equal(asset.status, 'ready');
      assert.equal(asset.sha256, sha256Of(sent.bytes));
      const stored = await stack.service.query(
        `select facts ->> 'md5' as md5 from assets where sha256 = $1`,
        [asset.sha256],
      );
      assert.deepEqual(stored, [{ md5: hash('md5', sent.bytes) }], 'for stores that compare it');
      assert.deepEqual(asset.technical, {
        format: 'wav',
        codec: 'pcm_s16le',
        bit_depth: 16,
        sample_rate: 44_100,
        channels: 2,
        duration_ms: 1_500,
        format_tag: 1,
      });
      assert.equal(asset.upload, null, 'contract §2: upload only while pending_upload');
      const fetched = Buffer.from(await (await fetch(asset.download.url)).arrayBuffer());
      assert.equal(sha256Of(fetched), asset.sha256);
    });

    test('contract §2: artwork is measured', async () => {
      const asset = await waitUntilProcessed(
        label,
        await uploadAsset(label, await coverJpeg(1_200)),
      );
      assert.deepEqual(asset.technical, {
        format: 'jpeg',
        width: 1_200,
        height: 1_200,
        colour_space: 'rgb',
        bit_depth: 8,
        channels: 3,
      });
    });

    test('spec §6: asset.ready is announced once, as the asset without URLs (contract §6)', async () => {
      const id = await uploadAsset(label, file);
      const {
        upload: _upload,
        download: _download,
        ...asset
      } = await waitUntilProcessed(label, id);
      const events = await eventsOf(id);
      assert.deepEqual(
        events.map(({ type, data }) => ({ type, data })),
        [{ type: 'asset.ready', data: asset }],
      );
      assert.doesNotMatch(JSON.stringify(events), /https?:/);
      const listed = storedTypes.find(({ type }) => type === 'asset.ready');
      assert.ok(listed !== undefined);
      assert.deepEqual(Compile(listed.data).Errors(events[0].data), [], 'as it is documented');
    });

    test('contract §3: a file of another type than declared fails, and the reason names the declared type', async () => {
      const id = await uploadAsset(label, {
        ...file,
        bytes: Buffer.from('<html>not a song</html>'),
      });
      const asset = await waitUntilProcessed(label, id);
      assert.deepEqual([asset.status, asset.failure_code], ['failed', 'type_mismatch']);
      assert.match(asset.failure_reason, /content_type is audio\/wav/);
      assert.deepEqual(
        (await eventsOf(id)).map(({ type }) => type),
        ['asset.failed'],
      );
      const repeated = await complete(id);
      assert.deepEqual([repeated.status, repeated.json.error.code], [409, 'invalid_state']);
    });

    test('a declared checksum is verified', async () => {
      const { json } = await create({ sha256: '0'.repeat(64) });
      await putFile(json, file.bytes);
      await complete(json.id);
      assert.equal((await waitUntilProcessed(label, json.id)).failure_code, 'checksum_mismatch');
    });

    test('a verified file stays: a second upload to the old URL changes nothing', async () => {
      const { json } = await create();
      await putFile(json, file.bytes);
      await complete(json.id);
      const asset = await waitUntilProcessed(label, json.id);
      const other = Buffer.from(file.bytes).fill(1, 44);
      await putFile(json, other);
      const { download } = await get(json.id);
      const kept = Buffer.from(await (await fetch(download.url)).arrayBuffer());
      assert.equal(sha256Of(kept), asset.sha256);
    });

    test('an upload that is not completed within a day expires', async () => {
      const { json } = await create({ size_bytes: 100_000_001 });
      await stack.service.query(
        `update timers set due_at = now() - interval '1 second', recheck_at = now() - interval '1 hour'
          where entity_ref = $1`,
        [`${label.orgId}:${json.id}`],
      );
      const asset = await waitUntilProcessed(label, json.id);
      assert.deepEqual([asset.status, asset.failure_code], ['failed', 'upload_expired']);
      assert.deepEqual(
        (await eventsOf(json.id)).map(({ type }) => type),
        ['asset.failed'],
      );
      await until('its parts are gone', async () => {
        const [{ url }] = json.upload.parts;
        const body = new Uint8Array(json.upload.part_size);
        return (await fetch(url, { method: 'PUT', body })).status === 404;
      });
    });

    test('a completed upload does not expire', async () => {
      const id = await uploadAsset(label, file);
      await waitUntilProcessed(label, id);
      const entityRef = `${label.orgId}:${id}`;
      await stack.service.query(
        `update timers set due_at = now() - interval '1 second', recheck_at = now() - interval '1 hour'
          where entity_ref = $1`,
        [entityRef],
      );
      await until('the timer has fired', async () => {
        const [row] = await stack.service.query('select state from timers where entity_ref = $1', [
          entityRef,
        ]);
        return row.state === 'fired';
      });
      assert.equal((await get(id)).status, 'ready');
    });

    test('the upload is deleted, and one copy of the verified file is kept', async () => {
      const id = await uploadAsset(label, file);
      await waitUntilProcessed(label, id);
      const { storage } = stack.service;
      await until(
        'the upload is deleted',
        async () => (await storage.find(`uploads/${label.orgId}/${id}`)) === undefined,
      );
      assert.equal((await storage.list(`assets/${label.orgId}/${id}/`)).length, 1);
    });

    test('every change is in the audit log', async () => {
      const id = await uploadAsset(label, file);
      await waitUntilProcessed(label, id);
      const rows = await stack.service.query(
        'select action, actor_type from audit where audited_id = $1 order by id',
        [id],
      );
      assert.deepEqual(rows, [
        { action: 'asset.create', actor_type: 'api_key' },
        { action: 'asset.complete', actor_type: 'api_key' },
        { action: 'asset.ready', actor_type: 'workflow' },
      ]);
    });
  });

  describe('GET /v1/assets', () => {
    test('contract §4: filters by type and status, newest first, without URLs', async () => {
      const { call } = await stack.service.givenOrganization();
      const ids = [];
      for (const type of ['audio', 'artwork', 'audio']) {
        const fields = type === 'audio' ? {} : { type, content_type: 'image/png' };
        ids.push(
          (await call('POST', '/v1/assets', { ...createAssetBody(file), ...fields })).json.id,
        );
      }
      const listIds = async (query: string) =>
        (await call('GET', `/v1/assets${query}`)).json.data.map(({ id }: { id: string }) => id);
      assert.deepEqual(await listIds(''), ids.toReversed());
      assert.deepEqual(await listIds('?type=artwork'), [ids[1]]);
      assert.deepEqual(await listIds('?status=ready'), []);
      assert.deepEqual(await listIds('?status=pending_upload&type=audio'), [ids[2], ids[0]]);
      assert.equal((await call('GET', '/v1/assets?status=lost')).status, 400);
      const { json } = await call('GET', '/v1/assets?limit=2');
      assert.equal(json.has_more, true);
      assert.deepEqual(await listIds(`?limit=2&cursor=${json.next_cursor}`), [ids[0]]);
    });

    test('contract §1: the ETag of an asset does not depend on its presigned URLs', async () => {
      const { json } = await create();
      const first = await label.call('GET', `/v1/assets/${json.id}`);
      const condition = { 'if-none-match': first.headers.get('etag') ?? '' };
      const second = await label.call('GET', `/v1/assets/${json.id}`, undefined, condition);
      assert.equal(second.status, 304);
    });

    for (const id of [
      'ast_01h455vb4pex5vsknk084sn02q',
      'ast_x',
      'rel_01h455vb4pex5vsknk084sn02q',
    ]) {
      test(`contract §7: ${id} is resource_not_found`, async () => {
        for (const [method, path] of [
          ['GET', `/v1/assets/${id}`],
          ['POST', `/v1/assets/${id}/complete`],
        ] as const) {
          const { status, json } = await label.call(method, path);
          assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
        }
      });
    }
  });

  test('the database stores no presigned URL', async () => {
    for (const table of ['assets', 'events', 'audit', 'outbox', 'timers']) {
      const rows = await stack.service.query(`select to_jsonb(t)::text as text from ${table} t`);
      for (const { text } of rows) assert.doesNotMatch(text, /X-Amz-Signature|https?:/, table);
    }
  });

  test('contract §5: a key that may only read gets no upload URL', async () => {
    const { json } = await create();
    const flags = ['key', 'create', '--org', label.orgId, '--scopes', 'assets:read'];
    const { secret } = await stack.service.admin(...flags);
    const reply = await stack.service.request(secret, 'GET', `/v1/assets/${json.id}`);
    assert.deepEqual([reply.status, reply.json.upload], [200, null]);
  });

  test('contract §7: without object storage it is 503 with Retry-After, never a bare 500', async () => {
    const storage = openS3(
      {
        bucket: 'none',
        region: 'us-east-1',
        endpoint: 'http://127.0.0.1:1',
        credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      },
      interactiveTimeouts,
    );
    const service = await openTestService({ storage });
    const { call } = await service.givenOrganization();
    const { status, json } = await call('POST', '/v1/assets', createAssetBody(file));
    assert.equal(status, 201, 'signing a URL needs no request to the storage');
    const key = { 'idempotency-key': randomUUID() };
    const replies = [
      await call('POST', `/v1/assets/${json.id}/complete`),
      await call('POST', '/v1/assets', { ...createAssetBody(file), size_bytes: 100_000_001 }, key),
    ];
    for (const reply of replies) {
      assert.deepEqual([reply.status, reply.json.error.code], [503, 'service_unavailable']);
      assert.ok(reply.headers.get('retry-after'));
    }
    await service.close();
  });
});
