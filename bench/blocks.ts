/**
 * Computes ratios from interleaved blocks. Because machines are noisy and drift, A and B take turns, in a new random
 * order in each round, and only results of the same round are compared.
 */

import { setTimeout as wait } from 'node:timers/promises';

/** Lets the work that the block before left behind end. */
const pauseMs = 200;

export type Contender = { readonly name: string; readonly measure: () => Promise<number> };

export type Share = { readonly median: number; readonly least: number; readonly most: number };

export type Rounds = Readonly<Record<string, readonly number[]>>;

export async function interleave(
  rounds: number,
  contenders: readonly Contender[],
  say: (line: string) => void,
): Promise<Rounds> {
  const results: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of shuffled(contenders)) {
      await wait(pauseMs);
      (results[name] ??= []).push(await measure());
    }
    const latest = contenders.map(({ name }) => `${name} ${Math.round(results[name]!.at(-1)!)}`);
    say(`round ${round + 1}: ${latest.join(', ')}`);
  }
  return results;
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

/** A divided by B, round by round. */
export function shareOf(rounds: Rounds, a: string, b: string): Share {
  const shares = rounds[a]!.map((value, i) => value / rounds[b]![i]!);
  return {
    median: rounded(median(shares)),
    least: rounded(Math.min(...shares)),
    most: rounded(Math.max(...shares)),
  };
}
