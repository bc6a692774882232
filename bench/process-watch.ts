/** Watches this process and the children that it starts: their memory together, and the tasks that they run. */

import { basename } from 'node:path';
import { childrenOf, processorTimeOf, readProcess } from './processor-time.ts';

const everyMs = 50;
const bytesPerPage = 4_096;

type SeenTask = { readonly name: string; readonly begun: number; ended: number; cpuMs: number };

export type TaskTimes = Readonly<
  Record<string, { readonly count: number; readonly seconds: number; readonly cpu_seconds: number }>
>;

export const memoryOf = (pid: number): number =>
  Number(readProcess(pid, 'statm').split(' ')[1] ?? 0) * bytesPerPage;

/** Children of `runTask` have the module as their last argument. */
const taskOf = (pid: number): string =>
  basename(readProcess(pid, 'cmdline').split('\0').findLast(Boolean) ?? '', '.ts');

const rounded = (value: number) => Math.round(value * 100) / 100;

export function watchProcesses(onTask: (name: string, pid: number) => void = () => undefined) {
  const tasks = new Map<number, SeenTask>();
  let peakBytes = 0;
  const look = () => {
    const now = performance.now();
    const pids = childrenOf(process.pid);
    const bytes = pids.reduce((sum, pid) => sum + memoryOf(pid), process.memoryUsage.rss());
    peakBytes = Math.max(peakBytes, bytes);
    for (const pid of pids) {
      const name = taskOf(pid);
      const seen = tasks.get(pid) ?? { name, begun: now, ended: now, cpuMs: 0 };
      if (!name.endsWith('-task')) continue;
      if (!tasks.has(pid)) onTask(name, pid);
      tasks.set(pid, { ...seen, ended: now, cpuMs: processorTimeOf(pid) });
    }
  };
  const timer = setInterval(look, everyMs);
  const timesOf = (of: readonly SeenTask[]) => ({
    count: of.length,
    seconds: rounded(of.reduce((sum, { begun, ended }) => sum + ended - begun, 0) / 1_000),
    cpu_seconds: rounded(of.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000),
  });
  return {
    stop: () => clearInterval(timer),
    peakMb: () => Math.round(peakBytes / 1024 ** 2),
    tasks: (): TaskTimes =>
      Object.fromEntries(
        [...Map.groupBy(tasks.values(), ({ name }) => name)].map(([name, of]) => [
          name,
          timesOf(of),
        ]),
      ),
  };
}
