/**
 * How long fictional stores take without a scenario, in business time: to review a release, and to remove it
 * (24 to 72 hours, spec §8).
 */

type Hours = readonly [min: number, max: number];

type StoreTiming = {
  readonly review: Hours;
  readonly takedown: Hours;
};

const usual: StoreTiming = { review: [4, 24], takedown: [24, 72] };

const timingByStore: Readonly<Record<string, StoreTiming>> = {
  aurora: { review: [2, 6], takedown: [24, 36] },
  beatlane: { review: [12, 30], takedown: [24, 48] },
  cascade: { review: [1, 3], takedown: [24, 30] },
  driftwood: { review: [24, 72], takedown: [48, 72] },
  emberline: { review: [6, 24], takedown: [36, 60] },
  firefly: { review: [0.25, 1], takedown: [24, 28] },
  glasshouse: { review: [24, 48], takedown: [36, 72] },
  hanami: { review: [48, 96], takedown: [60, 72] },
  indigo: { review: [0.1, 0.5], takedown: [24, 26] },
  jangala: { review: [8, 20], takedown: [30, 50] },
  kilima: { review: [4, 10], takedown: [26, 40] },
  lanternfish: { review: [24, 60], takedown: [48, 72] },
};

export const timingOf = (storeId: string): StoreTiming => timingByStore[storeId] ?? usual;
