/**
 * A month of royalties with the engine, a relay and a worker as processes: from the report of a store to money in balances.
 * Then a worker that is killed in the middle of a run, twice: what it had recorded is not calculated again. And once more
 * while it draws the documents.
 */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { until } from '../../../../scripts/servers/server.ts';
import { workflowOwner } from '../../src/kernel/actor.ts';
import { toUuid } from '../../src/kernel/ids.ts';
import { systemOrgId } from '../../src/kernel/system-organization.ts';
import { planBuckets } from '../../src/royalties/domain/plan-buckets.ts';
import type { RunBucket, RunId } from '../../src/royalties/domain/run-plan.ts';
import { runFolder } from '../../src/royalties/domain/run.ts';
import { wakeRun } from '../../src/royalties/messages.ts';
import { findBuckets, insertBuckets } from '../../src/royalties/store/run-buckets.ts';
import type { Json } from '../delivery-fixture.ts';
import { hasTask, kill, type RoleProcess, startRelay, startWorker } from '../processes.ts';
import { openRoyaltyOffice, type RoyaltyOffice } from '../royalty-office.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import type { OrgClient } from '../test-service.ts';
import { createTestBucket, s3OptionsOf } from '../test-storage.ts';
import { openWorkerDriver } from '../worker-driver.ts';

const port = 22_280;
const waitMs = 300_000;
const storeId = 'aurora';
const rowsPerPartner = 400;
const rowsPerBucket = 150;

describe('a month of royalties, with the engine', () => {
  let stack: Awaited<ReturnType<typeof openServiceWithEngine>>;
  let storageSettings: Record<string, string>;
  let relay: RoleProcess;
  let worker: RoleProcess;
  let office: RoyaltyOffice;
  let partners: readonly OrgClient[];
  let killedRun: RunId;
  const scratch = mkdtempSync(join(tmpdir(), 'tonearm-journey-'));
  const startNextWorker = () =>
    startWorker(stack.service.database, stack.urls, {
      ...storageSettings,
      TONEARM_ENVIRONMENT: 'live',
      TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey,
      TONEARM_SCRATCH_FOLDER: scratch,
      // The engine calls a restarted worker where it called the first one.
      TONEARM_WORKER_PORT: String(port + 5 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0)),
    });
  before(async () => {
    storageSettings = await createTestBucket();
    stack = await openServiceWithEngine(port, { environment: 'live', storageSettings });
    const live = { TONEARM_ENVIRONMENT: 'live' };
    relay = await startRelay(stack.service.database, stack.urls, live);
    worker = await startNextWorker();
    const settle = (what: string, isDone: () => Promise<boolean>) => until(what, isDone, waitMs);
    office = openRoyaltyOffice(stack.service, settle, '2020-10');
    partners = await Promise.all([1, 2, 3].map(() => office.givenPartner()));
  });
  after(async () => {
    await Promise.all([kill(relay), kill(worker)]);
    office.removeFiles();
    rmSync(scratch, { recursive: true, force: true });
    await stack.close();
  });

  const isrcOf = (partner: number, row: number): string =>
    `QZ${'ABC'.charAt(partner)}JN26${String(row).padStart(5, '0')}`;

  test('receive → match → remit → run → review → approve → close: the money is in the balances', async () => {
    for (const [i, partner] of partners.entries()) {
      await office.givenHolding(storeId, partner, isrcOf(i, 0));
    }
    const fee = ['--org', 'platform', '--basis-points', '1000', '--from', '2015-01'];
    await office.admin('fee-rules', 'set', ...fee);
    const { id, status, rows } = await office.receive(
      storeId,
      partners.map((_, i) => ({ isrc: isrcOf(i, 0), amount: `${100 * (i + 1)}.0000005` })),
    );
    assert.equal(status, 'matched');
    assert.deepEqual(rows, { read: 3, matched: 3, suspense: 0, rejected: 0 });
    const paid = await office.pay(storeId, { reports: id, amount: '600' });
    assert.equal(paid.status, 'paid');
    const run = await office.calculate('2020-10');
    assert.deepEqual((await office.run('review', run)).review.problems, []);
    await office.approve(run);
    assert.equal((await office.balanceOf(partners[0]!)).pending, '90.000000');
    await office.close(run);
    // Half of a micro is rounded to the even neighbour: 100.000000, 200.000000, 300.000000.
    for (const [i, partner] of partners.entries()) {
      assert.deepEqual(await office.balanceOf(partner), {
        available: `${90 * (i + 1)}.000000`,
        pending: '0.000000',
        held: '0.000000',
      });
    }
    await stack.service.sequenceEvents();
    const { data } = (await partners[0]!.call('GET', '/v1/events?after=0')).json;
    assert.deepEqual(
      data.map(({ type }: Json) => type),
      ['statement.published'],
    );
  });

  const bucketsOf = (run: RunId): Promise<RunBucket[]> =>
    stack.service.workerDb.readOnce(systemOrgId, (db) => findBuckets(db, systemOrgId, run));

  /** Of all files of the run on the object store. */
  const filesOf = async (run: RunId): Promise<ReadonlyMap<string, string>> => {
    const { bucket, ...options } = s3OptionsOf(storageSettings);
    const client = new S3Client({ ...options, forcePathStyle: true });
    const listed = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: runFolder(run) }),
    );
    client.destroy();
    return new Map(
      (listed.Contents ?? []).map(({ Key = '', ETag, LastModified }) => [
        Key,
        `${ETag} of ${LastModified?.toISOString()}`,
      ]),
    );
  };
  const keysOf = ({ calculated, finished }: RunBucket): string[] => [
    ...(calculated?.parts ?? []).map(({ items }) => items.path),
    ...(finished ?? []).map(({ royalties }) => royalties.path),
  ];

  /** A run that is planned in small buckets, while no worker is there. */
  const givenPlannedRun = async (): Promise<RunId> => {
    await kill(worker);
    const run = (await office.create('2020-11')) as RunId;
    await openWorkerDriver(stack.service).handle(wakeRun(systemOrgId, run, 'calculate'));
    const planned = (await bucketsOf(run)).flatMap(({ statements }) => statements);
    const shares = planned.map(({ orgId, statementId, currency }) => ({
      orgId,
      statementId,
      currency,
      rowCount: rowsPerPartner,
    }));
    const buckets = planBuckets(shares, rowsPerBucket).map((bucket) => ({
      ...bucket,
      rowCount: rowsPerBucket,
    }));
    await stack.service.query('delete from run_buckets where status = $1', ['planned']);
    await stack.service.workerDb.transact(workflowOwner(systemOrgId, 'test'), async (tx) =>
      insertBuckets(tx, run, buckets),
    );
    return run;
  };

  type Snapshot = {
    readonly buckets: readonly RunBucket[];
    readonly files: ReadonlyMap<string, string>;
  };

  /** Kills the worker once three buckets have this status, and starts another. */
  const killInMidRun = async (run: RunId, status: 'calculated' | 'finished'): Promise<Snapshot> => {
    const isThere = async () =>
      (await bucketsOf(run)).filter((bucket) => bucket.status === status).length >= 3;
    await until(`three buckets are ${status}`, isThere, waitMs, 20);
    await kill(worker);
    const snapshot = { buckets: await bucketsOf(run), files: await filesOf(run) };
    worker = await startNextWorker();
    return snapshot;
  };

  test('kill -9 in the middle of both passes costs at most one bucket; recorded buckets keep their files', async (t) => {
    for (const [i, partner] of partners.entries()) {
      const isrcs = Array.from({ length: rowsPerPartner }, (_, row) => isrcOf(i, row + 1));
      await office.givenHolding(storeId, partner, ...isrcs);
    }
    const rows = partners.flatMap((_, i) =>
      Array.from({ length: rowsPerPartner }, (__, row) => ({
        isrc: isrcOf(i, row + 1),
        amount: '0.25',
        territory: 'SE',
      })),
    );
    const { id: report, status } = await office.receive(storeId, rows);
    assert.equal(status, 'matched');
    await office.pay(storeId, { reports: report, amount: '300' });

    const run = await givenPlannedRun();
    worker = await startNextWorker();
    const first = await killInMidRun(run, 'calculated');
    const second = await killInMidRun(run, 'finished');
    const isCalculated = async () => (await office.run('show', run)).status === 'review';
    await until('the run is calculated', isCalculated, waitMs);

    const [buckets, files] = [await bucketsOf(run), await filesOf(run)];
    assert.ok(buckets.length >= 8, `${buckets.length} buckets`);
    for (const [done, snapshot] of [
      ['calculated', first],
      ['finished', second],
    ] as const) {
      const recorded = snapshot.buckets.filter((bucket) => keysOf(bucket).length > 0);
      assert.ok(recorded.length >= 3 && recorded.length <= buckets.length);
      const lost = lostBuckets(snapshot);
      assert.ok(lost <= 1, `${lost} buckets were calculated and not recorded`);
      for (const bucket of recorded) {
        const now = buckets[bucket.number - 1];
        assert.deepEqual(now?.calculated, bucket.calculated);
        if (bucket.finished !== null) assert.deepEqual(now?.finished, bucket.finished);
        for (const key of keysOf(bucket)) {
          assert.equal(files.get(key), snapshot.files.get(key), `${key} was written again`);
        }
      }
      const kept = snapshot.buckets.filter((bucket) => bucket.status === done).length;
      t.diagnostic(
        `killed when ${kept} of ${buckets.length} buckets were ${done}: these are kept, ${lost} lost`,
      );
    }
    killedRun = run;
  });

  test('kill -9 while documents are drawn: each statement has its document, made once', async () => {
    assert.deepEqual((await office.run('review', killedRun)).review.problems, []);
    await office.approve(killedRun);
    const closing = office.close(killedRun);
    await until(
      'documents are drawn',
      async () => hasTask(worker, 'draw-documents-task'),
      waitMs,
      5,
    );
    await kill(worker);
    const unrecorded = await documentsOf(killedRun);
    worker = await startNextWorker();
    await closing;
    const { available } = await office.balanceOf(partners[0]!);
    assert.equal(available, '180.000000', '90 of the first month, and 400 × 0.25 less 10 %');

    const isMade = ({ documented_at: at }: Json): boolean => at !== null;
    const areMade = async () => (await documentsOf(killedRun)).every(isMade);
    await until('the documents are made', areMade, waitMs);
    assert.ok(
      unrecorded.some((row) => !isMade(row)),
      'the worker was killed before the end',
    );
    const made = await documentsOf(killedRun);
    assert.deepEqual(
      made.map(({ documents, failed }) => [documents, failed]),
      partners.map(() => ['1', null]),
    );
    const files = [...(await filesOf(killedRun)).keys()].filter((key) => key.endsWith('.pdf'));
    assert.equal(files.length, partners.length);
    for (const partner of partners) {
      const { json } = await partner.call('GET', '/v1/statements?status=published');
      const { document } = (await partner.call('GET', `/v1/statements/${json.data[0].id}`)).json;
      const bytes = Buffer.from(await (await fetch(document.url)).arrayBuffer());
      assert.equal(hash('sha256', bytes), document.sha256);
    }
  });

  const documentsOf = (run: RunId): Promise<Json[]> =>
    stack.service.query(
      `select documented_at, document_failed_at as failed,
              (select count(*) from statement_artifacts file
                where file.statement_id = run.statement_id and kind = 'document') as documents
         from run_statements run where run_id = $1`,
      [toUuid(run)],
    );

  /** Buckets of which files are on the object store that no row names. */
  const lostBuckets = ({ buckets, files }: Snapshot): number => {
    const recorded = new Set(buckets.flatMap(keysOf));
    const isPart = /(items|royalties)-\d+\.parquet$/;
    return [...files.keys()].filter((key) => isPart.test(key) && !recorded.has(key)).length;
  };
});
