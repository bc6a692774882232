/** A table in a PDF that continues on as many pages as it needs, with its head on each. */

import {
  contentBottom,
  contentWidth,
  drawRule,
  fitText,
  grey,
  margin,
  type Pdf,
  setStyle,
  type TextStyle,
  writeLine,
} from './pdf-page.ts';

export type Column = { readonly head: string; readonly isNumber: boolean };

/** Texts in the order of the columns. */
export type TableRow = { readonly cells: readonly string[]; readonly isTotal?: boolean };

type Styles = Readonly<Record<'body' | 'total' | 'head', TextStyle>>;
const stylesOf = (size: number): Styles => ({
  body: { size },
  total: { size, font: 'bold' },
  head: { size: size - 0.5, font: 'bold', color: grey },
});
/** Amounts are never cut: a table with large ones has a smaller print. */
const sizes = [8, 7, 6, 5, 4.5];
const firstWidthMin = 90;
const rowHeight = 14;
const gap = 10;

/** The first column gets what the others, as wide as their longest text, leave. Returns where the table ends. */
export function drawTable(
  pdf: Pdf,
  top: number,
  columns: readonly Column[],
  rows: readonly TableRow[],
): number {
  const { styles, widths } = fitColumns(pdf, columns, rows);
  let y = drawHead(pdf, top, columns, widths, styles.head);
  for (const row of rows) {
    if (y + rowHeight + 3 > contentBottom) {
      pdf.addPage();
      y = drawHead(pdf, margin, columns, widths, styles.head);
    }
    if (row.isTotal === true) drawRule(pdf, (y += 3), 0.75);
    drawCells(
      pdf,
      y + 3,
      columns,
      widths,
      row.cells,
      row.isTotal === true ? styles.total : styles.body,
    );
    y += rowHeight;
  }
  return y;
}

/** The head, a row and the total: a title is not alone at the end of a page. */
export const tableHeightMin = 3 * rowHeight;

type Fitted = { readonly styles: Styles; readonly widths: readonly number[] };

function fitColumns(pdf: Pdf, columns: readonly Column[], rows: readonly TableRow[]): Fitted {
  let fitted: Fitted | undefined;
  for (const size of sizes) {
    const styles = stylesOf(size);
    fitted = { styles, widths: widthsOf(pdf, columns, rows, styles) };
    if ((fitted.widths[0] ?? 0) >= firstWidthMin) break;
  }
  if (fitted === undefined) throw new Error('there is no size');
  return fitted;
}

function widthsOf(
  pdf: Pdf,
  columns: readonly Column[],
  rows: readonly TableRow[],
  { head, total }: Styles,
): readonly number[] {
  const widthOf = (index: number, name: string) => {
    setStyle(pdf, head);
    let width = pdf.widthOfString(name);
    setStyle(pdf, total);
    for (const { cells } of rows)
      width = Math.max(width, pdf.widthOfString(cells[index] ?? '') + gap);
    return Math.max(width, gap);
  };
  const others = columns.slice(1).map(({ head: name }, index) => widthOf(index + 1, name));
  return [contentWidth - others.reduce((sum, width) => sum + width, 0), ...others];
}

function drawHead(
  pdf: Pdf,
  y: number,
  columns: readonly Column[],
  widths: readonly number[],
  style: TextStyle,
): number {
  const names = columns.map((column) => column.head);
  drawCells(pdf, y, columns, widths, names, style);
  drawRule(pdf, y + rowHeight - 1, 0.75);
  return y + rowHeight;
}

function drawCells(
  pdf: Pdf,
  y: number,
  columns: readonly Column[],
  widths: readonly number[],
  cells: readonly string[],
  style: TextStyle,
): void {
  let x = margin;
  for (const [index, { isNumber }] of columns.entries()) {
    const width = widths[index] ?? 0;
    setStyle(pdf, style);
    const text = isNumber ? (cells[index] ?? '') : fitText(pdf, cells[index] ?? '', width - gap);
    writeLine(pdf, text, { x, y, width, right: isNumber }, style);
    x += width;
  }
}
