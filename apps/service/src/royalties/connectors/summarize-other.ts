/** Adds up the rows of reports that are no usage: fines, chargebacks and income without a track. */

import { runTask, type TaskOptions } from '../../platform/process/child-task.ts';
import type { OtherAmount } from '../domain/other-amount.ts';
import type { ReportId } from '../domain/report.ts';

export type OtherInput = {
  readonly parts: readonly {
    readonly path: string;
    readonly reportId: ReportId;
    readonly number: number;
  }[];
  /** For temporary files; must exist. */
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
};

export const summarizeOther = (
  input: OtherInput,
  options: TaskOptions,
): Promise<readonly OtherAmount[]> =>
  runTask(new URL('./summarize-other-task.ts', import.meta.url), input, options);
