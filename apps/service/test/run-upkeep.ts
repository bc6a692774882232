import { removeSettledJobs } from '../src/delivery/store/jobs.ts';
import { upkeepWork } from '../src/platform/engine/upkeep.ts';
import type { Run } from '../src/platform/engine/work.ts';
import type { World } from './world.ts';

/** A round of upkeep, as the engine calls its handler. */
export const runUpkeep = (world: World, key: 'partitions' | 'settled'): Promise<void> | undefined =>
  upkeepWork(world.worker, [removeSettledJobs]).handlers['run']?.({
    key,
    upkeep: async (_name: string, work: () => Promise<unknown>) => void (await work()),
  } as unknown as Run);
