/** Stores ask for business days between submission and release; their holidays are not known to us. */
import type { CalendarDate } from '../../../kernel/calendar-date.ts';

const dayMs = 86_400_000;

const isWeekend = (day: Date): boolean => day.getUTCDay() === 0 || day.getUTCDay() === 6;

/** The beginning of the last day on which a submission leaves the store its time. */
export function latestSafeDay(releaseDate: CalendarDate, leadTimeBusinessDays: number): Date {
  // At most 60, which the network's own table sees to.
  let left = leadTimeBusinessDays;
  let day = new Date(`${releaseDate}T00:00:00Z`);
  while (left > 0) {
    day = new Date(day.getTime() - dayMs);
    if (!isWeekend(day)) left--;
  }
  return day;
}
