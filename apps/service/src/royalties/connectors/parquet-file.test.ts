/** The files are read back by DuckDB. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setExact } from '../domain/exact-number.ts';
import { withDuckDb } from './duckdb.ts';
import {
  codedColumn,
  columnTypes,
  dateDictionary,
  numberColumn,
  rateDictionary,
  textDictionary,
  uuidDictionary,
} from './parquet-columns.ts';
import { createParquetWriter } from './parquet-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-parquet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const uuids = ['00000000-0000-0000-0000-0000000000ab', 'ffffffff-0000-0000-0000-0000000000cd'];
const texts = Array.from({ length: 3_000 }, (_, i) => `é ${i}`);
const { text, uuid, date, boolean, bigint, amount, rate } = columnTypes;

/** Row i has values made of i. */
function write(groups: readonly number[]): Buffer {
  const name = codedColumn('name', text, textDictionary(texts));
  const id = codedColumn('id', uuid, uuidDictionary(uuids));
  const day = codedColumn('day', date, dateDictionary('2026-02-27', 3));
  const fx = codedColumn('fx', rate, rateDictionary([1n, 99_999_999_999_999_999_999n]));
  const flag = codedColumn('flag', boolean, textDictionary([]));
  const plays = numberColumn('plays', bigint);
  const unit = numberColumn('unit', rate, true);
  const sum = numberColumn('sum', amount);
  const writer = createParquetWriter([name, id, day, fx, flag, plays, unit, sum]);
  for (const rows of groups) {
    for (let i = 0; i < rows; i++) {
      name.codes[i] = i;
      day.codes[i] = i % 3;
      fx.codes[i] = i % 2;
      flag.codes[i] = i % 3 === 0 ? 1 : 0;
      id.codes[i] = i % 2;
      setExact(plays, i, i % 5 === 0 ? -(2n ** 60n) : -i * 7);
      setExact(unit, i, i % 4 === 0 ? null : i);
      setExact(sum, i, i % 7 === 0 ? 10n ** 20n + BigInt(i) : -i);
    }
    writer.writeGroup(rows);
  }
  return writer.endFile();
}

const expected = (group: number, i: number) => ({
  group,
  name: texts[i],
  id: uuids[i % 2],
  day: ['2026-02-27', '2026-02-28', '2026-03-01'][i % 3],
  fx: ['0.0000000001', '9999999999.9999999999'][i % 2],
  flag: i % 3 === 0,
  plays: String(i % 5 === 0 ? -(2n ** 60n) : -i * 7),
  unit: i % 4 === 0 ? null : `0.${String(i).padStart(10, '0')}`,
  sum:
    i % 7 === 0
      ? `100000000000000.${String(i).padStart(6, '0')}`
      : `-0.${String(i).padStart(6, '0')}`,
});

const read = (bytes: Buffer) => {
  const path = join(folder, 'file.parquet');
  writeFileSync(path, bytes);
  return withDuckDb({ threads: 1, memoryMb: 500, folder }, (db) =>
    db.rows(`select (file_row_number // 2048)::integer as "group", * exclude (file_row_number)
      from read_parquet('${path}', file_row_number = true) order by file_row_number`),
  );
};

describe('a Parquet file', () => {
  test('has every value of every group', async () => {
    const rows = await read(write([2_048, 2_048, 13]));
    const all = [2_048, 2_048, 13].flatMap((count, group) =>
      Array.from({ length: count }, (_, i) => expected(group, i)),
    );
    assert.deepEqual(rows, all);
  });

  test('may be small or empty', async () => {
    assert.deepEqual(await read(write([1])), [expected(0, 0)]);
    assert.deepEqual(await read(write([])), []);
  });

  test('has the same bytes for the same rows', () => {
    assert.ok(write([2_048, 5]).equals(write([2_048, 5])));
  });
});
