/** Contract §4: the proof of a statement shows the rows of the report that a line item was made from. */

import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { StorageUnavailable } from '../../src/platform/storage/storage.ts';
import { createSourceRowFinder } from '../../src/royalties/connectors/find-source-rows.ts';
import type { SourceKey } from '../../src/royalties/domain/source-row.ts';
import type { Json } from '../delivery-fixture.ts';
import { lineItemReportId } from '../line-item-file.ts';
import { openProofFixture, type ProofFixture } from '../proof-fixture.ts';
import { givenStatement } from '../statement-fixture.ts';
import {
  databaseUrl,
  draft,
  openTestService,
  type OrgClient,
  type TestService,
} from '../test-service.ts';
import { openTestStorage } from '../test-storage.ts';

describe('contract §4: the source of a line item', () => {
  let fixture: ProofFixture;
  before(async () => void (fixture = await openProofFixture()));
  after(() => fixture.close());

  test('is the rows of the report that it was made from, and no row of another organization', async () => {
    const { partner, statement, first, proofOf } = fixture;
    const items = (await partner.call('GET', `/v1/statements/${first.id}/line-items`)).json.data;
    const item = items.find(({ isrc }: Json) => isrc === 'QZ-ABC-26-00001');
    const path = `/v1/statements/${first.id}/proof?line_item=`;
    const { source } = (await partner.call('GET', path + item.id)).json;
    assert.deepEqual(source.line_item, item);
    assert.equal(source.report_id, item.report_id);
    assert.equal(source.row_count, 2);
    assert.deepEqual(
      source.rows.map((row: Json) => [
        row.part,
        row.row,
        row.title,
        row.play_count,
        row.source_amount,
      ]),
      [
        [1, 1, 'Title', 10, '100.1234565000'],
        [1, 6, 'Title', 4, '0.5000000000'],
      ],
    );
    assert.equal((await proofOf(first)).source, null);
    const others = await partner.call('GET', `/v1/statements/${statement.id}/line-items`);
    for (const id of [others.json.data[0].id, 'sli_0000000001hqmt5c1xj9s4ya7f']) {
      const refused = await partner.call('GET', path + id);
      assert.deepEqual([refused.status, refused.json.error.code], [400, 'invalid_parameter']);
    }
  });
});

describe('a search for source rows that the storage does not answer', () => {
  let service: TestService;
  let partner: OrgClient;
  /** Accepts connections, and never answers. */
  const silent = createServer();
  let path: string;
  before(async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    service = await openTestService({
      now: '2026-11-16T09:00:00Z',
      handlerTimeoutMs: 1_500,
      storage: {
        ...openTestStorage(),
        presignGet: async (key) => `http://127.0.0.1:${port}/${key}`,
      },
    });
    partner = await service.givenOrganization();
    const { id } = await givenStatement(service, partner);
    const { json } = await partner.call('GET', `/v1/statements/${id}/line-items`);
    path = `/v1/statements/${id}/proof?line_item=${json.data[0].id}`;
    const org = toUuid(partner.orgId as Id<'org'>);
    const report = toUuid(lineItemReportId);
    await service.query(
      `insert into store_reports (org_id, id, store_id, format, status, set_digest, period_start, period_end, created_at,
                                  updated_at, actor_type, actor_id)
       values ($1, $2, 'aurora', 'plain_csv', 'included', sha256('set'), '2026-10-01', '2026-10-31', now(), now(),
               'workflow', 'test')`,
      [org, report],
    );
    await service.query(
      `insert into report_parts (org_id, report_id, kind, number, object_key, size_bytes, sha256, row_count, run_id)
       select org_id, $2, 'matched', 1, 'silent', 1000, sha256('part'), 1, run_id from statements
        where org_id = $1 and run_id is not null`,
      [org, report],
    );
  });
  after(async () => {
    await service.close();
    silent.close();
  });

  test('contract §7: a request that takes too long is 503 with Retry-After, and of five searches of an organization at once one is 429', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => partner.call('GET', path)));
    const seen = answers
      .map(({ json, headers }) => `${json.error.code} ${headers.get('retry-after')}`)
      .toSorted();
    const tooLong = 'service_unavailable 2';
    assert.deepEqual(seen, ['quota_exceeded 2', tooLong, tooLong, tooLong, tooLong]);
    const refused = answers.find(({ status }) => status === 429);
    assert.equal(refused?.json.error.details[0].field, 'source_searches');
  });

  test('contract §7: a request with a body that waits too long is 503 too', async () => {
    const { json: release } = await partner.call('POST', '/v1/releases', draft());
    const locker = new pg.Client(databaseUrl(service.database));
    await locker.connect();
    await locker.query('begin');
    await locker.query('select 1 from releases where id = $1 for update', [toUuid(release.id)]);
    const { status, json } = await partner.call('PATCH', `/v1/releases/${release.id}`, {
      title: 'Waits',
    });
    assert.deepEqual([status, json.error.code], [503, 'service_unavailable']);
    await locker.query('commit');
    await locker.end();
  });

  const searchAt = (url: string, timeoutMs?: number) =>
    createSourceRowFinder({ presignGet: async () => url }, timeoutMs)(
      partner.orgId as Id<'org'>,
      [{ number: 1, objectKey: 'silent', sizeBytes: 1_000, sha256: '' }],
      {} as SourceKey,
    );

  test('the search ends at its own time limit, as if the storage were away', async () => {
    const { port } = silent.address() as AddressInfo;
    await assert.rejects(searchAt(`http://127.0.0.1:${port}/silent`, 300), StorageUnavailable);
  });

  test('a storage that refuses the connection is away', async () => {
    await assert.rejects(searchAt('http://127.0.0.1:1/away'), StorageUnavailable);
  });
});
