/** A table that fits the terminal: the columns that may shrink give way first, then the least important are left out. */

import type { Paint, Palette } from './palette.ts';
import { safeText } from './safe-text.ts';
import { type Alignment, pad, truncate, widthOf } from './text-width.ts';

export type Cell = string | { readonly text: string; readonly paint: Paint };

export type Column = {
  readonly title: string;
  readonly align?: Alignment;
  /** The column can be cut to this width. Omitted: it keeps the width of its longest cell. */
  readonly shrinksTo?: number;
  /** The column is left out on a narrow terminal: the one with the highest number first. Omitted: never. */
  readonly leaveOut?: number;
};

const gap = '  ';

const textOf = (cell: Cell): string => safeText(typeof cell === 'string' ? cell : cell.text);

type Sized = { readonly column: Column; readonly index: number; width: number };

const totalOf = (columns: readonly Sized[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + gap.length * (columns.length - 1);

/** Takes the missing columns away from those that may shrink, the widest first. */
function shrink(columns: readonly Sized[], excess: number): void {
  for (let left = excess; left > 0; left--) {
    const widest = columns
      .filter(({ column, width }) => column.shrinksTo !== undefined && width > column.shrinksTo)
      .toSorted((a, b) => b.width - a.width)[0];
    if (widest === undefined) return;
    widest.width--;
  }
}

const smallest = ({ column, width }: Sized): number => Math.min(width, column.shrinksTo ?? width);

function layOut(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  columnsMax: number,
) {
  let sized: Sized[] = columns.map((column, index) => ({
    column,
    index,
    width: Math.max(widthOf(column.title), ...rows.map((row) => widthOf(textOf(row[index] ?? '')))),
  }));
  const smallestTotal = () => totalOf(sized.map((each) => ({ ...each, width: smallest(each) })));
  while (smallestTotal() > columnsMax) {
    const optional = sized.filter(({ column }) => column.leaveOut !== undefined);
    const first = optional.toSorted(
      (a, b) => (b.column.leaveOut ?? 0) - (a.column.leaveOut ?? 0),
    )[0];
    if (first === undefined) break;
    sized = sized.filter((each) => each !== first);
  }
  shrink(sized, totalOf(sized) - columnsMax);
  return sized;
}

/** Returns the lines, the first of which has the titles. No line is wider than `columnsMax`, and none ends in a space. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { columnsMax, palette }: { readonly columnsMax: number; readonly palette: Palette },
): string[] {
  const sized = layOut(columns, rows, columnsMax);
  const line = (cells: readonly Cell[]): string => {
    let used = 0;
    const parts = sized.map(({ column, index, width }, place) => {
      const cell = cells[index] ?? '';
      const room = Math.max(0, Math.min(width, columnsMax - used));
      const text = truncate(textOf(cell), room);
      const isLast = place === sized.length - 1;
      const padded =
        isLast && column.align !== 'right' ? text : pad(text, room, column.align ?? 'left');
      used += width + gap.length;
      return typeof cell === 'string' || text === ''
        ? padded
        : padded.replace(text, () => cell.paint(text));
    });
    return parts.join(gap).trimEnd();
  };
  const titles = columns.map(({ title }) => ({ text: title, paint: palette.strong }));
  return [line(titles), ...rows.map(line)];
}
