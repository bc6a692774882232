/** Divides the test files among the processes of a run, so that all of them end at about the same time. */

import type { Budget } from './file-costs.ts';

/** Of a file that the budget does not list. */
const usualSeconds = 2;

/** The dearest file first, each to the process that has least to do. A process runs its files by name. */
export function filesByProcess(
  files: readonly string[],
  budget: Budget,
  processes: number,
): string[][] {
  const secondsOf = (file: string) => budget[file] ?? usualSeconds;
  const shares = Array.from({ length: processes }, () => ({ seconds: 0, files: [] as string[] }));
  const dearestFirst = files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1));
  for (const file of dearestFirst) {
    const share = shares.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    share.seconds += secondsOf(file);
    share.files.push(file);
  }
  return shares.map((share) => share.files.toSorted());
}
