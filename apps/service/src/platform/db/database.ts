/**
 * The connections of one process to PostgreSQL. Statements are prepared and pipelined; `README.md` beside this file
 * says how, and which of these functions to use.
 */

import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { NewId, OrgId } from '../../kernel/ids.ts';
import { openOrganization } from './organization-clock.ts';
import { type Db, handled, queriesOf } from './pipeline.ts';
import { openSocket } from './socket.ts';
import { type Sql, toStatement } from './sql.ts';
import {
  type OpenedWork,
  type Opening,
  transact,
  type Tx,
  type TxControl,
  type TxOwner,
} from './transaction.ts';

export { businessTimeAt, type OrganizationClock } from './organization-clock.ts';
export type { Db, Tx, TxControl, TxOwner };

export type Database = {
  /** One statement in one round trip: begin, context, statement and commit leave together. */
  readonly readOnce: <T>(orgId: OrgId, ask: (db: Db) => Promise<T>) => Promise<T>;
  /** Several statements that see one snapshot. */
  readonly readTogether: <T>(orgId: OrgId, ask: (db: Db) => Promise<T>) => Promise<T>;
  readonly transact: <T>(
    owner: TxOwner,
    work: (tx: Tx, control: TxControl) => Promise<T>,
  ) => Promise<T>;
  /** As `transact`, with statements that are sent in the opening round trip; the work receives their result. */
  readonly transactWithOpening: <Opened, T>(
    owner: TxOwner,
    opening: Opening<Opened>,
    work: OpenedWork<Opened, T>,
  ) => Promise<T>;
  /** Without an organization: row-level security hides the rows of tenant tables (exceptions: `README.md`). */
  readonly withoutTenant: Db;
  readonly transactWithoutTenant: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

export type DatabaseOptions = {
  readonly url: string;
  readonly connectionsMax: number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly onIdleError: (error: Error) => void;
  /** Omitted: `usualTimeouts`. */
  readonly timeouts?: DatabaseTimeouts | undefined;
};

type DatabaseTimeouts = {
  /** For a connection: a new one, or one of the pool that is released. */
  readonly connectMs: number;
  readonly lockMs: number;
  /** For a statement, and for the pause between two statements of a transaction. */
  readonly statementMs: number;
};

const usualTimeouts: DatabaseTimeouts = { connectMs: 5_000, lockMs: 5_000, statementMs: 10_000 };

/** A server that is silent for this much longer than a statement may take, or a connection stays idle, is gone. */
const silentForMs = 5_000;
const idleTimeoutMs = 10_000;

/** A date has no time and no zone; the driver would turn it into a local midnight and lose the day. */
export const types = {
  getTypeParser: ((...args: Parameters<typeof pg.types.getTypeParser>) =>
    args[0] === pg.types.builtins.DATE
      ? (text: string) => text
      : pg.types.getTypeParser(...args)) as typeof pg.types.getTypeParser,
};

export function openDatabase(options: DatabaseOptions): Database {
  const { connectMs, lockMs, statementMs } = options.timeouts ?? usualTimeouts;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    pipeline: true,
    stream: () => openSocket(statementMs + silentForMs),
    types,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    options: '-c timezone=UTC',
  });
  pool.on('error', options.onIdleError);
  // Registered at 'connect': a connection may be lost between being handed out and being listened to, and an 'error'
  // event without a listener ends the process. Its queries reject, which is enough.
  pool.on('connect', (client) => void client.on('error', ignore));

  const withoutTenant: Db = {
    query: async <Row>(query: Sql) => (await pool.query(toStatement(query))).rows as Row[],
  };
  return {
    withoutTenant,
    transactWithoutTenant: (work) =>
      withClient(pool, (client) => transactWithoutTenant(client, work)),
    close: () => pool.end(),
    readOnce: (orgId, ask) => withClient(pool, (client) => readOnce(client, orgId, ask)),
    readTogether: (orgId, ask) => withClient(pool, (client) => readTogether(client, orgId, ask)),
    transact: (owner, work) =>
      withClient(pool, (client) =>
        transact(client, options, owner, noOpening, (tx, _, control) => work(tx, control)),
      ),
    transactWithOpening: (owner, opening, work) =>
      withClient(pool, (client) => transact(client, options, owner, opening, work)),
  };
}

const ignore = () => undefined;

const noOpening: Opening<void> = () => Promise.resolve();

async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    const result = await work(client);
    isBroken = false;
    return result;
  } catch (error) {
    // A refusal or a failed statement ends in a clean rollback; only then is the connection reusable.
    isBroken = !(await rolledBack(client));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

async function readOnce<T>(
  client: pg.PoolClient,
  orgId: OrgId,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  let statements = 0;
  const sent: Promise<unknown>[] = [
    handled(client.query('begin read only')),
    handled(client.query(openOrganization(orgId))),
  ];
  const db: Db = {
    query: async <Row>(query: Sql) => {
      if (++statements > 1) throw new Error('readOnce takes one statement');
      const rows = handled(client.query(toStatement(query)));
      sent.push(rows, handled(client.query('commit')));
      return (await rows).rows as Row[];
    },
  };
  const result = await ask(db);
  await Promise.all(sent);
  return result;
}

async function readTogether<T>(
  client: pg.PoolClient,
  orgId: OrgId,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const opened = [
    handled(client.query('begin isolation level repeatable read read only')),
    handled(client.query(openOrganization(orgId))),
  ];
  const result = await ask(queriesOf(client));
  await Promise.all(opened);
  await client.query('commit');
  return result;
}

async function transactWithoutTenant<T>(
  client: pg.PoolClient,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const begun = handled(client.query('begin'));
  const result = await work(queriesOf(client));
  await begun;
  await client.query('commit');
  return result;
}
