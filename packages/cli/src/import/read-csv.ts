/**
 * Reads a sheet as RFC 4180 describes it: commas, quotes around fields that have a comma, a quote or a line break, and
 * doubled quotes inside. Spreadsheets of half of Europe write semicolons instead of commas, so the first line decides.
 */

export type CsvRow = {
  /** Of the row's first character in the file, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
};

export class CsvError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** In the first line, outside quotes: whichever of `,`, `;` and tab occurs most often. */
function separatorOf(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (separator: string) => header.split(separator).length;
  return [';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best), ',');
}

/** A field in quotes that begins at `start`. Returns the field and the index after its closing quote. */
function readQuoted(text: string, start: number, line: number): readonly [string, number] {
  let value = '';
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new CsvError(line, 'A quote is opened and never closed.');
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return [value, quote + 1];
    value += '"';
    from = quote + 2;
  }
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/** Spreadsheets begin a file in UTF-8 with a byte order mark, and end lines with a carriage return. */
const normalized = (source: string): string =>
  source
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');

export function readCsv(source: string): CsvRow[] {
  const text = normalized(source);
  const separator = separatorOf(text);
  const isEnd = (index: number): boolean =>
    index >= text.length || text[index] === separator || text[index] === '\n';
  const rows: CsvRow[] = [];
  let line = 1;

  /** The field at `start`, and the index of the separator, the line break or the end after it. */
  const readCell = (start: number): readonly [string, number] => {
    if (text[start] !== '"') {
      let end = start;
      while (!isEnd(end)) end++;
      return [text.slice(start, end), end];
    }
    const [value, end] = readQuoted(text, start, line);
    line += lineBreaks(value);
    if (isEnd(end)) return [value, end];
    throw new CsvError(
      line,
      'After a closing quote there must be a separator or the end of the line.',
    );
  };

  for (let index = 0; index < text.length; index++, line++) {
    const rowLine = line;
    const cells: string[] = [];
    for (let hasMore = true; hasMore;) {
      const [value, end] = readCell(index);
      cells.push(value.trim());
      hasMore = text[end] === separator;
      index = hasMore ? end + 1 : end;
    }
    // An empty line is no row.
    if (cells.some((cell) => cell !== '')) rows.push({ line: rowLine, cells });
  }
  return rows;
}
