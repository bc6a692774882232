/**
 * The length of the runs of `.ci/run` in the order of time, for the summary page of the workflow. TONEARM_CI_HISTORY names
 * the file that a run continues; without it, nothing is written.
 */

import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const shownMax = 30;

export type RunLength = { readonly seconds: number; readonly processorSeconds: number };

/** A picture that GitHub draws. */
function trendPicture(history: readonly RunLength[]): string {
  const shown = history.slice(-shownMax);
  const minutes = (pick: (run: RunLength) => number) =>
    `[${shown.map((run) => (pick(run) / 60).toFixed(1)).join(', ')}]`;
  return [
    '```mermaid',
    'xychart-beta',
    '  title "Minutes by the clock (bars) and of processor time (line)"',
    `  x-axis "run" 1 --> ${Math.max(2, shown.length)}`,
    '  y-axis "minutes"',
    `  bar ${minutes(({ seconds }) => seconds)}`,
    `  line ${minutes(({ processorSeconds }) => processorSeconds)}`,
    '```',
    '',
  ].join('\n');
}

export function recordRun(run: RunLength, table: readonly string[], env: NodeJS.ProcessEnv): void {
  const { TONEARM_CI_HISTORY: file, GITHUB_STEP_SUMMARY: summary } = env;
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${new Date().toISOString()},${run.seconds},${run.processorSeconds}\n`);
  if (summary === undefined) return;
  appendFileSync(
    summary,
    `${trendPicture(readHistory(file))}\n\`\`\`text\n${table.join('\n')}\n\`\`\`\n`,
  );
}

const readHistory = (file: string): RunLength[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [, seconds = 0, processorSeconds = 0] = line.split(',').map(Number);
      return { seconds, processorSeconds };
    });
