/**
 * The first pass over a bucket: line items, fees, and what the taxes of the whole run are computed from. Runs in a process
 * of its own; the files are complete when it resolves.
 */

import { runTask, type TaskOptions } from '../../platform/process/child-task.ts';
import type { CalculatedPart } from '../domain/calculated-part.ts';
import type { Bucket, FeeRule, RunRate, WithholdingRate } from '../domain/calculation.ts';
import type { ReportId } from '../domain/report.ts';

/** A Parquet file with matched rows of a report, on the local disk. */
export type MatchedPart = {
  readonly path: string;
  readonly reportId: ReportId;
  readonly storeId: string;
};

export type BucketInput = {
  readonly bucket: Bucket;
  readonly parts: readonly MatchedPart[];
  /** A source currency that is the statement's own needs none. */
  readonly rates: readonly RunRate[];
  readonly feeRules: readonly FeeRule[];
  readonly withholding: readonly WithholdingRate[];
  /** For the files; must exist. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
};

/** Details of the refusal when rates are missing. */
export type MissingRate = Pick<RunRate, 'reportId' | 'sourceCurrency' | 'currency'>;

export type CalculatedBucket = {
  /** The second pass reads it; it is in `folder`. */
  readonly recordsPath: string;
  /** One for each statement of the bucket, in its order. */
  readonly parts: readonly CalculatedPart[];
};

/** Rejects with TaskRefused if rates are missing; its details are MissingRate[]. */
export const calculateBucket = (
  input: BucketInput,
  options: TaskOptions,
): Promise<CalculatedBucket> =>
  runTask(new URL('./calculate-bucket-task.ts', import.meta.url), input, options);
