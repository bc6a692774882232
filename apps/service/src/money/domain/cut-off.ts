import { shiftBusinessDays } from '../../kernel/business-days.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';

const cutOffHour = 12; // UTC

/** The next time at which payments are sent: 12:00 UTC on business days, always later than `after`. */
export function nextCutOff(after: Date): Date {
  const noon = new Date(after);
  noon.setUTCHours(cutOffHour, 0, 0, 0);
  const dayBefore = noon > after ? addMs(noon, -dayMs) : noon;
  return shiftBusinessDays(dayBefore, 1);
}
