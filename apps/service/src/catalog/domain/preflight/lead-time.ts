/** Stores need a number of business days between submission and release. */

import { shiftBusinessDays } from '../../../kernel/business-days.ts';
import { type CalendarDate, dayOf } from '../../../kernel/calendar-date.ts';
import { releaseStartsAt } from '../availability.ts';
import type { Release } from '../release.ts';

type ReleaseStart = Pick<Release, 'releaseDate' | 'releaseAt'>;

/** In UTC. With a `release_at` it may be the day before `release_date`, or the day after. */
export const startDayOf = (release: ReleaseStart): CalendarDate => dayOf(releaseStartsAt(release));

/** The start of the last day on which a submission is early enough for the store. */
export const latestSafeDay = (release: ReleaseStart, leadTimeBusinessDays: number): Date =>
  shiftBusinessDays(new Date(`${startDayOf(release)}T00:00:00Z`), -leadTimeBusinessDays);
