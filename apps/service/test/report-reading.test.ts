/** Recording what was read of a report (ADR 0037), once, also after a crash. */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readReport } from '../src/royalties/connectors/read-report.ts';
import { readReportMessage } from '../src/royalties/messages.ts';
import {
  emptyReading,
  openReportFixture,
  type ReportFixture,
  scopeOf,
} from './report-lifecycle-fixture.ts';

describe('reading a report', () => {
  let fixture: ReportFixture;
  before(async () => {
    fixture = await openReportFixture();
  });
  after(() => fixture.close());

  test('records rows, totals and parts, and makes it matched', async () => {
    const scopes = [scopeOf({ territory: 'AT' })];
    const report = await fixture.givenReport({ messageId: 'M-1', scopes });
    assert.equal(report.status, 'matched');
    assert.deepEqual(report.rows, { read: 3, matched: 1, suspense: 1, rejected: 1 });
    assert.equal(report.message_id, 'M-1');
    assert.equal(report.totals[0].matched_amount, '1.5000000000');
    assert.equal(report.parts.length, 1);
    assert.equal(report.progress, null);
  });

  test('of wrong content rejects it, with the line; the same files can be sent again', async () => {
    const rejection = {
      code: 'wrong_footer',
      message: 'The footer counts 10 lines, the file has 9.',
      file: 'a.tsv',
      line: 9,
    } as const;
    const path = fixture.givenFile({ rejection });
    const { id } = await fixture.receive(path);
    await fixture.driver.runUntilIdle();
    const report = await fixture.show(id);
    assert.deepEqual([report.status, report.rejection], ['rejected', rejection]);
    const again = await fixture.receive(path);
    assert.notEqual(again.id, id);
  });

  test('twice, as after a crash, changes nothing', async () => {
    const { id } = await fixture.givenReport({ scopes: [scopeOf({ territory: 'CH' })] });
    const shown = await fixture.show(id);
    const audited = await fixture.countAudited();
    await fixture.driver.handle(readReportMessage(fixture.orgId, id));
    assert.deepEqual(await fixture.show(id), shown);
    assert.equal(await fixture.countAudited(), audited);
  });

  test('a message id that another report of the store has is rejected until that one is', async () => {
    const scopes = [scopeOf({ territory: 'FR' })];
    const first = await fixture.givenReport({ messageId: 'M-2', scopes });
    const content = { messageId: 'M-2', scopes, note: 'corrected' };
    const path = fixture.givenFile(content);
    const { id } = await fixture.receive(path);
    await fixture.driver.runUntilIdle();
    const second = await fixture.show(id);
    assert.equal(second.rejection.code, 'duplicate_message_id');
    assert.match(second.rejection.message, new RegExp(first.id));
    await fixture.reports('reject', '--report', first.id, '--reason', 'Wrong.');
    const again = await fixture.receive(path);
    await fixture.driver.runUntilIdle();
    assert.equal((await fixture.show(again.id)).status, 'matched');
  });

  test('of a report that the operator has rejected meanwhile does nothing', async () => {
    const { id } = await fixture.receive(fixture.givenFile({ note: 'rejected early' }));
    await fixture.reports('reject', '--report', id, '--reason', 'Not ours.');
    await fixture.driver.runUntilIdle();
    const { status, rejection } = await fixture.show(id);
    assert.deepEqual([status, rejection.code], ['rejected', 'rejected_by_operator']);
  });

  test('a process that is killed leaves the report received, and the next attempt reads it', async () => {
    let attempts = 0;
    const killed = await openReportFixture({}, async () => {
      if (++attempts === 1) throw new Error('the task ended (SIGKILL)');
      return emptyReading;
    });
    try {
      const { id } = await killed.receive(killed.givenFile({}));
      await assert.rejects(killed.driver.runUntilIdle(), /SIGKILL/);
      assert.equal((await killed.show(id)).status, 'received');
      await killed.driver.handle(readReportMessage(killed.orgId, id));
      assert.equal((await killed.show(id)).status, 'matched');
    } finally {
      await killed.close();
    }
  });
});

describe('a report from the command to its parts', () => {
  test('is read from real files: every row is counted, and its parts are on the object store', async () => {
    const fixture = await openReportFixture({}, readReport);
    try {
      const path = join(import.meta.dirname, 'golden/reports/plain.csv');
      const flags = ['--store', 'aurora', '--format', 'plain_csv', '--file', path];
      const { id } = await fixture.reports('receive', ...flags);
      await fixture.driver.runUntilIdle();
      const report = await fixture.show(id);
      assert.equal(report.status, 'matched', JSON.stringify(report.rejection));
      const { read, matched, suspense, rejected } = report.rows;
      assert.ok(read > 0);
      assert.equal(read, matched + suspense + rejected);
      assert.ok(report.parts.length > 0);
      for (const { object_key: key } of report.parts) {
        assert.ok(await fixture.service.storage.find(key), key);
      }
      const { files } = report;
      assert.equal(files[0].sha256, hash('sha256', readFileSync(path)));
    } finally {
      await fixture.close();
    }
  });
});
