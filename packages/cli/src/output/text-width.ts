/** How many columns a text takes in a terminal, and how to cut and pad it. Han, kana, hangul and emoji take two columns. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** East Asian wide and fullwidth characters (Unicode's EastAsianWidth W and F) that are not emoji. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

const isWide = (codePoint: number): boolean =>
  wideRanges.some(([first, last]) => codePoint >= first && codePoint <= last);

const zeroWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u;

/** The sound marks of half-width katakana join their letter, but take a column of their own. */
const halfWidthMarks = /[\uff9e\uff9f]/g;

function graphemeWidth(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  const isDouble = emoji.test(grapheme) || isWide(grapheme.codePointAt(0) ?? 0);
  return (isDouble ? 2 : 1) + (grapheme.match(halfWidthMarks)?.length ?? 0);
}

/** Of text without escape sequences: colour is added after a text is measured. */
export function widthOf(text: string): number {
  // Most cells are plain ASCII.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The longest beginning that fits into `columns`, with an ellipsis if something was cut. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export type Alignment = 'left' | 'right';

export function pad(text: string, columns: number, alignment: Alignment): string {
  const spaces = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return alignment === 'left' ? text + spaces : spaces + text;
}

/** Breaks at spaces. A word that is longer than a line is cut, so that no line is ever too long. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = truncate(word, columns);
  }
  return [...lines, line];
}
