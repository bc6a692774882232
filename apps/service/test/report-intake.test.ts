/** Files that stores put on the object store become reports (ADR 0037). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openReportFixture, type ReportFixture } from './report-lifecycle-fixture.ts';

describe('files that a store puts on the object store', () => {
  let fixture: ReportFixture;
  const runIntake = () =>
    fixture.driver.handle({ service: 'report-intake', key: 'incoming', handler: 'run' });
  const put = async (key: string, content: string) => {
    const url = await fixture.service.storage.presignPut(key, {
      contentType: 'text/plain',
      sizeBytes: Buffer.byteLength(content),
      expiresInSeconds: 60,
    });
    const headers = { 'content-type': 'text/plain' };
    assert.ok((await fetch(url, { method: 'PUT', headers, body: content })).ok, key);
  };
  const incoming = () => fixture.service.storage.listBelow('reports/incoming/', 1_000);
  const listed = async () => (await fixture.reports('list')).reports;
  before(async () => {
    fixture = await openReportFixture({ environment: 'live' });
  });
  after(() => fixture.close());

  test('are registered once their semaphore is there, and are moved to the report', async () => {
    const folder = `reports/incoming/aurora/dsr/${fixture.service.database}-1/`;
    await put(`${folder}Oktober 2026 ä.tsv`, JSON.stringify({ note: folder }));
    await put(`${folder}2.tsv`, JSON.stringify({ note: `${folder}2` }));
    await runIntake();
    assert.deepEqual(await listed(), []);
    await put(`${folder}BatchComplete`, 'x');
    await runIntake();
    const [{ id, status }] = await listed();
    assert.equal(status, 'received');
    assert.deepEqual(
      (await incoming()).filter((key) => key.startsWith(folder)),
      [],
    );
    const { files } = await fixture.show(id);
    assert.deepEqual(
      files.map(({ name }: { name: string }) => name),
      ['2.tsv', 'Oktober 2026 ä.tsv'],
    );
    await fixture.driver.runUntilIdle();
    assert.equal((await fixture.show(id)).status, 'matched');
    await runIntake();
    assert.equal((await listed()).length, 1);
  });

  test('that are known under other names are removed, and change nothing', async () => {
    const [{ id }] = await listed();
    const { files } = await fixture.show(id);
    assert.equal(files.length, 2);
    const old = `reports/incoming/aurora/dsr/${fixture.service.database}-1/`;
    const folder = `reports/incoming/aurora/dsr/${fixture.service.database}-2/`;
    await put(`${folder}b`, JSON.stringify({ note: old }));
    await put(`${folder}a`, JSON.stringify({ note: `${old}2` }));
    await put(`${folder}BatchComplete`, 'x');
    await runIntake();
    assert.equal((await listed()).length, 1);
    assert.deepEqual(
      (await incoming()).filter((key) => key.startsWith(folder)),
      [],
    );
  });

  test('of an unknown store or format are marked as refused once, and do not stop others', async () => {
    const name = `${fixture.service.database}-3`;
    const batches = [
      `reports/incoming/aaa/dsr/${name}/`,
      `reports/incoming/aurora/aaa/${name}/`,
      `reports/incoming/aurora/dsr/${name}-empty/`,
      `reports/incoming/aurora/dsr/${name}/`,
    ];
    for (const folder of batches) {
      if (!folder.includes('-empty')) await put(`${folder}a`, JSON.stringify({ note: folder }));
      await put(`${folder}BatchComplete`, 'x');
    }
    const known = (await listed()).length;
    await runIntake();
    assert.equal((await listed()).length, known + 1);
    const refusedKeys = (await incoming()).filter((key) => key.includes(name));
    assert.deepEqual(refusedKeys.filter((key) => key.endsWith('BatchRefused')).length, 3);
    const lines = fixture.logLines.filter(
      (line) => line.includes(name) && line.includes('refused'),
    );
    assert.equal(lines.length, 3);
    await runIntake();
    const linesAfter = fixture.logLines.filter(
      (line) => line.includes(name) && line.includes('refused'),
    );
    assert.equal(linesAfter.length, 3);
    for (const key of refusedKeys) await fixture.service.storage.remove(key);
  });
});
