import { addMs, dayMs } from './duration.ts';

/** Monday to Friday, in UTC; stores' holidays are not known to us. */
const isWeekend = (day: Date): boolean => day.getUTCDay() === 0 || day.getUTCDay() === 6;

/** So many business days later, or earlier when negative, at the same time of day. */
export function shiftBusinessDays(from: Date, days: number): Date {
  const direction = Math.sign(days);
  let left = Math.abs(days);
  let day = from;
  while (left > 0) {
    day = addMs(day, direction * dayMs);
    if (!isWeekend(day)) left--;
  }
  return day;
}
