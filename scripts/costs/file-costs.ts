/** What each test file costs, in all processes of a run together, and whether a file costs much more than its budget. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cost, FileCosts } from './cost.ts';

const budgetFile = join(import.meta.dirname, 'budget.json');
/** Files that cost less are not listed. */
const listedFromMs = 10_000;
const toleratedShare = 1.5;
/** A budget is rounded up to this, so that another run of the same tests changes few lines of the file. */
const stepMs = 5_000;

/** Beside other programs every test takes longer by the clock, and a test that polls costs more for the same work. */
const othersShareMax = 0.1;

/** Seconds of processor time by file. */
export type Budget = Readonly<Record<string, number>>;

export const readBudget = (): Budget => JSON.parse(readFileSync(budgetFile, 'utf8')) as Budget;

export type FileCost = { readonly file: string; readonly all: Cost; readonly setUp: Cost };

/** The dearest first. */
export const fileCostsOf = (processes: readonly FileCosts[]): FileCost[] =>
  processes
    .flatMap(({ files }) => Object.entries(files).map(([file, cost]) => ({ file, ...cost })))
    .toSorted((a, b) => b.all.processorMs - a.all.processorMs);

/**
 * How much slower than the machine of the budget this one is: the median over the files of the budget. Never below 1:
 * on a faster machine a file may still use its budget.
 */
export function slownessOf(costs: readonly FileCost[], budget: Budget): number {
  const ratios = costs
    .flatMap(({ file, all }) => {
      const seconds = budget[file];
      return seconds === undefined ? [] : [all.processorMs / 1_000 / seconds];
    })
    .toSorted((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)];
  return Math.max(1, median ?? 1);
}

/** `othersShare`: what other programs used of the processor time that the machine had while the tests ran. */
export const areBudgetsJudged = (othersShare: number): boolean => othersShare <= othersShareMax;

/** A sentence for each file that costs half as much again as its budget on a machine of this speed. */
export function exceededBudgets(costs: readonly FileCost[], budget: Budget): string[] {
  const slowness = slownessOf(costs, budget);
  return costs.flatMap(({ file, all }) => {
    const allowedMs = Math.max(budget[file] ?? 0, listedFromMs / 1_000) * 1_000 * slowness;
    return all.processorMs <= allowedMs * toleratedShare
      ? []
      : [
          `${file} cost ${seconds(all.processorMs)} of processor time; its budget is ${seconds(allowedMs)}`,
        ];
  });
}

export function writeBudget(costs: readonly FileCost[]): void {
  const listed = costs
    .filter(({ all }) => all.processorMs > listedFromMs)
    .map(
      ({ file, all }) => [file, Math.ceil(all.processorMs / stepMs) * (stepMs / 1_000)] as const,
    );
  writeFileSync(budgetFile, `${JSON.stringify(Object.fromEntries(listed), undefined, 2)}\n`);
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
