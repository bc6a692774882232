/** Stores ask for business days between submission and release; their holidays are not known to us. */
import type { CalendarDate } from '../../../kernel/calendar-date.ts';

/** A store's setting, but a loop has a limit of its own. */
const leadTimeBusinessDaysMax = 400;
const dayMs = 86_400_000;

const isWeekend = (day: Date): boolean => day.getUTCDay() === 0 || day.getUTCDay() === 6;

/** The beginning of the last day on which a submission leaves the store its time. */
export function latestSafeDay(releaseDate: CalendarDate, leadTimeBusinessDays: number): Date {
  let left = Math.min(leadTimeBusinessDays, leadTimeBusinessDaysMax);
  let day = new Date(`${releaseDate}T00:00:00Z`);
  while (left > 0) {
    day = new Date(day.getTime() - dayMs);
    if (!isWeekend(day)) left--;
  }
  return day;
}
