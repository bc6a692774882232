/** Dates as stores write them. */

import { type CalendarDate, isCalendarDate } from '../../kernel/calendar-date.ts';

/** ISO 8601 dates of DSR may leave out the day or the month: `2025-07` is all of July. */
export function periodOf(
  text: string,
): { readonly start: CalendarDate; readonly end: CalendarDate } | undefined {
  if (isCalendarDate(text)) return { start: text, end: text };
  if (/^\d{4}$/.test(text)) return yearOf(text);
  const start = `${text}-01`;
  return /^\d{4}-\d{2}$/.test(text) && isCalendarDate(start)
    ? { start, end: endOfMonth(text) }
    : undefined;
}

const yearOf = (year: string) =>
  isCalendarDate(`${year}-01-01`) ? { start: `${year}-01-01`, end: `${year}-12-31` } : undefined;

function endOfMonth(month: string): CalendarDate {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

export const isMonth = (text: string): boolean =>
  /^\d{4}-\d{2}$/.test(text) && isCalendarDate(`${text}-01`);

/** The month of the middle day. Fiscal months end a few days before or after a calendar month. */
export function middleMonth(start: CalendarDate, end: CalendarDate): string {
  const middle = (Date.parse(start) + Date.parse(end)) / 2;
  return new Date(middle).toISOString().slice(0, 7);
}
