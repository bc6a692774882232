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
};

/** Stores ask for one row more than the page holds: whether it came says if there is another page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  read: { readonly item: (row: Row) => Item; readonly position: (row: Row) => PagePosition },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => read.item(row)),
    next: rows.length > limit && last !== undefined ? read.position(last) : undefined,
  };
}
