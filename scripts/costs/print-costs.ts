import type { Cost, FileCosts } from './cost.ts';
import { fileCostsOf, seconds } from './file-costs.ts';

const listedMax = 20;

const sumOf = (costs: readonly Cost[]): Cost => ({
  processorMs: costs.reduce((sum, { processorMs }) => sum + processorMs, 0),
  wallMs: costs.reduce((sum, { wallMs }) => sum + wallMs, 0),
});

export function printFileCosts(processes: readonly FileCosts[]): void {
  const costs = fileCostsOf(processes);
  const loading = sumOf(processes.map((each) => each.loading));
  const all = sumOf([loading, ...costs.map((each) => each.all)]);
  const setUp = sumOf(costs.map((each) => each.setUp));
  console.log(
    `${costs.length} test files: ${bothOf(all)}; set-up is ${shareOf(setUp, all)} of it, loading the files ${shareOf(loading, all)}`,
  );
  console.log('The dearest (processor time, by the clock, share of set-up):');
  for (const { file, all: cost, setUp: part } of costs.slice(0, listedMax)) {
    console.log(
      `${seconds(cost.processorMs).padStart(9)} ${seconds(cost.wallMs).padStart(9)} ${shareOf(part, cost).padStart(5)}  ${file}`,
    );
  }
}

const bothOf = ({ processorMs, wallMs }: Cost): string =>
  `${seconds(processorMs)} of processor time, ${seconds(wallMs)} by the clocks of their processes`;

const shareOf = (part: Cost, { processorMs }: Cost): string =>
  `${Math.round((100 * part.processorMs) / Math.max(processorMs, 1))} %`;
