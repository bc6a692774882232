/** Upkeep of the database, on the engine's schedules. The database's clock decides which rows are old. */

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

/** Removes a bounded number of rows whose retention has ended. */
type RemoveSettled = (db: Db) => Promise<void>;

/** The job `partitions` makes partitions ahead and drops expired ones; the job `settled` removes settled rows. */
export const upkeepWorkflow = (db: Database, removals: readonly RemoveSettled[]): Workflow => ({
  service,
  handlers: {
    run: async (run) => {
      if (run.key === 'partitions') {
        return run.stepWithoutTenant('maintain partitions', () =>
          maintainPartitions(db.withoutTenant),
        );
      }
      for (const remove of [removeSettledTimers, ...removals]) {
        await run.stepWithoutTenant('remove settled', () => remove(db.withoutTenant));
      }
    },
  },
});
