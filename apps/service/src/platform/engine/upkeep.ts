/** Upkeep of the database, on the engine's schedules. */
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Schedule } from './schedules.ts';
import type { Work } from './work.ts';

const service = 'upkeep';
const hourMs = 3_600_000;

export const upkeepSchedules: readonly Schedule[] = [
  { service, job: 'partitions', everyMs: hourMs },
];

/** The coming partitions are made; expired ones are dropped (idempotency keys, events). */
export const upkeepWork = (db: Database, clock: Clock): Work => ({
  service,
  handlers: {
    run: async (run) => {
      await run.upkeep('make', () =>
        db.outside.query(sql`select ensure_partitions(${clock.now()})`),
      );
      await run.upkeep('drop', () =>
        db.outside.query(sql`select drop_expired_partitions(${clock.now()})`),
      );
    },
  },
});
