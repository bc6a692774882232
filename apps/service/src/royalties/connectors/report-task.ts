import { type TaskOptions, TaskRefused, runTask } from '../../platform/process/child-task.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportRejection } from '../domain/report.ts';

/** A task whose refusals are rejections: see `refuseReport`. */
export async function runReportTask<Result>(
  module: URL,
  input: unknown,
  options: TaskOptions,
): Promise<Result> {
  try {
    return await runTask<Result>(module, input, options);
  } catch (error) {
    if (!(error instanceof TaskRefused)) throw error;
    throw new ReportRejected(error.details as ReportRejection);
  }
}

/** In the process of a task: the rejection reaches the caller of `runReportTask`. */
export const refuseReport = (rejection: ReportRejection): TaskRefused =>
  new TaskRefused(rejection.message, rejection);
