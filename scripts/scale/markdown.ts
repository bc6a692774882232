/** Tables in Markdown, and the parts of a document that are written by a command. */

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Replaces what is between the lines that name this part. */
export function withPart(markdown: string, name: string, text: string): string {
  const begin = `<!-- ${name}: written by \`npm run scale\` -->`;
  const end = `<!-- end of ${name} -->`;
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document has no part "${name}"`);
  return `${markdown.slice(0, from + begin.length)}\n\n${text}\n\n${markdown.slice(to)}`;
}

/** Without what `npm run format` aligns. */
export const unaligned = (markdown: string): string =>
  markdown.replaceAll(/-{3,}/g, '---').replaceAll(/[ \t]+/g, ' ');
