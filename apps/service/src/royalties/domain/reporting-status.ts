/**
 * How far each month of each store is: whether the store has reported it, paid for it, and whether it is in a published
 * statement. A month that is not reported is not a month without earnings.
 *
 *   not_due    the month has not ended
 *   awaited    it has ended, and the report is not late
 *   late       the day by which the store reports has passed
 *   reported   the store has reported it
 *   paid       the store has paid for what it reported
 *   included   it is in published statements
 */

import { type CalendarDate, dayOf } from '../../kernel/calendar-date.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import { lastDayOf, type Month, previousMonth } from '../../kernel/month.ts';

export const reportingStates = [
  'not_due',
  'awaited',
  'late',
  'reported',
  'paid',
  'included',
] as const;
type ReportingState = (typeof reportingStates)[number];

export type ReportingStatus = {
  readonly storeId: string;
  readonly usageMonth: Month;
  readonly state: ReportingState;
  readonly expectedBy: CalendarDate;
};

export type ReportingStore = {
  readonly storeId: string;
  readonly firstLiveAt: Date;
  readonly reportDueDays: number;
};

export type ReportedMonth = {
  readonly storeId: string;
  readonly usageMonth: Month;
  readonly state: Extract<ReportingState, 'reported' | 'paid' | 'included'>;
};

const monthOf = (time: Date): Month => dayOf(time).slice(0, 'YYYY-MM'.length);
const keyOf = (storeId: string, month: Month): string => `${storeId} ${month}`;

/** The newest month first, then by store: every month since the store had the first release. */
export function reportingStatuses(
  stores: readonly ReportingStore[],
  reported: readonly ReportedMonth[],
  now: Date,
): readonly ReportingStatus[] {
  const states = new Map(
    reported.map(({ storeId, usageMonth, state }) => [keyOf(storeId, usageMonth), state]),
  );
  const today = dayOf(now);
  return monthsBetween(stores, monthOf(now)).flatMap((usageMonth) =>
    stores
      .filter(({ firstLiveAt }) => monthOf(firstLiveAt) <= usageMonth)
      .toSorted((a, b) => (a.storeId < b.storeId ? -1 : 1))
      .map(({ storeId, reportDueDays }) => {
        const expectedBy = dueDayOf(usageMonth, reportDueDays);
        const state = states.get(keyOf(storeId, usageMonth));
        return {
          storeId,
          usageMonth,
          state: state ?? unreportedState(usageMonth, expectedBy, today),
          expectedBy,
        };
      }),
  );
}

/** From the last one back to the first month of any store. */
function monthsBetween(stores: readonly ReportingStore[], last: Month): readonly Month[] {
  const first = stores
    .map(({ firstLiveAt }) => monthOf(firstLiveAt))
    .reduce((a, b) => (a < b ? a : b), '9999-12');
  const months: Month[] = [];
  for (let month = last; month >= first; month = previousMonth(month)) months.push(month);
  return months;
}

const dueDayOf = (month: Month, days: number): CalendarDate =>
  dayOf(addMs(new Date(`${lastDayOf(month)}T00:00:00Z`), days * dayMs));

function unreportedState(
  month: Month,
  expectedBy: CalendarDate,
  today: CalendarDate,
): ReportingState {
  if (today <= lastDayOf(month)) return 'not_due';
  return today <= expectedBy ? 'awaited' : 'late';
}
