/**
 * The connections of one process to PostgreSQL. Statements are prepared and pipelined; `README.md` beside this file
 * says how, and which of these functions to use.
 */

import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { NewId, OrgId } from '../../kernel/ids.ts';
import { createFairQueue, type ReleaseCapacity } from '../process/fair-queue.ts';
import { openOrganization, openOrganizationReadOnly } from './organization-clock.ts';
import { batchSent, type Db, handled, queriesOf } from './pipeline.ts';
import { closeSilentConnections, openSocket } from './socket.ts';
import { type Sql, sql, toStatement } from './sql.ts';
import { openPipeline } from './statement-batch.ts';
import {
  type OpenedWork,
  type Opening,
  transact,
  type Tx,
  type TxControl,
  type TxOwner,
} from './transaction.ts';
import { typeParsers } from './type-parsers.ts';

export { businessTimeAt, type OrganizationClock } from './organization-clock.ts';
export type { Db, Tx, TxControl, TxOwner };

export type Database = {
  /** One statement that only reads, in one round trip. The organization is opened by a statement of the same batch. */
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
  /** Whether one organization has at most a third of the connections (ADR 0065). */
  readonly isShared?: boolean;
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

/** A server that is silent for this much longer than a statement may take is gone. */
const silentForMs = 5_000;
/**
 * A new connection has to load PostgreSQL's catalogue and plan its statements: the first request on it takes ten times as
 * long as the next (ADR 0060). An idle one takes 2 to 7 MB of the server's memory.
 */
const idleTimeoutMs = 600_000;
/** Shorter than the time after which proxies and firewalls forget an idle connection. */
const keepAliveMs = 60_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { connectMs, lockMs, statementMs } = options.timeouts ?? usualTimeouts;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    pipeline: true,
    stream: () => openSocket(),
    types: typeParsers,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    options: '-c timezone=UTC',
  });
  pool.on('error', options.onIdleError);
  closeSilentConnections(pool, statementMs + silentForMs);
  // Registered at 'connect': a connection may be lost between being handed out and being listened to, and an 'error'
  // event without a listener ends the process. Its queries reject, which is enough.
  pool.on('connect', (client) => void client.on('error', ignore));

  const withoutTenant: Db = {
    query: async <Row>(query: Sql) => (await pool.query(toStatement(query))).rows as Row[],
  };
  const connect: Connect =
    options.isShared === true
      ? sharedConnections(pool, options.connectionsMax, connectMs)
      : (_orgId, work) => withClient(pool, work);
  return {
    withoutTenant,
    transactWithoutTenant: (work) =>
      withClient(pool, (client) => transactWithoutTenant(client, work)),
    close: () => pool.end(),
    readOnce: (orgId, ask) => connect(orgId, (client) => readOnce(client, orgId, ask)),
    readTogether: (orgId, ask) => connect(orgId, (client) => readTogether(client, orgId, ask)),
    transact: (owner, work) =>
      connect(owner.orgId, (client) =>
        transact(client, options, owner, noOpening, (tx, _, control) => work(tx, control)),
      ),
    transactWithOpening: (owner, opening, work) =>
      connect(owner.orgId, (client) => transact(client, options, owner, opening, work)),
  };
}

const ignore = () => undefined;

/** Of one organization, for all its requests that have no connection yet. */
export const waitingRequestsMax = 100;

type Connect = <T>(orgId: OrgId, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/**
 * An organization has at most a third of the connections. A request that waits for a lock keeps its connection: without
 * shares, the requests of one organization had all of them, and those of the others waited in the pool until it refused.
 */
function sharedConnections(pool: pg.Pool, connectionsMax: number, timeoutMs: number): Connect {
  const queue = createFairQueue({
    total: connectionsMax,
    perKey: Math.max(1, Math.floor(connectionsMax / 3)),
    waitingPerKey: waitingRequestsMax,
  });
  const acquire = async (orgId: OrgId): Promise<ReleaseCapacity> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await queue.acquire(orgId, { signal });
    } catch (error) {
      // The pool's own words for it.
      throw signal.aborted ? new Error('timeout exceeded when trying to connect') : error;
    }
  };
  return async (orgId, work) => {
    const release = queue.tryAcquire(orgId) ?? (await acquire(orgId));
    try {
      return await withClient(pool, work);
    } finally {
      release();
    }
  };
}

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
    // After the rollback, statements of this turn would be outside the transaction.
    await batchSent();
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}

const beginSnapshot = toStatement(sql`begin isolation level repeatable read read only`);
const begin = toStatement(sql`begin`);
const commit = toStatement(sql`commit`);

async function readOnce<T>(
  client: pg.PoolClient,
  orgId: OrgId,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const run = openPipeline(client);
  let isAsked = false;
  return ask({
    query: async <Row>(query: Sql) => {
      if (isAsked) throw new Error('readOnce takes one statement');
      isAsked = true;
      const opened = handled(run(openOrganizationReadOnly(orgId)));
      const read = handled(run<Row>(toStatement(query)));
      await opened;
      return (await read).rows;
    },
  });
}

async function readTogether<T>(
  client: pg.PoolClient,
  orgId: OrgId,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const run = openPipeline(client);
  const opened = [handled(run(beginSnapshot)), handled(run(openOrganization(orgId)))];
  const result = await ask(queriesOf(run));
  await Promise.all(opened);
  await run(commit);
  return result;
}

async function transactWithoutTenant<T>(
  client: pg.PoolClient,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const run = openPipeline(client);
  const begun = handled(run(begin));
  const result = await work(queriesOf(run));
  await begun;
  await run(commit);
  return result;
}
