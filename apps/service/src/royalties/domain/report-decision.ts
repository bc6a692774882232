/** What the operator decides about a report that overlaps with others. Each overlap needs one decision. */

import { Problem } from '../../kernel/problem.ts';
import type { ReportId } from './report.ts';
import { liveStatuses, type StoreReport } from './store-report.ts';

/** supersedes: it replaces the other report. supplements: both are paid. */
const decisions = ['supersedes', 'supplements'] as const;
export type Decision = (typeof decisions)[number];

type StatusOf = Pick<StoreReport, 'id' | 'status'>;

const isLive = ({ status }: StatusOf): boolean => liveStatuses.some((live) => live === status);

/** The overlaps that still need a decision. A report that was rejected or superseded since needs none. */
export function undecidedOverlaps(
  { overlapsWith, supersedes, supplements }: StoreReport,
  others: readonly StatusOf[],
): readonly ReportId[] {
  const live = new Set(others.filter(isLive).map(({ id }) => id));
  return overlapsWith.filter(
    (id) => live.has(id) && !supersedes.includes(id) && !supplements.includes(id),
  );
}

export function refuseDecision(
  report: StoreReport,
  otherId: ReportId,
  others: readonly StatusOf[],
): Problem | undefined {
  const { id, status, overlapsWith } = report;
  const waitsFor = undecidedOverlaps(report, others);
  if (status !== 'validated') {
    return invalid(`${id} is ${status}: ${whyNotWaiting[status]}`);
  }
  if (!overlapsWith.includes(otherId)) {
    return invalid(
      `${id} does not overlap with ${otherId}. It waits for a decision about ${waitsFor.join(', ')}.`,
    );
  }
  const decided = decisions.find((decision) => report[decision].includes(otherId));
  if (decided !== undefined) {
    return invalid(
      `It is decided already that ${id} ${decided} ${otherId}. To change it, reject ${id} and receive its files again.`,
    );
  }
  return waitsFor.includes(otherId)
    ? undefined
    : invalid(`${otherId} is rejected or superseded: it needs no decision.`);
}

const invalid = (message: string) => new Problem('invalid_state', message);

const whyNotWaiting: Readonly<Record<Exclude<StoreReport['status'], 'validated'>, string>> = {
  received: 'its overlaps are known when it has been read.',
  matched: 'it overlaps with no report, or every overlap is decided.',
  included: 'a run has taken it.',
  rejected: 'it will never be paid. Receive its files again if the rejection was wrong.',
  superseded: 'another report has replaced it.',
};
