/**
 * Reads the processor time of the processes of a full stack from the kernel. Unlike a rate it hardly depends on other
 * load of the machine. On systems other than Linux all times are 0.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { openFullStack } from '../apps/service/test/full-stack.ts';
import type { TestService } from '../apps/service/test/test-service.ts';

export type ProcessorTime = Readonly<
  Record<'bench' | 'relay' | 'worker' | 'engine' | 'postgres', number>
>;

/** 1000 / USER_HZ, which is 100 on every Linux. */
const msPerTick = 10;

type Use = { readonly own: number; readonly ofEnded: number };

/** Empty if the process has ended. */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
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

/** Of this process and of its children that have ended. */
export function processorTimeWithEnded(): number {
  const { own, ofEnded } = useOf(process.pid);
  return own + ofEnded;
}

/** Of the process and of all its descendants, those that have ended and those that run. */
export const processorTimeOfTree = (pid: number | undefined): number => {
  const { own, ofEnded } = useOf(pid ?? -1);
  return childrenOf(pid ?? -1).reduce(
    (sum, child) => sum + processorTimeOfTree(child),
    own + ofEnded,
  );
};

/** Of a server that `startDaemon` started in this folder. */
export const processorTimeOfServer = (folder: string): number =>
  processorTimeOf(firstLineOf(join(folder, 'server.pid')));

const firstLineOf = (file: string) => Number(readFileSync(file, 'utf8').split('\n', 1)[0]);

/** Returns a function that reads the milliseconds PostgreSQL has used since it started. */
export async function openPostgresTime({
  query,
}: Pick<TestService, 'query'>): Promise<() => number> {
  const [row] = await query('show data_directory');
  const postmaster = firstLineOf(join(String(row.data_directory), 'postmaster.pid'));
  return () => {
    const { own, ofEnded } = useOf(postmaster);
    return childrenOf(postmaster).reduce((sum, pid) => sum + useOf(pid).own, own + ofEnded);
  };
}

/** Returns a function that reads the milliseconds each process has used since it started. */
export async function openProcessorTime({
  service,
  relay,
  worker,
  engineFolder,
}: Awaited<ReturnType<typeof openFullStack>>): Promise<() => ProcessorTime> {
  const postgres = await openPostgresTime(service);
  const engine = firstLineOf(join(engineFolder, 'server.pid'));
  return () => ({
    bench: processorTimeOf(process.pid),
    relay: processorTimeOf(relay.child.pid),
    worker: processorTimeOf(worker.child.pid),
    engine: processorTimeOf(engine),
    postgres: postgres(),
  });
}

export const processorTimeBetween = (
  before: ProcessorTime,
  after: ProcessorTime,
): ProcessorTime => ({
  bench: after.bench - before.bench,
  relay: after.relay - before.relay,
  worker: after.worker - before.worker,
  engine: after.engine - before.engine,
  postgres: after.postgres - before.postgres,
});
