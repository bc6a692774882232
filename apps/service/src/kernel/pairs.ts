/** A partner's own key-value pairs (contract §2 `metadata`). */
export type Pairs = Readonly<Record<string, string>>;

/** Sorted by key, so that the same pairs have the same bytes, and therefore the same ETag. */
export const sortedPairs = (pairs: Pairs): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).toSorted(([a], [b]) => (a < b ? -1 : 1)));
