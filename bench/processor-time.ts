/**
 * Reads the processor time of the processes of a full stack from the kernel. Unlike a rate it hardly depends on other
 * load of the machine.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { openFullStack } from '../apps/service/test/full-stack.ts';
import type { TestService } from '../apps/service/test/test-service.ts';
import { processorTimeOf, processorTimeOfTree } from '../scripts/costs/processor-time.ts';

export type ProcessorTime = Readonly<
  Record<'bench' | 'relay' | 'worker' | 'engine' | 'postgres', number>
>;

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
  return () => processorTimeOfTree(postmaster);
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
