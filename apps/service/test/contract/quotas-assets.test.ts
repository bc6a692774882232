/** Contract §7: 429 `quota_exceeded`. Open uploads, files in examination and stored bytes. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import {
  expireUpload,
  recordExaminationResult,
} from '../../src/assets/commands/record-examination-result.ts';
import { quotaPolicyOf } from '../../src/identity/domain/quota-policy.ts';
import { type Id, type OrgId, toUuid } from '../../src/kernel/ids.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { createAssetBody, putFile, toneWav } from '../asset-files.ts';
import { codeOf } from '../delivery-fixture.ts';
import { type OrgClient, openTestService, type Reply, type TestService } from '../test-service.ts';
import { openWorkerDriver } from '../worker-driver.ts';

const gibibyte = 1024 ** 3;
const file = toneWav(10);

const quotaOf = ({ json }: Reply): unknown => json.error.details[0].field;

describe('contract §7: quotas of files, in the sandbox', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
  });
  after(() => service.close());

  const useNewOrganization = async (): Promise<void> => {
    label = await service.givenOrganization();
  };
  const create = (fields: object = {}, headers?: Record<string, string>): Promise<Reply> =>
    label.call('POST', '/v1/assets', { ...createAssetBody(file), ...fields }, headers);
  const complete = (id: string): Promise<Reply> =>
    label.call('POST', `/v1/assets/${id}/complete`, {});
  const givenUpload = async (): Promise<Id<'ast'>> => {
    const { json } = await create();
    await putFile(json, file.bytes);
    return json.id;
  };
  /** Inserts `count` assets of a status without files. */
  const givenAssets = (count: number, status: string, sizeBytes = 100) =>
    service.query(
      `insert into assets (org_id, id, type, status, file_name, content_type, size_bytes, created_at, updated_at,
                           actor_type, actor_id)
       select $1, gen_random_uuid(), 'audio', $2, 'file', 'audio/wav', $4, now(), now(), 'workflow', 'test'
         from generate_series(1, $3)`,
      [toUuid(label.orgId as OrgId), status, count, sizeBytes],
    );
  const runAsWorker = (command: (tx: Tx) => Promise<unknown>) =>
    service.workerDb.transact(
      { orgId: label.orgId as OrgId, actor: { type: 'workflow', id: 'test' } },
      command,
    );
  const damaged = { isReady: false, failure: { code: 'damaged', reason: 'Damaged.' } } as const;

  test('the 1,001st open upload is 429, and is accepted once another is completed', async () => {
    await useNewOrganization();
    const id = await givenUpload();
    await givenAssets(998, 'pending_upload');
    const key = { 'idempotency-key': randomUUID() };
    const last = await create({}, key);
    assert.equal(last.status, 201, last.text);
    const refused = await create();
    assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
    assert.equal(quotaOf(refused), 'open_uploads');
    assert.match(refused.json.error.message, /at most 1000 .*24 hours/i);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal((await create({}, key)).json.id, last.json.id, 'a replay is not refused');
    assert.equal((await complete(id)).status, 200);
    assert.equal((await create()).status, 201);
    assert.equal((await create()).status, 429);
    await runAsWorker((tx) => expireUpload(tx, last.json.id));
    assert.equal((await create()).status, 201, 'an upload that expired is not open');
  });

  test('of ten concurrent requests for the last open upload one succeeds', async () => {
    await useNewOrganization();
    await givenAssets(999, 'pending_upload');
    const replies = await Promise.all(Array.from({ length: 10 }, () => create()));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 429)]);
  });

  test('the 2,001st file in examination is 429, and is accepted once another was examined', async () => {
    await useNewOrganization();
    const [first, second, third] = [await givenUpload(), await givenUpload(), await givenUpload()];
    await givenAssets(1_998, 'processing');
    assert.equal((await complete(first)).status, 200);
    assert.equal((await complete(second)).status, 200);
    const refused = await complete(third);
    assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
    assert.equal(quotaOf(refused), 'files_in_examination');
    assert.equal((await complete(first)).status, 200, 'a second completion changes nothing');
    await runAsWorker((tx) => recordExaminationResult(tx, first, damaged));
    assert.equal((await complete(third)).status, 200);
  });

  test('of three concurrent completions for the last place in examination one succeeds', async () => {
    await useNewOrganization();
    const ids = [await givenUpload(), await givenUpload(), await givenUpload()];
    await givenAssets(1_999, 'processing');
    const replies = await Promise.all(ids.map(complete));
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [200, 429, 429]);
  });

  test('more than 20 GiB is 429; exactly 20 GiB is accepted, and expired uploads are not counted', async () => {
    await useNewOrganization();
    await givenAssets(9, 'processing', 2 * gibibyte);
    await givenAssets(9, 'pending_upload', 100_000_000);
    const remainingBytes = 2 * gibibyte - 900_000_000;
    const refused = await create({ size_bytes: remainingBytes + 1 });
    assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
    assert.equal(quotaOf(refused), 'stored_bytes');
    const fits = await create({ size_bytes: remainingBytes });
    assert.equal(fits.status, 201, fits.text);
    assert.equal((await create({ size_bytes: 1 })).status, 429);
    await runAsWorker((tx) => expireUpload(tx, fits.json.id));
    assert.equal((await create({ size_bytes: remainingBytes })).status, 201);
  });

  test('a sandbox reset frees everything', async () => {
    await useNewOrganization();
    await givenAssets(5, 'processing', 2 * gibibyte);
    await givenAssets(5, 'pending_upload', 2 * gibibyte);
    assert.equal(quotaOf(await create()), 'stored_bytes');
    await label.call('POST', '/v1/sandbox/reset', { seed: false });
    await openWorkerDriver(service).runUntilIdle();
    const [used] = await service.query(
      'select open_uploads, files_in_examination, stored_bytes::int from asset_usage where org_id = $1',
      [toUuid(label.orgId as OrgId)],
    );
    assert.deepEqual(used, { open_uploads: 0, files_in_examination: 0, stored_bytes: 0 });
    assert.equal((await create()).status, 201);
  });
});

describe('contract §7: quotas by tier', () => {
  const tebibyte = 1024 * gibibyte;
  const common = {
    api_keys: 100,
    delivery_jobs_running: 5,
    open_exports: 8,
    open_payouts: 100,
    source_searches: 4,
    webhook_pings_per_minute: 10,
  };
  const sandbox = {
    ...common,
    open_uploads: 1_000,
    files_in_examination: 2_000,
    stored_bytes: 20 * gibibyte,
    artists: 20_000,
    labels: 1_000,
  };
  const tiers = [
    ['starter', 1_000, 500, tebibyte, { artists: 20_000, labels: 1_000 }],
    ['growth', 5_000, 2_000, 20 * tebibyte, { artists: 200_000, labels: 10_000 }],
    ['enterprise', 50_000, 10_000, 500 * tebibyte, { artists: 2_000_000, labels: 100_000 }],
  ] as const;

  let service: TestService;
  before(async () => {
    service = await openTestService({ environment: 'live' });
  });
  after(() => service.close());

  for (const [tier, openUploads, filesInExamination, storedBytes, ofCatalog] of tiers) {
    test(`${tier}: ${openUploads} open uploads, ${filesInExamination} files in examination, ${storedBytes} bytes`, () => {
      assert.deepEqual(quotaPolicyOf(tier, 'live'), {
        ...common,
        ...ofCatalog,
        open_uploads: openUploads,
        files_in_examination: filesInExamination,
        stored_bytes: storedBytes,
      });
      assert.deepEqual(quotaPolicyOf(tier, 'sandbox'), sandbox);
    });

    test(`${tier}: requests are checked against them`, async () => {
      const label = await service.givenOrganization({ tier });
      const create = () => label.call('POST', '/v1/assets', createAssetBody(file));
      const setUsage = (uploads: number, bytes: number) =>
        service.query(
          `insert into asset_usage values ($1, $2, 0, $3)
             on conflict (org_id) do update set open_uploads = $2, stored_bytes = $3`,
          [toUuid(label.orgId as OrgId), uploads, bytes],
        );
      await setUsage(openUploads - 1, storedBytes - file.bytes.length);
      assert.equal((await create()).status, 201);
      await setUsage(openUploads, 0);
      assert.equal(quotaOf(await create()), 'open_uploads');
      await setUsage(0, storedBytes - file.bytes.length + 1);
      assert.equal(quotaOf(await create()), 'stored_bytes');
    });
  }
});
