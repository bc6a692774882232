/** CSV as in RFC 4180: a value with a comma, a quotation mark or a line break is quoted. Null is an empty value. */

const needsQuotes = /[",\r\n]/;

export const csvLine = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(csvValue).join(',')}\r\n`;

function csvValue(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
