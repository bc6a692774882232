/** The clock of a partner closes each month on the 15th of the next one, at 09:00 UTC, business time. */

import type { Month } from '../../kernel/month.ts';

export const closingDay = 15;
const closingHour = 9; // UTC

/** The first closing later than `after`. */
export function nextClosing(after: Date): Date {
  const [year, month] = [after.getUTCFullYear(), after.getUTCMonth()];
  const ofThisMonth = closingIn(year, month);
  return ofThisMonth > after ? ofThisMonth : closingIn(year, month + 1);
}

const closingIn = (year: number, month: number): Date =>
  new Date(Date.UTC(year, month, closingDay, closingHour));

/** The month before. */
export const monthClosedAt = (closesAt: Date): Month =>
  new Date(Date.UTC(closesAt.getUTCFullYear(), closesAt.getUTCMonth() - 1))
    .toISOString()
    .slice(0, 7);
