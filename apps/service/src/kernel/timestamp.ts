import { isCalendarDate } from './calendar-date.ts';

/** RFC 3339 (contract §1), within what PostgreSQL can store: years 1 to 9999, offsets up to 15:59. */
const shape =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

export function parseTimestamp(text: string): Date | undefined {
  if (!shape.test(text) || !isCalendarDate(text.slice(0, 10))) return undefined;
  const date = new Date(text.toUpperCase());
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

/** The `updatedAt` of a changed row: now, but never before its previous one, even if two machines' clocks differ. */
export const nextUpdatedAt = ({ updatedAt }: { readonly updatedAt: Date }, now: Date): Date =>
  now > updatedAt ? now : updatedAt;
