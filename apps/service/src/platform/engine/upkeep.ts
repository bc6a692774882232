/** Upkeep of the database, on the engine's schedules. What is old is decided by the database's clock. */
import type { Database } from '../db/database.ts';
import { maintainPartitions } from '../db/partitions.ts';
import type { Schedule } from './schedules.ts';
import { removeSettledTimers } from './timers.ts';
import type { Work } from './work.ts';

const service = 'upkeep';
const hourMs = 3_600_000;

export const upkeepSchedules: readonly Schedule[] = [
  { service, job: 'partitions', everyMs: hourMs },
  { service, job: 'timers', everyMs: 60_000 },
];

/** By job: partitions are made ahead and expired ones dropped; old timers are removed. */
export const upkeepWork = (db: Database): Work => ({
  service,
  handlers: {
    run: async (run) => {
      if (run.key === 'timers') {
        return run.upkeep('remove', () => removeSettledTimers(db.outside));
      }
      await run.upkeep('maintain partitions', () => maintainPartitions(db.outside));
    },
  },
});
