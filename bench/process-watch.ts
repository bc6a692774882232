/** Watches this process and the tasks that it starts: their memory, together and each, and their processor time. */

import { basename } from 'node:path';
import { childrenOf, processorTimeOf, readProcess } from '../scripts/costs/processor-time.ts';

const everyMs = 50;
const bytesPerPage = 4_096;

type SeenTask = {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  readonly cpuMs: number;
  readonly peakBytes: number;
};

type TaskFigures = {
  readonly count: number;
  readonly seconds: number;
  readonly cpu_seconds: number;
  /** Of the largest. */
  readonly peak_mb: number;
};

export type Peaks = {
  readonly together_mb: number;
  readonly this_process_mb: number;
  /** Objects in the memory of this process that are outside of its heap: files on their way to the object store. */
  readonly this_process_buffers_mb: number;
};

export const memoryOf = (pid: number): number =>
  Number(readProcess(pid, 'statm').split(' ')[1] ?? 0) * bytesPerPage;

/** Children of `runTask` have the module as their last argument. */
const taskOf = (pid: number): string =>
  basename(readProcess(pid, 'cmdline').split('\0').findLast(Boolean) ?? '', '.ts');

const rounded = (value: number) => Math.round(value * 100) / 100;
const megabytes = (bytes: number) => Math.round(bytes / 1024 ** 2);

export function watchProcesses(onTask: (name: string, pid: number) => void = () => undefined) {
  const tasks = new Map<number, SeenTask>();
  const peaks = { together: 0, own: 0, buffers: 0 };
  const look = () => {
    const now = performance.now();
    const own = process.memoryUsage();
    let together = own.rss;
    for (const pid of childrenOf(process.pid)) {
      const name = taskOf(pid);
      if (!name.endsWith('-task')) continue;
      if (!tasks.has(pid)) onTask(name, pid);
      const bytes = memoryOf(pid);
      const { begun, peakBytes } = tasks.get(pid) ?? { begun: now, peakBytes: 0 };
      tasks.set(pid, {
        name,
        begun,
        ended: now,
        cpuMs: processorTimeOf(pid),
        peakBytes: Math.max(peakBytes, bytes),
      });
      together += bytes;
    }
    peaks.together = Math.max(peaks.together, together);
    peaks.own = Math.max(peaks.own, own.rss);
    peaks.buffers = Math.max(peaks.buffers, own.arrayBuffers);
  };
  const timer = setInterval(look, everyMs);
  return {
    stop: () => clearInterval(timer),
    peaks: (): Peaks => ({
      together_mb: megabytes(peaks.together),
      this_process_mb: megabytes(peaks.own),
      this_process_buffers_mb: megabytes(peaks.buffers),
    }),
    tasks: (): Readonly<Record<string, TaskFigures>> =>
      Object.fromEntries(
        [...Map.groupBy(tasks.values(), ({ name }) => name)].map(([name, of]) => [
          name,
          figuresOf(of),
        ]),
      ),
  };
}

const figuresOf = (of: readonly SeenTask[]): TaskFigures => ({
  count: of.length,
  seconds: rounded(of.reduce((sum, { begun, ended }) => sum + ended - begun, 0) / 1_000),
  cpu_seconds: rounded(of.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000),
  peak_mb: megabytes(Math.max(...of.map(({ peakBytes }) => peakBytes))),
});
