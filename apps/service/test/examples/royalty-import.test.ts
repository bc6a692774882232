/** examples/royalty-import: line items into DuckDB, exact sums, a killed run, and rows that do not add up. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { root } from '../../../../scripts/servers/server.ts';
import { openRecordingProxy } from '../guides/recording-proxy.ts';
import { givenStatement } from '../statement-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('examples/royalty-import', () => {
  let service: TestService;
  let proxy: Awaited<ReturnType<typeof openRecordingProxy>>;
  let partner: OrgClient;
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-royalties-'));
  const file = join(folder, 'royalties.duckdb');
  before(async () => {
    service = await openTestService();
    proxy = await openRecordingProxy(service.url);
    partner = await service.givenOrganization();
  });
  after(async () => {
    await proxy.close();
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const runImport = async () => {
    const program = join(root, 'examples', 'royalty-import', 'import.ts');
    const env = {
      ...process.env,
      TONEARM_URL: proxy.url,
      TONEARM_API_KEY: partner.key,
      BATCH_SIZE: '100',
    };
    proxy.takeAnswers();
    const { stdout } = await promisify(execFile)(process.execPath, [program, file], { env });
    return { stdout, requests: proxy.takeAnswers().map(({ what }) => what) };
  };
  const query = async (sql: string) => {
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    try {
      return (await connection.runAndReadAll(sql)).getRowObjectsJson();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
  const sums = () =>
    query(`select statement_id, count(*)::int as rows, count(distinct id)::int as ids, sum(earnings)::varchar as earnings
             from line_items group by all order by statement_id`);

  test('every line item is imported once, and the sums are those of the statements', async () => {
    const statements = [
      await givenStatement(service, partner, { parts: [230], month: '2026-09' }),
      await givenStatement(service, partner, { parts: [40, 3], month: '2026-10' }),
    ];
    const { stdout } = await runImport();
    assert.match(stdout, /^2 statements with 273 line items imported/);
    const expected = statements
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, rowCount, gross }) => ({
        statement_id: id,
        rows: rowCount,
        ids: rowCount,
        earnings: gross,
      }));
    assert.deepEqual(await sums(), expected);

    const again = await runImport();
    assert.match(again.stdout, /^0 statements with 0 line items/);
    assert.ok(
      !again.requests.some((what) => what.includes('line-items')),
      'a complete statement is not read again',
    );
  });

  test('a run that was killed continues after the last line item it stored', async () => {
    const { id, gross } = await givenStatement(service, partner, {
      parts: [250],
      month: '2026-08',
    });
    await runImport();
    // As a run leaves it that was killed after its first batch.
    await query(`delete from line_items where statement_id = '${id}' and position >= 100`);
    await query(`update statements set is_complete = false where id = '${id}'`);
    const { stdout, requests } = await runImport();
    assert.match(stdout, /^1 statements with 150 line items/);
    assert.ok(requests.some((what) => what.includes('line-items.jsonl?after=sli_')));
    const [row] = await query(
      `select count(distinct id)::int as ids, max(position)::int as last, sum(earnings)::varchar as earnings
         from line_items where statement_id = '${id}'`,
    );
    assert.deepEqual(row, { ids: 250, last: 249, earnings: gross });
  });

  test('rows that do not add up are removed, and the next run imports them again', async () => {
    const { id } = await givenStatement(service, partner, { parts: [20], month: '2026-07' });
    await runImport();
    await query(
      `update line_items set earnings = earnings + 0.000001 where statement_id = '${id}' and position = 3`,
    );
    await query(`update statements set is_complete = false where id = '${id}'`);
    await assert.rejects(runImport(), /but the statement has 20 with/);
    assert.deepEqual(await query(`select 1 from line_items where statement_id = '${id}'`), []);
    assert.match((await runImport()).stdout, /^1 statements with 20 line items/);
  });
});
