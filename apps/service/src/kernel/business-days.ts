import { addMs, dayMs } from './duration.ts';

/** Business days are Monday to Friday in UTC; the holidays of stores are unknown. */
const isWeekend = (day: Date): boolean => day.getUTCDay() === 0 || day.getUTCDay() === 6;

/** The time `days` business days later (earlier if negative), at the same time of day. */
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
