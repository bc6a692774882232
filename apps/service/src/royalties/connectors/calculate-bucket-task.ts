/** The first pass over a bucket, in a process of its own. */

import { join } from 'node:path';
import type { Task } from '../../platform/process/child-task.ts';
import { createCodes, createMatchedView } from './bucket-codes.ts';
import { createItems, itemFileColumns, itemFileStatement } from './bucket-items.ts';
import {
  createFees,
  createRecords,
  recordFileStatement,
  sourceFileStatement,
} from './bucket-records.ts';
import { summarizeParts } from './bucket-summary.ts';
import type { BucketInput, CalculatedBucket } from './calculate-bucket.ts';
import { withDuckDb } from './duckdb.ts';
import { exactDivision } from './exact-division.ts';
import { copyToParquet, writePartFiles } from './part-files.ts';

export const run: Task<BucketInput, CalculatedBucket> = (input) =>
  withDuckDb(input, async (db) => {
    const { bucket, folder } = input;
    const recordsPath = join(folder, `records-${bucket.number}.parquet`);
    const sourcesPath = join(folder, `sources-${bucket.number}.parquet`);
    await db.run(exactDivision);
    await createMatchedView(db, input);
    const codes = await createCodes(db, input);
    const keyColumns = await createItems(db, input, codes);
    await createFees(db, input, codes);
    await createRecords(db, bucket.statements.length, codes);
    await copyToParquet(db, recordFileStatement, recordsPath, 'row_group_size 100000');
    const sources = sourceFileStatement(codes.currencies.length);
    await copyToParquet(db, sources, sourcesPath, 'row_group_size 100000');
    await db.run(`create table line_items as ${itemFileStatement(codes, keyColumns)}`);
    const files = await writePartFiles(db, 'line_items', itemFileColumns, bucket, folder);
    const parts = await summarizeParts(db, input, codes, files);
    return { recordsPath, sourcesPath, parts };
  });
