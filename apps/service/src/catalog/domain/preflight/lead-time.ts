/** Stores need a number of business days between submission and release. */

import { shiftBusinessDays } from '../../../kernel/business-days.ts';
import type { CalendarDate } from '../../../kernel/calendar-date.ts';

/** The start of the last day on which a submission is early enough for the store. */
export const latestSafeDay = (releaseDate: CalendarDate, leadTimeBusinessDays: number): Date =>
  shiftBusinessDays(new Date(`${releaseDate}T00:00:00Z`), -leadTimeBusinessDays);
