/** A run as operators read it. */

import { secondMs } from '../../kernel/duration.ts';
import type { Run } from './run.ts';
import type { DocumentFailure } from './statement-document.ts';

export const presentRun = (run: Run) => ({
  id: run.id,
  statement_month: run.statementMonth,
  status: run.status,
  fx_set_id: run.fxSetId,
  rules_version: run.rulesVersion,
  row_count: run.rowCount,
  problems: run.review?.problems ?? [],
  created_by: run.createdBy,
  approved_by: run.approvedBy,
  created_at: run.createdAt.toISOString(),
  approved_at: run.approvedAt?.toISOString() ?? null,
  closing_since: run.closingAt?.toISOString() ?? null,
  closed_at: run.closedAt?.toISOString() ?? null,
});

export const presentFailure = ({ statementId, error }: DocumentFailure) => ({
  statement_id: statementId,
  error,
});

type Progress = {
  readonly planned: number;
  readonly calculated: number;
  readonly finished: number;
  readonly rowsDone: number;
};

/** Each bucket is calculated and then finished; finishing takes much less time. */
export function presentProgress(
  { rowCount, startedAt, status }: Run,
  { planned, calculated, finished, rowsDone }: Progress,
  now: Date,
) {
  const seconds = startedAt === null ? 0 : (now.getTime() - startedAt.getTime()) / secondMs;
  const rowsPerSecond = seconds > 0 ? Math.round(rowsDone / seconds) : null;
  const isKnown = status === 'calculating' && rowsPerSecond !== null && rowsPerSecond > 0;
  return {
    buckets: planned + calculated + finished,
    buckets_calculated: calculated + finished,
    buckets_finished: finished,
    rows_per_second: status === 'calculating' ? rowsPerSecond : null,
    seconds_left: isKnown ? Math.ceil((rowCount - rowsDone) / rowsPerSecond) : null,
  };
}
