/** Writes one Parquet file for each statement of a bucket. */

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bucket } from '../domain/calculation.ts';
import { type FileColumn, rowsPerGroup } from './parquet-columns.ts';
import { createParquetWriter } from './parquet-file.ts';

export type WrittenFile = {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

export type PartFiles = {
  /** The place of the next row in the columns. Statements are in their order; rows of one follow each other. */
  readonly nextRow: (statement: number) => number;
  /** One for each statement of the bucket, in its order; some have no rows. */
  readonly end: () => readonly WrittenFile[];
};

/** The files of a process that was killed may be incomplete: its folder is not used again. */
export function createPartFiles(
  columns: readonly FileColumn[],
  name: string,
  { statements }: Bucket,
  folder: string,
): PartFiles {
  const writer = createParquetWriter(columns);
  const files: WrittenFile[] = [];
  let row = 0;
  const endGroup = () => {
    if (row > 0) writer.writeGroup(row);
    row = 0;
  };
  const endFile = () => {
    endGroup();
    const of = statements[files.length];
    if (of === undefined) throw new Error('the bucket has fewer statements');
    const path = join(folder, `${name}-${of.statementId}-${of.part}.parquet`);
    files.push(writeFile(path, writer.endFile()));
  };
  return {
    nextRow: (statement) => {
      while (files.length < statement) endFile();
      if (row === rowsPerGroup) endGroup();
      return row++;
    },
    end: () => {
      while (files.length < statements.length) endFile();
      return files;
    },
  };
}

function writeFile(path: string, bytes: Buffer): WrittenFile {
  writeFileSync(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, sizeBytes: bytes.length, sha256 };
}
