/** Processor time of processes, as Linux counts it. On other systems all times are 0. */

import { readFileSync } from 'node:fs';

/** 1000 / USER_HZ, which is 100 on every Linux. */
const msPerTick = 10;

type Use = { readonly own: number; readonly ofEnded: number };

/** Empty if the process has ended, and on other systems. */
export const readProcess = (pid: number, file: string): string => readProc(`${pid}/${file}`);

function readProc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function useOf(pid: number): Use {
  const stat = readProcess(pid, 'stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return {
    own: ((user ?? 0) + (system ?? 0)) * msPerTick,
    ofEnded: ((endedUser ?? 0) + (endedSystem ?? 0)) * msPerTick,
  };
}

export const childrenOf = (pid: number): number[] =>
  readProcess(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);

/** The milliseconds that one process has used since it started; without its children. */
export const processorTimeOf = (pid: number | undefined): number => useOf(pid ?? -1).own;

/** Of the process and of its children that have ended. */
export function processorTimeWithEnded(pid: number): number {
  const { own, ofEnded } = useOf(pid);
  return own + ofEnded;
}

/** Of the process and of all its descendants, those that have ended and those that run. */
export const processorTimeOfTree = (pid: number): number =>
  childrenOf(pid).reduce(
    (sum, child) => sum + processorTimeOfTree(child),
    processorTimeWithEnded(pid),
  );

/** The seconds that the processors of the machine have worked, for all processes, as the first line of /proc/stat counts. */
export function processorSecondsOfMachine(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = stat
    .slice(0, stat.includes('\n') ? stat.indexOf('\n') : undefined)
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return ((user + nice + system + irq + softirq) * msPerTick) / 1_000;
}

export const processorSecondsNow = (): number => processorSecondsOfMachine(readProc('stat'));

type Used = {
  readonly machineMs: number;
  readonly ownMs: number;
  readonly wallMs: number;
  readonly processors: number;
};

export const othersShareOf = ({ machineMs, ownMs, wallMs, processors }: Used): number =>
  Math.max(0, machineMs - ownMs) / (wallMs * processors);

const machineMs = (): number => processorSecondsNow() * 1_000;

/**
 * Called at the end of a piece of work, returns which share of the machine's processor time meanwhile was used by programs
 * that are neither this process nor a descendant of it or of `servers`. A process whose parent ended before it counts as
 * another program.
 */
export function measureOthers(): (servers: readonly number[]) => number {
  const before = { machineMs: machineMs(), ownMs: processorTimeOfTree(process.pid) };
  const begunMs = performance.now();
  return (servers) =>
    othersShareOf({
      machineMs: machineMs() - before.machineMs,
      ownMs:
        [process.pid, ...servers].reduce((sum, pid) => sum + processorTimeOfTree(pid), 0) -
        before.ownMs,
      wallMs: performance.now() - begunMs,
      processors: readProc('stat').match(/^cpu\d/gm)?.length ?? 1,
    });
}
