/** CSV as in RFC 4180: a value with a comma, a quotation mark or a line break is quoted. Null is an empty value. */

/**
 * A spreadsheet takes a value that begins so for a formula, and a title is whatever somebody wrote. OWASP, "CSV Injection":
 * an apostrophe before it makes it text.
 */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;

/** For texts that people wrote. A number keeps its minus. */
export const csvText = (text: string): string => (beginsFormula.test(text) ? `'${text}` : text);

const needsQuotes = /[",\r\n]/;

export const csvLine = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(csvValue).join(',')}\r\n`;

function csvValue(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
