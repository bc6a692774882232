/**
 * Records at the driver the statements that the service sends to PostgreSQL for one request, in order and grouped by
 * round trip. A replay is the same work in the same transaction shape without the service around it. It is recorded in
 * each run, so it always matches the service's code.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { systemClock } from '../apps/service/src/kernel/clock.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import { createIds } from '../apps/service/src/platform/crypto/new-id.ts';
import { StatementBatch } from '../apps/service/src/platform/db/statement-batch.ts';

type Statement = {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
};

/**
 * A round holds the statements of one batch. The driver ends a transaction after each statement, so a batch that is a
 * transaction of its own is replayed between `begin` and `commit`.
 */
export type Recording = readonly (readonly Statement[])[];

export async function record(work: () => Promise<unknown>): Promise<Recording> {
  const rounds: Statement[][] = [];
  let isInBlock = false;
  // `Reflect.apply` below calls it with its client.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = pg.Client.prototype;
  const recordingQuery = function (this: pg.Client, ...args: readonly unknown[]) {
    const [batch] = args;
    if (!(batch instanceof StatementBatch)) throw new Error('a statement outside a transaction');
    const statements = batch.statements.map(asDriverSends);
    const isBlock = isInBlock || statements[0]?.text.startsWith('begin') === true;
    rounds.push(isBlock ? statements : [begin, ...statements, commit]);
    isInBlock = isBlock && !statements.some(({ text }) => text === 'commit');
    return Reflect.apply(query, this, args) as unknown;
  };
  pg.Client.prototype.query = recordingQuery as unknown as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  if (rounds.length === 0) throw new Error('the request sent no statement to PostgreSQL');
  return rounds;
}

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** The driver alone sends statements without values as text, which costs it less than a prepared statement. */
const asDriverSends = ({ name, text, values }: Statement): Statement =>
  /^(?:begin|savepoint|commit)/.test(text) ? { text, values } : { name, text, values };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const newId = createIds(systemClock);

/**
 * The recording of another request of the same kind: `replacements` exchanges the ids it refers to, and every other id,
 * key and lock is new, so that each replay inserts its own rows.
 */
export function withFreshIds(
  recording: Recording,
  replacements: ReadonlyMap<unknown, unknown>,
): Recording {
  const replaced = new Map<unknown, unknown>(replacements);
  const replace = (value: unknown): unknown => {
    if (replaced.has(value)) return replaced.get(value);
    if (typeof value === 'bigint') return randomBytes(8).readBigInt64BE();
    if (typeof value !== 'string' || !uuid.test(value)) return value;
    const fresh = value[14] === '4' ? randomUUID() : toUuid(newId('new'));
    replaced.set(value, fresh);
    return fresh;
  };
  return recording.map((round) =>
    round.map((statement) => ({ ...statement, values: statement.values.map(replace) })),
  );
}

/** Returns the rows of the last statement that returned any. */
export async function replay(pool: pg.Pool, rounds: Recording): Promise<readonly unknown[]> {
  const client = await pool.connect();
  let rows: readonly unknown[] = [];
  try {
    for (const round of rounds) {
      const results = await Promise.all(
        round.map((statement) => client.query(statement as pg.QueryConfig)),
      );
      rows = results.findLast((result) => result.rows.length > 0)?.rows ?? rows;
    }
    return rows;
  } finally {
    client.release();
  }
}
