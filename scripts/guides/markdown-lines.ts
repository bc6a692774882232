/** Markdown line by line, where it matters whether a line is inside a fenced code block. */

export type MarkdownLine = {
  readonly text: string;
  readonly kind: 'text' | 'fence' | 'code';
};

const fencePattern = /^\s*(`{3,}|~{3,})/;

export function markdownLines(markdown: string): MarkdownLine[] {
  let fence: string | undefined;
  return markdown.split('\n').map((text): MarkdownLine => {
    const mark = fencePattern.exec(text)?.[1];
    if (fence === undefined) {
      fence = mark;
      return { text, kind: mark === undefined ? 'text' : 'fence' };
    }
    const closes = mark !== undefined && mark.startsWith(fence) && text.trim() === mark;
    if (!closes) return { text, kind: 'code' };
    fence = undefined;
    return { text, kind: 'fence' };
  });
}

/** Changes the lines outside of code; the others stay as they are. */
export const mapTextLines = (markdown: string, change: (text: string) => string): string =>
  markdownLines(markdown)
    .map(({ text, kind }) => (kind === 'text' ? change(text) : text))
    .join('\n');
