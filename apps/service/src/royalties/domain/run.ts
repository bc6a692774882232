/**
 * A royalty run: the statements of one month, calculated from reports that are paid.
 *
 *   draft → calculating → review → approved → closed
 *   calculating → draft          canceled; what is calculated stays, and `start` continues
 *   each but closed → discarded  what it has calculated is removed, and its reports are free for another run
 *
 * A run that is being closed cannot be discarded: some statements may be published already.
 */

import type { Month } from '../../kernel/month.ts';
import { Problem, type Refusal } from '../../kernel/problem.ts';
import type { RunId } from './run-plan.ts';
import type { FxRateSetId } from './run-rates.ts';
import type { RunReview } from './run-review.ts';

export type RunStatus = 'draft' | 'calculating' | 'review' | 'approved' | 'closed' | 'discarded';

/** Changes with every change of what a calculation gives from the same inputs. */
export const rulesVersion = '1';

export type Run = {
  readonly id: RunId;
  readonly statementMonth: Month;
  readonly fxSetId: FxRateSetId;
  readonly status: RunStatus;
  readonly rulesVersion: string;
  readonly rowCount: number;
  readonly review: RunReview | null;
  readonly createdBy: string;
  readonly approvedBy: string | null;
  readonly startedAt: Date | null;
  readonly approvedAt: Date | null;
  readonly closingAt: Date | null;
  readonly closedAt: Date | null;
  readonly removedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Cause by cause: which statuses it is possible in, and which one follows. */
const moves = {
  start: { from: ['draft'], to: 'calculating' },
  cancel: { from: ['calculating'], to: 'draft' },
  approve: { from: ['review'], to: 'approved' },
  close: { from: ['approved'], to: 'approved' },
  discard: { from: ['draft', 'calculating', 'review', 'approved'], to: 'discarded' },
} as const satisfies Record<string, { from: readonly RunStatus[]; to: RunStatus }>;
export type RunMove = keyof typeof moves;

export const statusAfter = (move: RunMove): RunStatus => moves[move].to;

export function refuseMove(
  { status, closingAt, review }: Pick<Run, 'status' | 'closingAt' | 'review'>,
  move: RunMove,
): Refusal | undefined {
  const from: readonly RunStatus[] = moves[move].from;
  if (!from.includes(status)) {
    return invalidState(`The run is ${status}; ${move} needs a run that is ${from.join(' or ')}.`);
  }
  if (closingAt !== null) return invalidState('The run is being closed.');
  const problems = review?.problems ?? [];
  if (move === 'approve' && problems.length > 0) {
    return invalidState(`The run has problems that block it: ${problems.join(' ')}`);
  }
  return undefined;
}

export const refuseDrawing = ({ status }: Pick<Run, 'status'>): Refusal | undefined =>
  status === 'closed'
    ? undefined
    : invalidState(`The run is ${status}; documents are drawn after a run is closed.`);

const invalidState = (message: string): Refusal => ({ code: 'invalid_state', message });

export const runNotFound = (): Problem =>
  new Problem('resource_not_found', 'There is no run with this id (run_… id).');

/** The folder of everything that a run writes to the object store. */
export const runFolder = (id: RunId): string => `statements/${id}/`;
