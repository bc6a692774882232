/** A page of rows that are found by their position, from 1 without a gap. */

import type { Page, PagePosition, PageRequest } from '../../kernel/page.ts';

export type Placed<Row> = { readonly position: number; readonly row: Row };

/** The position of the first row of a page. */
export const pageStart = ({ after }: PageRequest): number =>
  after === undefined ? 1 : Number(after.at) + 1;

/** `rows`: those of the page, from the position `start` on; `count`: of all rows. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  start: number,
  count: number,
): Page<Placed<Row>> {
  const positionAt = (index: number): PagePosition => ({ at: String(start + index), id: '' });
  const last = start + rows.length - 1;
  return {
    items: rows.map((row, i) => ({ position: start + i, row })),
    next: last < count ? positionAt(rows.length - 1) : undefined,
    positionAt,
  };
}
