/** Upkeep of the database, on the engine's schedules. */
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Schedule } from './schedules.ts';
import { removeSettledTimers } from './timers.ts';
import type { Work } from './work.ts';

const service = 'upkeep';
const hourMs = 3_600_000;

export const upkeepSchedules: readonly Schedule[] = [
  { service, job: 'partitions', everyMs: hourMs },
  { service, job: 'timers', everyMs: 60_000 },
];

/** By job: the coming partitions are made and expired ones dropped; old timers are removed. */
export const upkeepWork = (db: Database, clock: Clock): Work => ({
  service,
  handlers: {
    run: async (run) => {
      if (run.key === 'timers') {
        return run.upkeep('remove', () => removeSettledTimers(db, clock));
      }
      await run.upkeep('make', () =>
        db.outside.query(sql`select ensure_partitions(${clock.now()})`),
      );
      await run.upkeep('drop', () =>
        db.outside.query(sql`select drop_expired_partitions(${clock.now()})`),
      );
    },
  },
});
