/** The second pass over a bucket: the royalty records with their taxes. Runs in a process of its own. */

import { runTask, type TaskOptions } from '../../platform/process/child-task.ts';
import type { FinishedPart, PartTaxes } from '../domain/calculated-part.ts';
import type { Bucket } from '../domain/calculation.ts';
import type { TotalsGrain } from '../domain/totals.ts';

export type FinishInput = {
  readonly bucket: Bucket;
  readonly recordsPath: string;
  /** Those of other buckets are ignored. */
  readonly taxes: readonly PartTaxes[];
  /** For the files; must exist. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
};

export type FinishedBucket = {
  readonly parts: readonly FinishedPart[];
  /**
   * CSV files without header and quotes: statement (UUID), the keys of the grain, plays and amounts; one line for each
   * combination of statement and keys in this bucket. A statement in several buckets has lines in several files: add them up.
   */
  readonly totals: Readonly<Record<TotalsGrain, { readonly path: string; readonly count: number }>>;
};

export const finishBucket = (input: FinishInput, options: TaskOptions): Promise<FinishedBucket> =>
  runTask(new URL('./finish-bucket-task.ts', import.meta.url), input, options);
