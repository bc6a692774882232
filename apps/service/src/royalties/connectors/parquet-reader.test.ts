/** Compared with what DuckDB reads from the same files. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { OrgId } from '../../kernel/ids.ts';
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
import { createParquetReader, type ParquetFile, rowsAtOnceMax } from './parquet-reader.ts';
import type { ColumnKinds } from './parquet-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-parquet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const orgId: OrgId = 'org_00000000000000000000000001';
const uuids = ['00000000-0000-0000-0000-0000000000ab', 'ffffffff-0000-0000-0000-0000000000cd'];
const titles = Array.from({ length: 3_000 }, (_, i) => `Überschrift № ${i} 🎵`);
const { text, uuid, date, boolean, bigint, amount, sourceAmount, rate } = columnTypes;

const kinds = {
  title: 'text',
  id: 'uuid',
  day: 'date',
  fx: 'decimal',
  flag: 'boolean',
  plays: 'integer',
  unit: 'optional decimal',
  earned: 'decimal',
  source: 'decimal',
} as const satisfies ColumnKinds;

const limits = [
  0n,
  -1n,
  2n ** 53n - 1n,
  2n ** 53n,
  -(2n ** 53n) - 1n,
  10n ** 23n + 7n,
  -(10n ** 23n) - 7n,
];

/** Groups of rows, in which each row differs from its neighbours. `seed` tells two files apart. */
function write(groups: readonly number[], seed: number, isUnitRateKnown = true): Buffer {
  const title = codedColumn('title', text, textDictionary(titles));
  const id = codedColumn('id', uuid, uuidDictionary(uuids));
  const day = codedColumn('day', date, dateDictionary('1999-12-30', 5));
  const fx = codedColumn('fx', rate, rateDictionary([1n, 99_999_999_999_999_999_999n]));
  const flag = codedColumn('flag', boolean, textDictionary([]));
  const plays = numberColumn('plays', bigint);
  const unit = numberColumn('unit', rate, true);
  const earned = numberColumn('earned', amount);
  const source = numberColumn('source', sourceAmount);
  const writer = createParquetWriter([title, id, day, fx, flag, plays, unit, earned, source]);
  for (const rows of groups) {
    for (let i = 0; i < rows; i++) {
      const each = i + seed;
      title.codes[i] = each % titles.length;
      id.codes[i] = each % 2;
      day.codes[i] = each % 5;
      fx.codes[i] = Math.floor(each / 600) % 2;
      flag.codes[i] = each % 3 === 0 ? 1 : 0;
      setExact(plays, i, each % 5 === 0 ? -(2n ** 60n) : -each);
      setExact(unit, i, isUnitRateKnown && each % 4 !== 0 ? each : null);
      setExact(earned, i, each % 2 === 0 ? (limits[each % limits.length] ?? 0n) : -each);
      setExact(source, i, 10n ** 27n - BigInt(each));
    }
    writer.writeGroup(rows);
  }
  return writer.endFile();
}

/** Keeps the ranges that were asked for. */
function storageOf(objects: Readonly<Record<string, Buffer>>) {
  const ranges: string[] = [];
  return {
    ranges,
    readRange: async (key: string, start: number, endExclusive: number) => {
      ranges.push(key);
      const bytes = objects[key];
      if (bytes === undefined || endExclusive > bytes.length) throw new Error(`no bytes of ${key}`);
      // A pooled buffer does not begin at the begin of its memory.
      return Buffer.concat([Buffer.from('x'), bytes.subarray(start, endExclusive)]).subarray(1);
    },
  };
}

function filesOf(objects: Readonly<Record<string, Buffer>>, rowCounts: readonly number[]) {
  let firstPosition = 1;
  return Object.entries(objects).map(([objectKey, { length: sizeBytes }], i): ParquetFile => {
    const rowCount = rowCounts[i] ?? 0;
    const file = { objectKey, sizeBytes, rowCount, firstPosition };
    firstPosition += rowCount;
    return file;
  });
}

const readByDuckDb = (bytes: Buffer, name: number) => {
  const path = join(folder, `${name}.parquet`);
  writeFileSync(path, bytes);
  return withDuckDb({ threads: 1, memoryMb: 500, folder }, (db) =>
    db.rows(`select title, id, day, fx, flag, plays, unit, earned, source
      from read_parquet('${path}', file_row_number = true) order by file_row_number`),
  );
};

const asText = (rows: readonly { readonly plays: bigint }[]) =>
  rows.map((row) => ({ ...row, plays: String(row.plays) }));

describe('rows of Parquet files', () => {
  const first = [2_048, 2_048, 13];
  const second = [2_048, 1];
  const objects = { first: write(first, 0), empty: write([], 0), second: write(second, 7) };
  const files = filesOf(objects, [4_109, 0, 2_049]);
  const count = 4_109 + 2_049;
  const expected = Promise.all([objects.first, objects.second].map(readByDuckDb)).then((rows) =>
    rows.flat(),
  );

  test('are those that DuckDB reads: large, negative and unknown values, in all groups of all files', async () => {
    const { readRows } = createParquetReader(storageOf(objects));
    const rows = [];
    for (let from = 1; from <= count; from += 1_000)
      rows.push(...(await readRows(orgId, files, { from, toExclusive: from + 1_000 }, kinds)));
    assert.deepEqual(asText(rows), await expected);
  });

  const ranges: readonly [what: string, from: number, toExclusive: number][] = [
    ['the first one', 1, 2],
    ['the last one of a group', 2_048, 2_049],
    ['the first one of a group', 2_049, 2_050],
    ['on both sides of a group', 1_990, 2_090],
    ['on both sides of a file', 4_100, 4_120],
    ['the last one', count, count + 1],
    ['past the end', count - 1, count + 100],
    ['after the end', count + 1, count + 100],
    ['none', 5, 5],
  ];
  for (const [what, from, toExclusive] of ranges) {
    test(`${what}: ${from} to ${toExclusive}`, async () => {
      const { readRows } = createParquetReader(storageOf(objects));
      const rows = await readRows(orgId, files, { from, toExclusive }, kinds);
      assert.deepEqual(asText(rows), (await expected).slice(from - 1, toExclusive - 1));
    });
  }

  test('may all have no unit rate, or all have one', async () => {
    const bytes = write([5], 1, false);
    const { readRows } = createParquetReader(storageOf({ bytes }));
    const range = { from: 1, toExclusive: 6 };
    const rows = await readRows(orgId, filesOf({ bytes }, [5]), range, { unit: kinds.unit });
    assert.deepEqual(
      rows,
      Array.from({ length: 5 }, () => ({ unit: null })),
    );
    const known = write([3], 1);
    const reader = createParquetReader(storageOf({ known }));
    const read = await reader.readRows(orgId, filesOf({ known }, [3]), range, { unit: kinds.unit });
    assert.deepEqual(
      read.map(({ unit }) => unit),
      ['0.0000000001', '0.0000000002', '0.0000000003'],
    );
  });

  test('cost one range for the metadata of a file, once, and one for each group', async () => {
    const storage = storageOf(objects);
    const { readRows } = createParquetReader(storage);
    const readAt = (from: number) =>
      readRows(orgId, files, { from, toExclusive: from + 100 }, kinds);
    await readAt(1);
    assert.deepEqual(storage.ranges, ['first', 'first']);
    await readAt(101);
    assert.equal(storage.ranges.length, 2, 'the group is known');
    await readAt(3_000);
    assert.equal(storage.ranges.length, 3, 'the metadata is known');
    await readAt(4_100);
    assert.deepEqual(storage.ranges.slice(3), ['first', 'second', 'second']);
  });

  test('are read once for readers that ask at the same time', async () => {
    const storage = storageOf(objects);
    const { readRows } = createParquetReader(storage);
    const range = { from: 1, toExclusive: 101 };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => readRows(orgId, files, range, kinds)),
    );
    assert.equal(storage.ranges.length, 2);
    for (const rows of all) assert.deepEqual(rows, all[0]);
  });

  test('are refused if the file is not what was expected', async () => {
    const range = { from: 1, toExclusive: 2 };
    const refused = (
      bytes: Buffer,
      columns: ColumnKinds = kinds,
      rowCount = 4_109,
    ): Promise<unknown> =>
      createParquetReader(storageOf({ bytes })).readRows(
        orgId,
        filesOf({ bytes }, [rowCount]),
        range,
        columns,
      );
    await assert.rejects(refused(objects.first, { missing: 'text' }), /no column missing/);
    await assert.rejects(refused(objects.first, { earned: 'integer' }), /no column earned/);
    await assert.rejects(refused(objects.first, { unit: 'decimal' }), /no column unit/);
    await assert.rejects(refused(objects.first, kinds, 5_000), /has 4109 rows, not 5000/);
    await assert.rejects(refused(objects.first.subarray(0, -1)), /not a Parquet file/);
    const reader = createParquetReader(storageOf(objects));
    const tooMany = { from: 1, toExclusive: rowsAtOnceMax + 2 };
    await assert.rejects(reader.readRows(orgId, files, tooMany, kinds), RangeError);
  });

  test('are read again after a failure', async () => {
    const storage = storageOf(objects);
    let failures = 1;
    const reader = createParquetReader({
      readRange: async (...range) => {
        if (failures-- > 0) throw new Error('the storage does not answer');
        return storage.readRange(...range);
      },
    });
    const range = { from: 1, toExclusive: 2 };
    await assert.rejects(reader.readRows(orgId, files, range, kinds), /does not answer/);
    assert.equal((await reader.readRows(orgId, files, range, kinds)).length, 1);
  });
});
