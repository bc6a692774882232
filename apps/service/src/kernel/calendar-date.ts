/** A day without time or zone, `YYYY-MM-DD`. Such dates compare correctly as text. */
export type CalendarDate = string;

const shape = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** Contract §1: checked against the calendar, so 2025-02-30 is refused. */
export function isCalendarDate(text: string): boolean {
  if (!shape.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/** The UTC day of an instant (contract §1: "future" means after today in UTC). */
export const dayOf = (instant: Date): CalendarDate => instant.toISOString().slice(0, 10);
