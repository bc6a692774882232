/** First step of matching suspense again, in a process of its own: the codes whose owners must be found. */

import type { Task } from '../../platform/process/child-task.ts';
import { text } from './duckdb-texts.ts';
import { type DuckDbLimits, withConfinedDuckDb } from './duckdb.ts';
import type { RowFiles } from './read-rows.ts';
import { createCodeFiles } from './report-codes.ts';

export type SuspenseCodesInput = DuckDbLimits & { readonly path: string };
export type SuspenseCodes = Pick<RowFiles, 'codesPath' | 'albumCodesPath'>;

export const run: Task<SuspenseCodesInput, SuspenseCodes> = (input) =>
  withConfinedDuckDb(input, async (db) => {
    const files = createCodeFiles(input.folder);
    try {
      const rows = await db.rows<{ readonly isrc: string; readonly product: string }>(`
        select distinct isrc, product_code as product from read_parquet(${text(input.path)}) order by 1, 2`);
      for (const { isrc, product } of rows) files.add(isrc, product);
      const { codesPath, albumCodesPath } = files;
      return { codesPath, albumCodesPath };
    } finally {
      files.close();
    }
  });
