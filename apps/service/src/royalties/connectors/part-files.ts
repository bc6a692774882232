/** Writes one Parquet file for each statement of a bucket, in row groups of a page's size. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Bucket } from '../domain/calculation.ts';
import { type DuckDb, text } from './duckdb.ts';

/** A page of 100 items reads one row group. */
const rowsPerGroup = 2_048;

export type WrittenFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/**
 * `table` has the rows of all statements, sorted, with the column `statement`; `columns` are those of the files. A file appears under its name when it is
 * complete: a process that was killed leaves no half of one.
 */
export async function writePartFiles(
  db: DuckDb,
  table: string,
  columns: string,
  bucket: Bucket,
  folder: string,
): Promise<readonly WrittenFile[]> {
  const paths = bucket.statements.map(({ statementId, part }) =>
    join(folder, `${table}-${statementId}-${part}.parquet`),
  );
  const options = `row_group_size ${rowsPerGroup}, write_bloom_filter false`;
  await db.runEach(
    paths.map((path, statement) => {
      const rows = `select ${columns} from ${table} where statement = ${statement}`;
      return copyStatement(rows, `${path}.part`, options);
    }),
  );
  const files: WrittenFile[] = [];
  for (const path of paths) {
    await rename(`${path}.part`, path);
    files.push({ path, ...(await digestOf(path)) });
  }
  return files;
}

const copyStatement = (query: string, path: string, options: string): string =>
  `copy (${query}) to ${text(path)} (format parquet, compression zstd, ${options})`;

/** Through a temporary name. */
export async function copyToParquet(
  db: DuckDb,
  query: string,
  path: string,
  options: string,
): Promise<void> {
  await db.run(copyStatement(query, `${path}.part`, options));
  await rename(`${path}.part`, path);
}

async function digestOf(path: string): Promise<Omit<WrittenFile, 'path'>> {
  const sha256 = createHash('sha256');
  await pipeline(createReadStream(path), sha256);
  return { sizeBytes: (await stat(path)).size, sha256: sha256.digest('hex') };
}
