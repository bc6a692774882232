/** A PDF with pages of A4 and embedded fonts. The same content makes the same bytes. */

import { join } from 'node:path';
import PdfDocument from 'pdfkit';

export type Pdf = InstanceType<typeof PdfDocument>;
type FontName = 'regular' | 'bold';

export const margin = 48;
/** Room for the line with the page number. */
const footerHeight = 24;
const pageHeight = 841.89;
const pageWidth = 595.28;
export const contentWidth = pageWidth - 2 * margin;
export const contentBottom = pageHeight - margin - footerHeight;
const black = '#000000';
/** Dark enough for a printer without colours. */
export const grey = '#444444';

/** Noto Sans (OFL): Latin, Greek, Cyrillic, Vietnamese and Devanagari. `docs/adr/0043-proofs-and-documents.md`. */
const fontsFolder = join(import.meta.dirname, '..', '..', '..', 'fonts');
const fontFiles: Readonly<Record<FontName, string>> = {
  regular: join(fontsFolder, 'NotoSans-Regular.ttf'),
  bold: join(fontsFolder, 'NotoSans-SemiBold.ttf'),
};

/** What fontkit makes of a font file. pdfkit takes it as well as the path, and has no public way to the one it made. */
type ParsedFont = {
  readonly layout: unknown;
  readonly hasGlyphForCodePoint: (code: number) => boolean;
};
const currentFont = (pdf: Pdf): ParsedFont =>
  (pdf as unknown as Record<'_font', { readonly font: ParsedFont }>)['_font'].font;

/** Parsing takes longer than drawing a short statement: the documents of one process share the fonts. */
const parsedFonts = new Map<string, ParsedFont>();

/** By a document that is never written: the first of a process must have the same bytes as the others. */
function parsedFont(name: string, path: string): ParsedFont {
  const known = parsedFonts.get(name);
  if (known !== undefined) return known;
  const parsed = currentFont(new PdfDocument({ autoFirstPage: false }).font(path));
  parsedFonts.set(name, parsed);
  return parsed;
}

function registerFonts(pdf: Pdf): void {
  for (const [name, path] of Object.entries(fontFiles))
    pdf.registerFont(name, parsedFont(name, path) as unknown as string);
}

/** `createdAt`: without it, the time of writing would be in the file. */
export function openPdf(title: string, createdAt: Date): Pdf {
  const pdf = new PdfDocument({
    size: 'A4',
    margins: { top: margin, bottom: 0, left: margin, right: margin },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: { Title: title, Author: 'Tonearm', CreationDate: createdAt, ModDate: createdAt },
  });
  registerFonts(pdf);
  return pdf;
}

export type TextStyle = {
  readonly font?: FontName;
  readonly size: number;
  readonly color?: string;
};

export const setStyle = (pdf: Pdf, { font = 'regular', size, color = black }: TextStyle): Pdf =>
  pdf.font(font).fontSize(size).fillColor(color);

/** One line that never wraps. */
export function writeLine(
  pdf: Pdf,
  text: string,
  at: { readonly x: number; readonly y: number; readonly width?: number; readonly right?: boolean },
  style: TextStyle,
): void {
  const { x, y, width = contentWidth, right = false } = at;
  setStyle(pdf, style).text(text, x, y, {
    width,
    align: right ? 'right' : 'left',
    lineBreak: false,
    height: style.size * 1.5,
  });
}

export const drawRule = (
  pdf: Pdf,
  y: number,
  width = 0.5,
  from = margin,
  to = margin + contentWidth,
) => pdf.moveTo(from, y).lineTo(to, y).lineWidth(width).strokeColor(black).stroke();

/** Emoji, with what joins and colours them. Digits count as emoji too, and must stay. */
const emoji = /(?![\d#*©®™])\p{Emoji}|\u200d|\ufe0e|\ufe0f|\u20e3|[\u{e0020}-\u{e007f}]/gu;

/**
 * The text without emoji, which are decoration. Undefined if the font does not have every other character: a missing one
 * would be printed as an empty box.
 */
export function printable(pdf: Pdf, text: string): string | undefined {
  const font = currentFont(pdf.font('regular'));
  const isPrintable = (each: string) =>
    Array.from(each).every((character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
  if (isPrintable(text)) return text;
  const words = text.replaceAll(emoji, ' ').replaceAll(/ {2,}/g, ' ').trim();
  return words !== '' && isPrintable(words) ? words : undefined;
}

/** The longest beginning of the text that fits, with an ellipsis if it is not all of it. */
export function fitText(pdf: Pdf, text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text;
  const characters = Array.from(text);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const shown = `${characters.slice(0, middle).join('').trimEnd()}…`;
    if (pdf.widthOfString(shown) <= width) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}

/** On every page, once all of them are there. Returns their number. */
export function writeFooters(pdf: Pdf, text: string): number {
  const { count } = pdf.bufferedPageRange();
  const y = contentBottom + footerHeight / 2;
  const style = { size: 7.5, color: grey };
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    writeLine(pdf, text, { x: margin, y }, style);
    writeLine(pdf, `Page ${page + 1} of ${count}`, { x: margin, y, right: true }, style);
  }
  return count;
}
