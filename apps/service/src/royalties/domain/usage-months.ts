/** The usage months that lie wholly between two days: royalties are recorded by month. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { firstDayOf, lastDayOf, type Month, nextMonth, previousMonth } from '../../kernel/month.ts';
import type { Refusal } from '../../kernel/problem.ts';

/** Both included. Undefined: no limit. */
export type UsageMonths = { readonly from?: Month | undefined; readonly to?: Month | undefined };

export type UsagePeriod = {
  readonly period_start?: CalendarDate | undefined;
  readonly period_end?: CalendarDate | undefined;
};

export const usageMonthsIn = ({
  period_start: start,
  period_end: end,
}: UsagePeriod): UsageMonths => ({
  from: start === undefined ? undefined : firstWholeMonth(start),
  to: end === undefined ? undefined : lastWholeMonth(end),
});

const monthOf = (day: CalendarDate): Month => day.slice(0, 'YYYY-MM'.length);

function firstWholeMonth(start: CalendarDate): Month {
  const month = monthOf(start);
  return start === firstDayOf(month) ? month : nextMonth(month);
}

function lastWholeMonth(end: CalendarDate): Month {
  const month = monthOf(end);
  return end === lastDayOf(month) ? month : previousMonth(month);
}

export function refusePeriod({
  period_start: start,
  period_end: end,
}: UsagePeriod): Refusal | undefined {
  if (start === undefined || end === undefined || start <= end) return undefined;
  const issue = 'must not be before period_start';
  return {
    code: 'invalid_parameter',
    message: `period_end ${issue}.`,
    details: [{ field: 'period_end', issue }],
  };
}
