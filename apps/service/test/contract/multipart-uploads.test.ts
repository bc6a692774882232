/**
 * Completing an upload in parts (contract §2, §4, §8), against a real S3 server. Every refusal names what is wrong and
 * leaves the upload open.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { examineFile, uploadKey } from '../../src/assets/connectors/examine-file.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { codeOf, fieldsOf, type Json } from '../delivery-fixture.ts';
import { type OrgClient, openTestService, type Reply, type TestService } from '../test-service.ts';

const sizeBytes = 100_000_001;
const partCount = 3;
const wrongEtag = '"00000000000000000000000000000000"';

type Part = { readonly part_number: number; readonly etag: string };

describe('completing an upload in parts', () => {
  let service: TestService;
  let label: OrgClient;
  /** Its parts are uploaded; the tests that are refused leave it so. */
  let uploaded: Json;
  let parts: readonly Part[];
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    uploaded = await createAsset();
    parts = await putParts(uploaded, [1, 2, 3]);
  });
  after(() => service.close());

  const createAsset = async (): Promise<Json> => {
    const declared = { type: 'audio', file_name: 'a.wav', content_type: 'audio/wav' };
    const reply = await label.call('POST', '/v1/assets', { ...declared, size_bytes: sizeBytes });
    assert.equal(reply.json.upload.parts.length, partCount, reply.text);
    return reply.json;
  };
  const put = async (url: string, bytes: number, fill: number): Promise<string> => {
    const response = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes).fill(fill) });
    assert.equal(response.status, 200);
    return response.headers.get('etag') ?? '';
  };
  /** Uploads the parts with these numbers; each differs from the others. */
  const putParts = async ({ upload }: Json, numbers: readonly number[]): Promise<Part[]> => {
    const sent: Part[] = [];
    for (const part_number of numbers) {
      const bytes = Math.min(upload.part_size, sizeBytes - (part_number - 1) * upload.part_size);
      const etag = await put(upload.parts[part_number - 1].url, bytes, part_number);
      sent.push({ part_number, etag });
    }
    return sent;
  };
  const complete = (
    { id }: Json,
    list: readonly Partial<Part>[] | undefined,
    headers?: Record<string, string>,
  ): Promise<Reply> =>
    label.call('POST', `/v1/assets/${id}/complete`, list && { parts: list }, headers);
  const statusOf = async ({ id }: Json): Promise<string> =>
    (await label.call('GET', `/v1/assets/${id}`)).json.status;
  const issuesOf = ({ json }: Reply): readonly string[] =>
    json.error.details.map(({ issue }: Json) => issue);
  /** The parts that were uploaded, with another ETag for one of them. */
  const withWrong = (index: number): readonly Part[] =>
    parts.map((part, i) => (i === index ? { ...part, etag: wrongEtag } : part));

  test('contract §2: a wrong ETag is 422, names the part and its ETag, and the upload stays open', async () => {
    const reply = await complete(uploaded, withWrong(2));
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.deepEqual(reply.json.error.details, [
      {
        field: 'parts[2].etag',
        issue: `parts[2].etag must be the ETag of the uploaded part, which is ${parts[2]?.etag}.`,
      },
    ]);
    assert.equal(await statusOf(uploaded), 'pending_upload');
  });

  const lists: readonly [
    what: string,
    numbers: readonly number[],
    fields: readonly string[],
    issue: RegExp,
  ][] = [
    ['no part', [], ['parts'], /^parts must list all 3 parts; add the missing ones: 1, 2, 3\.$/],
    [
      'a missing part',
      [1, 3],
      ['parts'],
      /^parts must list all 3 parts; add the missing ones: 2\.$/,
    ],
    [
      'a part twice',
      [1, 2, 2, 3],
      ['parts[2].part_number'],
      / is listed twice \(part 2\); list each part once\.$/,
    ],
    ['another order', [2, 1, 3], ['parts[1].part_number'], / is out of order/],
    ['a part too many', [1, 2, 3, 4], ['parts[3].part_number'], / must be from 1 to 3\.$/],
    [
      'one for another',
      [1, 2, 2],
      ['parts[2].part_number', 'parts'],
      / is listed twice \(part 2\); list each part once\.$/,
    ],
  ];
  for (const [what, numbers, fields, issue] of lists) {
    test(`contract §2: a list with ${what} is 422 and names ${fields.join(' and ')}`, async () => {
      const list = numbers.map((n) => ({ part_number: n, etag: parts[n - 1]?.etag ?? wrongEtag }));
      const reply = await complete(uploaded, list);
      assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
      assert.deepEqual(fieldsOf(reply), fields);
      assert.match(issuesOf(reply)[0] ?? '', issue);
      assert.equal(await statusOf(uploaded), 'pending_upload');
    });
  }

  test('contract §7: without a list it is missing_required_field, which says how many parts there are', async () => {
    const reply = await complete(uploaded, undefined);
    assert.deepEqual(codeOf(reply), [422, 'missing_required_field']);
    assert.deepEqual(reply.json.error.details, [
      { field: 'parts', issue: 'parts is required; list the 3 parts of the upload.' },
    ]);
  });

  test('contract §2: parts that were not uploaded, or are too short, are each named', async () => {
    const asset = await createAsset();
    const [first] = await putParts(asset, [1]);
    assert.ok(first);
    const { searchParams } = new URL(asset.upload.parts[2].url);
    // The asset's own URL allows only the declared length.
    const shortUrl = await service.storage.presignPart(
      uploadKey(label.orgId as Id<'org'>, asset.id),
      {
        uploadId: searchParams.get('uploadId') ?? '',
        partNumber: 3,
        sizeBytes: 1_000,
        expiresInSeconds: 60,
      },
    );
    const short = { part_number: 3, etag: await put(shortUrl, 1_000, 3) };
    const list = [first, { part_number: 2, etag: wrongEtag }, short];
    const reply = await complete(asset, list);
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.deepEqual(reply.json.error.details, [
      {
        field: 'parts[1].part_number',
        issue: 'parts[1].part_number names part 2, which was not uploaded; PUT it to its URL.',
      },
      {
        field: 'parts[2].part_number',
        issue:
          'parts[2].part_number names part 3, which has 1000 bytes and must have 32891137; upload it again.',
      },
    ]);
    assert.equal(await statusOf(asset), 'pending_upload');
    const rest = await putParts(asset, [2, 3]);
    const corrected = await complete(asset, [first, ...rest]);
    assert.deepEqual([corrected.status, corrected.json.status], [200, 'processing']);
  });

  test('contract §8: a refusal for what was not uploaded is not stored: the same key completes it afterwards', async () => {
    const asset = await createAsset();
    const key = { 'idempotency-key': randomUUID() };
    const list = parts;
    const early = await complete(asset, list, key);
    assert.deepEqual(codeOf(early), [422, 'invalid_field']);
    assert.deepEqual(
      fieldsOf(early),
      [1, 2, 3].map((n) => `parts[${n - 1}].part_number`),
    );
    await putParts(asset, [1, 2, 3]);
    const [accepted, replayed] = [
      await complete(asset, list, key),
      await complete(asset, list, key),
    ];
    assert.deepEqual([accepted.status, accepted.headers.get('idempotency-replayed')], [200, null]);
    assert.deepEqual([replayed.status, replayed.json.status], [200, 'processing']);
    assert.equal(replayed.headers.get('idempotency-replayed'), 'true');
  });

  test('contract §8: neither is the refusal before its URLs were requested', async () => {
    const asset = await createAsset();
    await service.query('update assets set upload_id = null where id = $1', [toUuid(asset.id)]);
    const key = { 'idempotency-key': randomUUID() };
    const reply = await complete(asset, parts, key);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
    assert.match(reply.json.error.message, /GET the asset for presigned URLs/);
    const rows = await service.query('select 1 from idempotency_keys where key = $1', [
      key['idempotency-key'],
    ]);
    assert.deepEqual(rows, []);
  });

  test('an upload that the storage no longer has is 409 and says to create a new asset', async () => {
    const asset = await createAsset();
    const { searchParams } = new URL(asset.upload.parts[0].url);
    const key = uploadKey(label.orgId as Id<'org'>, asset.id);
    await service.storage.abandonMultipart(key, searchParams.get('uploadId') ?? '');
    const reply = await complete(asset, parts);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
    assert.match(reply.json.error.message, /Create a new asset/);
  });

  test('contract §2: a file that is not uploaded in parts is completed without parts', async () => {
    const declared = { type: 'audio', file_name: 'a.wav', content_type: 'audio/wav' };
    const body = { ...declared, size_bytes: 5 };
    const { json } = await label.call('POST', '/v1/assets', body);
    const reply = await complete(json, parts);
    assert.deepEqual(codeOf(reply), [422, 'invalid_field']);
    assert.match(issuesOf(reply)[0] ?? '', /^parts must be omitted/);
  });

  test('a part that is replaced after the completion no longer has the listed ETag: the examination fails', async () => {
    const [row] = await service.query('select upload_id from assets where id = $1', [
      toUuid(uploaded.id),
    ]);
    const upload = {
      id: uploaded.id,
      type: 'audio',
      contentType: 'audio/wav',
      sizeBytes,
      sha256: null,
      uploadId: row.upload_id,
      uploadParts: withWrong(0).map(({ part_number, etag }) => ({ partNumber: part_number, etag })),
    } as const;
    const result = await examineFile(
      { storage: service.storage, scratchFolder: tmpdir() },
      label.orgId as Id<'org'>,
      upload,
      AbortSignal.timeout(120_000),
    );
    assert.equal(!result.isReady && result.failure.code, 'upload_incomplete');
  });

  test('contract §2: after all of that the right list completes it; the quotes of an ETag may be missing', async () => {
    const list = parts.map(({ etag, ...part }) => ({ ...part, etag: etag.replaceAll('"', '') }));
    const reply = await complete(uploaded, list);
    assert.deepEqual([reply.status, reply.json.status], [200, 'processing'], reply.text);
    const [row] = await service.query('select upload_parts from assets where id = $1', [
      toUuid(uploaded.id),
    ]);
    assert.deepEqual(
      row.upload_parts.map(({ etag }: Json) => etag),
      parts.map(({ etag }) => etag),
      'stored as the storage compares them',
    );
    const repeated = await complete(uploaded, withWrong(0));
    assert.deepEqual([repeated.status, repeated.json.status], [200, 'processing'], 'no change');
  });
});
