import type { Clock } from '../../kernel/clock.ts';
import { observe } from '../telemetry/instruments.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';

/** Seconds by which this process's clock is ahead of the database's: both date rows, and both decide what is due. */
async function readClockSkew(db: Db, clock: Clock): Promise<number> {
  const sentAt = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const midpoint = (sentAt + clock.now().getTime()) / 2;
  return row === undefined ? 0 : (midpoint - row.now.getTime()) / 1_000;
}

export function observeClockSkew(db: Db, clock: Clock): void {
  observe(
    'tonearm_clock_skew_seconds',
    "How far this process's clock is ahead of the database's.",
    async () => [{ value: await readClockSkew(db, clock) }],
  );
}

/** More than machines with a working time service differ. */
const skewSecondsMax = 60;

export const isClockInSync = async (db: Db, clock: Clock): Promise<boolean> =>
  Math.abs(await readClockSkew(db, clock)) <= skewSecondsMax;
