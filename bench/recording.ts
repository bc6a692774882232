/**
 * What the service says to PostgreSQL for one request, overheard at the driver: every statement in order,
 * grouped by the waits between them. Replayed, it is the same work in the same transaction shape without
 * anything around it; and it cannot fall behind the service, because it is recorded anew in each run.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { systemClock } from '../apps/service/src/kernel/clock.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import { createIds } from '../apps/service/src/platform/crypto/new-id.ts';

type Statement = {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
};

/** Statements that were sent without waiting for each other are in one round. */
export type Recording = readonly (readonly Statement[])[];

type Config =
  | string
  | { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };

export async function record(work: () => Promise<unknown>): Promise<Recording> {
  const rounds: Statement[][] = [];
  let open = 0;
  // Called with the client it came from.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = pg.Client.prototype;
  const overheard = function (this: pg.Client, config: Config, ...rest: unknown[]) {
    const statement = typeof config === 'string' ? { text: config, values: [] } : config;
    if (open === 0) rounds.push([]);
    rounds.at(-1)?.push({ ...statement, values: statement.values ?? [] });
    open++;
    const result = Reflect.apply(query, this, [config, ...rest]) as Promise<unknown>;
    const close = () => open--;
    result.then(close, close);
    return result;
  };
  pg.Client.prototype.query = overheard as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  if (rounds.length === 0) throw new Error('nothing was said to PostgreSQL');
  return rounds;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const newId = createIds(systemClock);

/**
 * The same request once more: what it refers to (`given`) is exchanged, and every other id, key and lock
 * is made new, so that a replay inserts rows of its own.
 */
export function withFreshIds(
  recording: Recording,
  given: ReadonlyMap<unknown, unknown>,
): Recording {
  const made = new Map<unknown, unknown>(given);
  const renewed = (value: unknown): unknown => {
    if (made.has(value)) return made.get(value);
    if (typeof value === 'bigint') return randomBytes(8).readBigInt64BE();
    if (typeof value !== 'string' || !uuid.test(value)) return value;
    const fresh = value[14] === '4' ? randomUUID() : toUuid(newId('new'));
    made.set(value, fresh);
    return fresh;
  };
  return recording.map((round) =>
    round.map((statement) => ({ ...statement, values: statement.values.map(renewed) })),
  );
}

/** The last statement of these rounds that answered with rows. */
export async function replay(pool: pg.Pool, rounds: Recording): Promise<readonly unknown[]> {
  const client = await pool.connect();
  let rows: readonly unknown[] = [];
  try {
    for (const round of rounds) {
      const answers = await Promise.all(
        round.map((statement) => client.query(statement as pg.QueryConfig)),
      );
      rows = answers.findLast((answer) => answer.rows.length > 0)?.rows ?? rows;
    }
    return rows;
  } finally {
    client.release();
  }
}
