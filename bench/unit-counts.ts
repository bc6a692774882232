/** Sets of named counters: their difference, less what the pollers count in the same time when nothing is asked of them. */

export type Counts = Readonly<Record<string, number>>;

export type Reading = { readonly atMs: number; readonly counts: Counts };

/** Per millisecond. */
export type Rates = Counts;

const differences = (before: Reading, after: Reading): [string, number][] =>
  Object.entries(after.counts).map(([name, count]) => [name, count - (before.counts[name] ?? 0)]);

export const ratesBetween = (before: Reading, after: Reading): Rates =>
  Object.fromEntries(
    differences(before, after).map(([name, count]) => [name, count / (after.atMs - before.atMs)]),
  );

/** What one of `units` costs. Counters that nothing moved are left out. */
export function costOfOne(before: Reading, after: Reading, idle: Rates, units: number): Counts {
  const elapsedMs = after.atMs - before.atMs;
  return Object.fromEntries(
    differences(before, after)
      .filter(([, count]) => count !== 0)
      .map(([name, count]) => [name, (count - (idle[name] ?? 0) * elapsedMs) / units]),
  );
}

/** The counters that begin with `prefix`, without it, rounded; those that round to 0 are left out. */
export const countsOf = (counts: Counts, prefix: string, decimals = 2): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counts)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, count]) => [name.slice(prefix.length), rounded(count, decimals)] as const)
      .filter(([, count]) => count !== 0)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

export const rounded = (value: number, decimals = 2): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;

export const sumOf = (counts: Counts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
