/** Runs the upkeep handler without an engine, for tests of retention and partitions. */

import { removeSettledJobs } from '../src/delivery/store/jobs.ts';
import { upkeepWorkflow } from '../src/platform/engine/upkeep.ts';
import type { HandlerContext } from '../src/platform/engine/workflow.ts';
import type { TestService } from './test-service.ts';

/** Calls the handler once for a key, as the engine does. */
export const runUpkeep = (
  service: TestService,
  key: 'partitions' | 'settled',
): Promise<void> | undefined =>
  upkeepWorkflow(service.workerDb, [removeSettledJobs]).handlers['run']?.({
    key,
    stepWithoutTenant: async (_name: string, work: () => Promise<unknown>) => void (await work()),
  } as unknown as HandlerContext);
