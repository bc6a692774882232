/** Rows that were in suspense and have an owner by now. The next run pays them. */

import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ReportId, ReportPart, ReportShare, ReportTotal } from './report.ts';
import { liveStatuses, type StoreReport } from './store-report.ts';

export type ReportToRematch = {
  readonly reportId: ReportId;
  readonly orgId: OrgId;
  readonly storeId: string;
  /** Of the part with the rows that are in suspense now. */
  readonly objectKey: string;
  /** Of the parts that are written. */
  readonly partNumber: number;
};

export type Rematch = {
  readonly partNumber: number;
  /** Rows of the report that left suspense, fines among them. */
  readonly rowsMatched: number;
  readonly parts: readonly ReportPart[];
  /** What left suspense. */
  readonly totals: readonly Pick<ReportTotal, 'currency' | 'matchedAmount' | 'otherAmount'>[];
  readonly shares: readonly ReportShare[];
};

export function refuseRematch({ id, status, rowsSuspense }: StoreReport): Problem | undefined {
  if (!liveStatuses.some((live) => live === status)) {
    return new Problem(
      'invalid_state',
      status === 'received'
        ? `${id} is being read. Try again when it is matched.`
        : `${id} is ${status}: its rows are not paid.`,
    );
  }
  return rowsSuspense > 0
    ? undefined
    : new Problem('invalid_state', `No row of ${id} is in suspense.`);
}

/** The rows that are in suspense now: each match writes those that are left as another part. */
export const suspensePartOf = (
  { rowsSuspense }: Pick<StoreReport, 'rowsSuspense'>,
  parts: readonly ReportPart[],
): ReportPart | undefined =>
  rowsSuspense === 0
    ? undefined
    : parts.filter(({ kind }) => kind === 'suspense').toSorted((a, b) => b.number - a.number)[0];

export const nextPartNumber = (parts: readonly ReportPart[]): number =>
  1 + Math.max(0, ...parts.map(({ number }) => number));
