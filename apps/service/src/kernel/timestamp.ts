/** RFC 3339 (contract §1), within what the database can hold: years 1 to 9999, offsets up to 15:59. */
const shape = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5]):[0-5]\d)$/;

export function parseTimestamp(text: string): Date | undefined {
  if (!shape.test(text)) return undefined;
  const date = new Date(text.toUpperCase());
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
