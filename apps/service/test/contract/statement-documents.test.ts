/** Contract §4: the document of a statement is made once. One that cannot be drawn does not hold up the others. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { systemOrgId } from '../../src/kernel/system-organization.ts';
import { documentSomeStatements } from '../../src/royalties/commands/document-statements.ts';
import { wakeRun } from '../../src/royalties/messages.ts';
import { countFailedDocuments } from '../../src/royalties/store/run-documents.ts';
import { runWorkflow } from '../../src/royalties/workflows/runs.ts';
import { crashingName, refusedName } from '../breakable-draw-task.ts';
import type { Json } from '../delivery-fixture.ts';
import { bytesOf, openProofFixture, type ProofFixture } from '../proof-fixture.ts';
import { openRunFixture, type RunFixture } from '../run-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import { openWorkerDriver, type WorkerDriver } from '../worker-driver.ts';

const uuidOf = (id: string): string => toUuid(id as Id<string>);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('contract §4: the document of a statement', () => {
  let fixture: ProofFixture;
  let partner: OrgClient;
  let statement: Json;
  before(async () => {
    fixture = await openProofFixture();
    ({ partner, statement } = fixture);
  });
  after(() => fixture.close());

  const documentOf = async (): Promise<Json> =>
    (await partner.call('GET', `/v1/statements/${statement.id}`)).json.document;

  test('is a PDF, linked from the statement with its digest', async () => {
    const { headers } = await partner.call('GET', `/v1/statements/${statement.id}`);
    const document = await documentOf();
    const bytes = await bytesOf(document);
    assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
    assert.deepEqual([sha256(bytes), bytes.length], [document.sha256, document.size_bytes]);
    assert.equal(document.page_count, 2);
    const again = await partner.call('GET', `/v1/statements/${statement.id}`);
    assert.equal(again.headers.get('etag'), headers.get('etag'), 'URLs are not in the ETag');
    const { json } = await partner.call('GET', '/v1/statements?status=open');
    const open = await partner.call('GET', `/v1/statements/${json.data[0].id}`);
    assert.equal(open.json.document, null);
  });

  test('is made once; a worker that was killed before it was recorded makes the same file', async () => {
    const document = await documentOf();
    const [run] = await fixture.service.query(
      `select run.org_id, run.id from royalty_runs run join statements on run_id = run.id where statements.id = $1`,
      [uuidOf(statement.id)],
    );
    const message = wakeRun(toWire('org', run.org_id), toWire('run', run.id), 'document');
    const at = async () =>
      (
        await fixture.service.query(
          'select documented_at from run_statements where statement_id = $1',
          [uuidOf(statement.id)],
        )
      )[0].documented_at;
    const recordedAt = await at();
    assert.ok(recordedAt instanceof Date);
    await fixture.handle(message);
    assert.deepEqual(await at(), recordedAt);

    const unrecord = 'update run_statements set documented_at = null where statement_id = $1';
    await fixture.service.query(unrecord, [uuidOf(statement.id)]);
    await fixture.handle(message);
    assert.equal((await documentOf()).sha256, document.sha256);

    const removeRow = `delete from statement_artifacts where statement_id = $1 and kind = 'document'`;
    await fixture.service.query(removeRow, [uuidOf(statement.id)]);
    assert.equal(await documentOf(), null);
    await fixture.service.query(unrecord, [uuidOf(statement.id)]);
    await fixture.handle(message);
    assert.equal((await documentOf()).sha256, document.sha256);
  });
});

describe('a document that cannot be drawn', () => {
  let fixture: RunFixture;
  let partners: OrgClient[];
  let run: Json;
  before(async () => {
    fixture = await openRunFixture();
    partners = [];
    for (let i = 0; i < 5; i++) partners.push(await fixture.givenPartner());
    await rename(1, crashingName);
    await rename(3, refusedName);
    await fixture.givenReport({
      lines: partners.map((org, i) => ({ org, isrc: `QZABC260000${i}`, amount: '10' })),
    });
    run = await closeWith(openBreakableDriver(), '2026-09');
  });
  after(() => fixture.close());

  const rename = (index: number, name: string) =>
    fixture.service.query('update organizations set name = $2 where org_id = $1', [
      uuidOf(partners[index]?.orgId ?? ''),
      name,
    ]);
  const openBreakableDriver = () => {
    const { storage, workerDb: db } = fixture.service;
    const drawTask = new URL('../breakable-draw-task.ts', import.meta.url);
    const breakable = runWorkflow({ storage, scratchFolder: tmpdir(), db, drawTask });
    return openWorkerDriver(fixture.service, undefined, undefined, undefined, [breakable]);
  };
  const closeWith = async ({ runUntilIdle }: WorkerDriver, month: string): Promise<Json> => {
    const { id } = await fixture.create(month);
    await runUntilIdle();
    await fixture.run('approve', id);
    await fixture.run('close', id);
    await runUntilIdle();
    return fixture.run('show', id);
  };
  const statementOf = async (partner: OrgClient): Promise<Json> => {
    const { json } = await partner.call('GET', '/v1/statements?status=published');
    return (await partner.call('GET', `/v1/statements/${json.data[0].id}`)).json;
  };
  const hasDocument = async (): Promise<boolean[]> =>
    Promise.all(partners.map(async (each) => (await statementOf(each)).document !== null));
  const countFailed = () => countFailedDocuments(fixture.service.workerDb.withoutTenant);

  test('does not hold up the others; it is null in the resource', async () => {
    assert.equal(run.status, 'closed');
    assert.deepEqual(await hasDocument(), [true, false, true, false, true]);
  });

  test('is counted for the alert, and the operator reads which and why', async () => {
    assert.equal(await countFailed(), 2);
    const ids = [
      (await statementOf(partners[1] as OrgClient)).id,
      (await statementOf(partners[3] as OrgClient)).id,
    ];
    const failed: Json[] = run.documents_failed;
    assert.deepEqual(new Set(failed.map(({ statement_id: id }) => id)), new Set(ids));
    const errorOf = (id: string): string => failed.find((each) => each.statement_id === id)?.error;
    assert.equal(errorOf(ids[0]), 'the task ended (SIGKILL)');
    assert.match(errorOf(ids[1]), /^Error: no glyph x+$/);
    assert.equal(errorOf(ids[1]).length, 500);
  });

  test('is not tried again by itself', async () => {
    await fixture.handle(wakeRun(systemOrgId, run.id, 'document'));
    assert.equal(await countFailed(), 2);
  });

  test('is drawn again when the operator says so; until the cause is gone it fails again', async () => {
    const redraw = () => fixture.run('draw-documents', run.id);
    assert.equal((await redraw()).documents_drawn_again, 2);
    assert.equal(await countFailed(), 0);
    await rename(3, 'Can be laid out now');
    await openBreakableDriver().runUntilIdle();
    assert.deepEqual(await hasDocument(), [true, false, true, true, true]);
    assert.equal(await countFailed(), 1);

    assert.equal((await redraw()).documents_drawn_again, 1);
    await fixture.runUntilIdle();
    assert.deepEqual(await hasDocument(), [true, true, true, true, true]);
    assert.deepEqual((await fixture.run('show', run.id)).documents_failed, []);
    assert.equal((await redraw()).documents_drawn_again, 0);
  });

  test('a worker that is ending records no failure', async () => {
    const { storage, workerDb: db } = fixture.service;
    const where = 'run_id = $1';
    await fixture.service.query(
      `delete from statement_artifacts where kind = 'document'
          and statement_id in (select statement_id from run_statements where ${where})`,
      [uuidOf(run.id)],
    );
    await fixture.service.query(`update run_statements set documented_at = null where ${where}`, [
      uuidOf(run.id),
    ]);
    const ending = new AbortController();
    const drawTask = new URL('../breakable-draw-task.ts', import.meta.url);
    const deps = { storage, scratchFolder: tmpdir(), db, drawTask };
    const drawing = documentSomeStatements(deps, { orgId: systemOrgId, id: run.id }, ending.signal);
    setTimeout(() => ending.abort(), 100);
    await assert.rejects(drawing);
    assert.equal(await countFailed(), 0);
    await fixture.handle(wakeRun(systemOrgId, run.id, 'document'));
    assert.deepEqual(await hasDocument(), [true, true, true, true, true]);
  });

  test('a run that is not closed has no documents to draw: invalid_state', async () => {
    await fixture.givenReport({
      lines: [{ org: partners[0] as OrgClient, isrc: 'QZABC2600001', amount: '1' }],
    });
    const { id } = await fixture.create('2026-10');
    await assert.rejects(
      fixture.run('draw-documents', id),
      /documents are drawn after a run is closed/,
    );
  });
});
