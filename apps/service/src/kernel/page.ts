/** Contract §1: `limit` 1–100, default 20; newest first by (created_at, id). */
export const pageLimitMax = 100;
export const pageLimitDefault = 20;

/** Where a page ended. The timestamp stays text: a JS Date would lose its microseconds. */
export type PagePosition = { readonly at: string; readonly id: string };

export type PageRequest = { readonly limit: number; readonly after: PagePosition | undefined };

export type Page<Item> = {
  readonly items: readonly Item[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
  /** Where the page ends if the item with this index is its last. */
  readonly positionAt: (index: number) => PagePosition | undefined;
};

/** A page is read and answered up to this many bytes of JSON; the rest is on the next page. */
export const pageBytesMax = 2 * 1024 * 1024;

type ReadRow<Row, Item> = {
  readonly item: (row: Row) => Item;
  readonly position: (row: Row) => PagePosition;
};

/** For rows that were read with `limit + 1`: if the extra row is there, there is another page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  read: ReadRow<Row, Item>,
): Page<Item> {
  return pageOf(rows.slice(0, limit), rows.length > limit, read);
}

/** For rows that the statement limited by `limit` and `pageBytesMax`: the last one has `has_next`. */
export const toBoundedPage = <Row extends { readonly has_next: boolean }, Item>(
  rows: readonly Row[],
  read: ReadRow<Row, Item>,
): Page<Item> => pageOf(rows, rows.at(-1)?.has_next === true, read);

function pageOf<Row, Item>(
  rows: readonly Row[],
  hasNext: boolean,
  read: ReadRow<Row, Item>,
): Page<Item> {
  const positionAt = (index: number): PagePosition | undefined => {
    const row = rows[index];
    return row && read.position(row);
  };
  return {
    items: rows.map((row) => read.item(row)),
    next: hasNext ? positionAt(rows.length - 1) : undefined,
    positionAt,
  };
}
