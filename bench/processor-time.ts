/**
 * Reads the processor time of the processes of a full stack from the kernel. Unlike a rate it hardly depends on other
 * load of the machine. On systems other than Linux all times are 0.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { openFullStack } from '../apps/service/test/full-stack.ts';

export type ProcessorTime = Readonly<
  Record<'bench' | 'relay' | 'worker' | 'engine' | 'postgres', number>
>;

/** 1000 / USER_HZ, which is 100 on every Linux. */
const msPerTick = 10;

type Use = { readonly own: number; readonly ofEnded: number };

function useOf(pid: number): Use {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return { own: 0, ofEnded: 0 };
  const stat = readFileSync(path, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return {
    own: ((user ?? 0) + (system ?? 0)) * msPerTick,
    ofEnded: ((endedUser ?? 0) + (endedSystem ?? 0)) * msPerTick,
  };
}

const childrenOf = (pid: number): number[] => {
  const path = `/proc/${pid}/task/${pid}/children`;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text.trim().split(' ').filter(Boolean).map(Number);
};

/** Returns a function that reads the milliseconds each process has used since it started. */
export async function openProcessorTime({
  service,
  relay,
  worker,
  engineFolder,
}: Awaited<ReturnType<typeof openFullStack>>): Promise<() => ProcessorTime> {
  const [row] = await service.query('show data_directory');
  const firstLineOf = (file: string) => Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  const postmaster = firstLineOf(join(String(row.data_directory), 'postmaster.pid'));
  const engine = firstLineOf(join(engineFolder, 'server.pid'));
  const own = (pid: number | undefined) => useOf(pid ?? -1).own;
  return () => {
    const { own: postmasterOwn, ofEnded } = useOf(postmaster);
    const backends = childrenOf(postmaster).reduce((sum, pid) => sum + own(pid), 0);
    return {
      bench: own(process.pid),
      relay: own(relay.child.pid),
      worker: own(worker.child.pid),
      engine: own(engine),
      postgres: postmasterOwn + ofEnded + backends,
    };
  };
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
