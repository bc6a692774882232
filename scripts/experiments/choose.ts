/** Which experiments a check runs: those that guard what changed, the cheapest first, as far as the budget reaches. */

import type { Duration } from './full-run.ts';
import { isGuarded } from './guards.ts';

/** Five minutes of two cores, of which a third is spent on waiting. */
const budgetSeconds = 400;
/** Of an experiment that no full run has measured. */
const usualSeconds = 60;

export type Choice = {
  readonly chosen: readonly string[];
  /** They guard what changed, but are too dear. */
  readonly leftOut: readonly string[];
};

/** `changed` undefined: anything may have changed. */
export function choose(
  names: readonly string[],
  changed: readonly string[] | undefined,
  measured: Readonly<Record<string, Duration>>,
): Choice {
  const secondsOf = (name: string) => measured[name]?.processor_seconds ?? usualSeconds;
  const guarding = names
    .filter((name) => changed?.some((file) => isGuarded(name, file)) ?? true)
    .toSorted((a, b) => secondsOf(a) - secondsOf(b));
  const chosen: string[] = [];
  let seconds = 0;
  for (const name of guarding) {
    seconds += secondsOf(name);
    if (seconds > budgetSeconds) break;
    chosen.push(name);
  }
  return { chosen, leftOut: guarding.slice(chosen.length) };
}
