import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withDuckDb } from './duckdb.ts';
import { createRowWriter, missingNumber } from './write-rows.ts';

/** A list of more than fourteen row groups is written in another way. */
const rowCounts = [0, 1, 122_880, 130_000, 16 * 122_880];

test('DuckDB reads the rows as they were written, in their order', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-rows-'));
  try {
    await withDuckDb({ threads: 2, memoryMb: 500, folder }, async (db) => {
      for (const rows of rowCounts) {
        const path = join(folder, `${rows}.parquet`);
        const writer = createRowWriter(path);
        for (let row = 0; row < rows; row++)
          writer.add(row, row % 7, row % 2 === 0 ? -row : 2n ** 62n, (row - 5) * 10_000_000_000);
        writer.finish();
        writer.close();
        const [found] = await db.rows(`
          select count(*)::integer as rows,
                 count(*) filter (entity_id = file_row_number and context_id = entity_id % 7
                   and units = case when entity_id % 2 = 0 then -entity_id else 4611686018427387904 end
                   and amount = entity_id - 5 and typeof(amount) = 'DECIMAL(18,10)')::integer as equal
            from read_parquet('${path}', file_row_number = true)`);
        assert.deepEqual(found, { rows, equal: rows });
      }
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the smallest number of 64 bits is written as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-rows-'));
  try {
    const path = join(folder, 'rows.parquet');
    const writer = createRowWriter(path);
    writer.add(0, 0, missingNumber, -1);
    writer.finish();
    writer.close();
    await withDuckDb({ threads: 1, memoryMb: 500, folder }, async (db) => {
      const rows = await db.rows(
        `select units::varchar as units, amount::varchar as amount from read_parquet('${path}')`,
      );
      assert.deepEqual(rows, [{ units: String(missingNumber), amount: '-0.0000000001' }]);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
