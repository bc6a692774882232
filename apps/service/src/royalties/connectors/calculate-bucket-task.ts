/** The first pass over a bucket, in a process of its own. */

import { join } from 'node:path';
import type { Task } from '../../platform/process/child-task.ts';
import { createCodes, createMatchedView } from './bucket-codes.ts';
import { loadTracks } from './bucket-dictionaries.ts';
import { createItemColumns, earningsOf, readItems } from './bucket-items.ts';
import { createRates } from './bucket-rates.ts';
import { createRecords } from './bucket-records.ts';
import { createSummary } from './bucket-summary.ts';
import type { BucketInput, CalculatedBucket } from './calculate-bucket.ts';
import { withDuckDb } from './duckdb.ts';
import { createPartFiles } from './part-files.ts';
import { writeRecordFile } from './record-file.ts';

export const run: Task<BucketInput, CalculatedBucket> = (input) =>
  withDuckDb(input, async (db) => {
    const { bucket, folder } = input;
    await createMatchedView(db, input);
    const codes = await createCodes(db, input);
    const tracks = await loadTracks(db);
    const rates = createRates(input, codes);
    const { columns, fill } = createItemColumns(codes, tracks, rates.dictionary);
    const files = createPartFiles(columns, 'items', bucket, folder);
    const records = createRecords(input, codes, tracks);
    const summary = createSummary(input, codes);
    await readItems(db, codes, bucket.statements.length, (item) => {
      const { head, tail, amount } = item;
      const source = tail.report * codes.currencies.length + tail.currency;
      const rate = rates.rateOf(head.statement, source);
      const earnings = earningsOf(amount, rate);
      fill(files.nextRow(head.statement), item, rate, earnings);
      records.add(item, source, earnings);
      summary.addItem(head.statement, item, { source, rate }, earnings);
    });
    rates.requireAll();
    const table = records.end();
    summary.addRecords(table);
    const recordsPath = join(folder, `records-${bucket.number}.bin`);
    writeRecordFile(recordsPath, table, codes, tracks);
    return { recordsPath, parts: summary.parts(files.end()) };
  });
