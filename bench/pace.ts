/** Work at a given rate, and percentiles of its durations. */

import { setTimeout as wait } from 'node:timers/promises';

/** Calls `work` `times` times, each at its time. Late calls are made at once; none is skipped. */
export async function atRate(
  perSecond: number,
  times: number,
  work: (i: number) => Promise<unknown>,
): Promise<void> {
  const begun = performance.now();
  for (let i = 0; i < times; i++) {
    const early = (i / perSecond) * 1_000 - (performance.now() - begun);
    if (early > 0) await wait(early);
    await work(i);
  }
}

export function percentiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN,
    );
  return { probes: sorted.length, p50: at(0.5), p99: at(0.99) };
}
