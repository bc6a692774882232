/** Adds up the line items of paid statements with and without some reports. Runs in a process of its own. */

import { runTask, type TaskOptions } from '../../platform/process/child-task.ts';
import type { FeeRule } from '../domain/calculation.ts';
import type { ReportId } from '../domain/report.ts';
import type { LineTotals } from '../domain/reversal.ts';

export type PaidLines = {
  /** Files with line items: all parts of a statement. */
  readonly paths: readonly string[];
  /** Of the organization, as they were when the statement was calculated. */
  readonly feeRules: readonly FeeRule[];
  /** Their line items count for nothing. */
  readonly reversedBefore: readonly ReportId[];
  /** These leave one after the other. */
  readonly reports: readonly ReportId[];
};

export type ReverseInput = {
  readonly statements: readonly PaidLines[];
  /** For temporary files; must exist. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
};

/** For each statement: with all of `reports`, without the first, without the first two, and so on. */
export const reverseLines = (
  input: ReverseInput,
  options: TaskOptions,
): Promise<readonly (readonly LineTotals[])[]> =>
  runTask(new URL('./reverse-lines-task.ts', import.meta.url), input, options);
