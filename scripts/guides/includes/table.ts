/** Markdown tables of generated parts. */

export const code = (text: string): string => `\`${text}\``;

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** A sentence from the code: outside of backticks, what Markdown would read as HTML or emphasis is escaped. */
export const prose = (sentence: string): string =>
  sentence
    .split('`')
    .map((part, i) => (i % 2 === 0 ? part.replaceAll(/[<*]/g, String.raw`\$&`) : part))
    .join('`');

/** With thousands separators, as numbers are written in the guides. */
export const count = (value: number): string => value.toLocaleString('en-US');

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A column whose title ends with `:` is aligned right, for numbers. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [
    line(titles.map((title) => title.replace(/:$/, ''))),
    line(titles.map((title) => (title.endsWith(':') ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}
