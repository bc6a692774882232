/** Upkeep of the database, on the engine's schedules. What is old is decided by the database's clock. */

import { minuteMs } from '../../kernel/duration.ts';
import type { Database, Db } from '../db/database.ts';
import { maintainPartitions } from '../db/partitions.ts';
import type { Schedule } from './schedules.ts';
import { removeSettledTimers } from './timers.ts';
import type { Workflow } from './workflow.ts';

const service = 'upkeep';

export const upkeepSchedules: readonly Schedule[] = [
  { service, job: 'partitions', everyMs: 60 * minuteMs },
  { service, job: 'settled', everyMs: minuteMs },
];

/** Removes a bounded number of rows that are older than they are kept. */
type RemoveSettled = (db: Db) => Promise<void>;

/** By job: partitions are made ahead and expired ones dropped; rows of settled work are removed. */
export const upkeepWorkflow = (db: Database, ofSlices: readonly RemoveSettled[]): Workflow => ({
  service,
  handlers: {
    run: async (run) => {
      if (run.key === 'partitions') {
        return run.stepWithoutTenant('maintain partitions', () =>
          maintainPartitions(db.withoutTenant),
        );
      }
      for (const remove of [removeSettledTimers, ...ofSlices]) {
        await run.stepWithoutTenant('remove settled', () => remove(db.withoutTenant));
      }
    },
  },
});
