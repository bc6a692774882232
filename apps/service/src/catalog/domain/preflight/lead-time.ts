/** Stores ask for business days between submission and release. */

import { shiftBusinessDays } from '../../../kernel/business-days.ts';
import type { CalendarDate } from '../../../kernel/calendar-date.ts';

/** The beginning of the last day on which a submission leaves the store its time. */
export const latestSafeDay = (releaseDate: CalendarDate, leadTimeBusinessDays: number): Date =>
  shiftBusinessDays(new Date(`${releaseDate}T00:00:00Z`), -leadTimeBusinessDays);
