/** A partner's own key-value pairs (contract §2 `metadata`). */
export type Pairs = Readonly<Record<string, string>>;

/** One order of keys, whatever order they were sent or are stored in: an ETag is over the bytes. */
export const sortedPairs = (pairs: Pairs): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).toSorted(([a], [b]) => (a < b ? -1 : 1)));
