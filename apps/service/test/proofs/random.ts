/** Random choices that a seed repeats. Experiments print their seed with the figures. */

export type Random = {
  readonly seed: number;
  readonly below: (limit: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
};

/** `TONEARM_SEED` repeats an earlier run. */
const seedOfRun = (): number => Number(process.env['TONEARM_SEED'] ?? Date.now() % 2 ** 31);

export function seededRandom(seed: number = seedOfRun()): Random {
  let state = seed;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { seed, below, pick: (from) => from[below(from.length)]! };
}
