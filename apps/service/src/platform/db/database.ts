/**
 * PostgreSQL, with as few waits as the work allows. Statements are prepared and pipelined: each is
 * on the wire the moment it is asked for, and only awaiting its rows waits. A transaction opens with
 *
 *   begin · open_organization(org)    the organization context, and its clock
 *
 * sent together with whatever comes first, and `commit` leaves with the last writes. If one of them
 * fails, PostgreSQL answers that commit with a rollback, so sending it early risks nothing.
 */

import pg from 'pg';
import type { Actor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addMs } from '../../kernel/duration.ts';
import { type NewId, type OrgId, toUuid } from '../../kernel/ids.ts';
import { openSocket } from './socket.ts';
import { type Sql, sql, toStatement } from './sql.ts';

/** Anything a query can run on: what store functions take when they only read. */
export type Db = { readonly query: <Row>(query: Sql) => Promise<Row[]> };

/** A transaction of one organization. Only this file makes one; writers take a `Tx`. */
export type Tx = Db & {
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** Business time: real time plus the organization's sandbox offset, or where its clock is held. */
  readonly now: Date;
  readonly realNow: Date;
  /** Real time at this moment: `realNow` is when it began, and it may have waited since. */
  readonly readClock: () => Date;
  /** The sandbox's clock stands still: what is due is fired by whoever moves it. */
  readonly isClockFrozen: boolean;
  readonly newId: NewId;
  /** Sends a write without waiting for it. The commit waits for all of them. */
  readonly write: (query: Sql) => void;
  /**
   * Runs work under a savepoint. When it throws, or one of its writes fails, everything it wrote is rolled back, the
   * transaction stays usable, and the error is thrown again (a failed write's rather than its own): for callers that
   * catch a `Problem` and go on. Attempts may be nested; nothing else may use the transaction meanwhile.
   */
  readonly withSavepoint: <T>(work: () => Promise<T>) => Promise<T>;
};

export type TxOwner = { readonly orgId: OrgId; readonly actor: Actor };

/** What travels with the opening round trip, before business time is known. */
type Opening<T> = (db: Db) => Promise<T>;

type OpenedWork<Opened, T> = (tx: Tx, opened: Opened, control: TxControl) => Promise<T>;

export type TxControl = {
  /** Undoes everything since the opening; locks and the organization context stay. */
  readonly undo: () => Promise<void>;
};

export type Database = {
  /** One statement in one round trip: begin, context, statement and commit leave together. */
  readonly readOnce: <T>(orgId: OrgId, ask: (db: Db) => Promise<T>) => Promise<T>;
  /** Several statements that see one moment. */
  readonly readTogether: <T>(orgId: OrgId, ask: (db: Db) => Promise<T>) => Promise<T>;
  readonly transact: <T>(
    owner: TxOwner,
    work: (tx: Tx, control: TxControl) => Promise<T>,
  ) => Promise<T>;
  /** The same, with statements that travel in the opening round trip: their result reaches the work. */
  readonly transactWithOpening: <Opened, T>(
    owner: TxOwner,
    opening: Opening<Opened>,
    work: OpenedWork<Opened, T>,
  ) => Promise<T>;
  /** Without any organization: directory tables, or nothing at all. */
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
};

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;
const lockTimeoutMs = 5_000;
const idleInTransactionTimeoutMs = 10_000;

/** Longer than every limit above, and than a connection stays idle. */
const silenceTimeoutMs = 15_000;
const idleTimeoutMs = 10_000;

/** A date has no time and no zone; the driver would turn it into a local midnight and lose the day. */
export const types = {
  getTypeParser: ((...args: Parameters<typeof pg.types.getTypeParser>) =>
    args[0] === pg.types.builtins.DATE
      ? (text: string) => text
      : pg.types.getTypeParser(...args)) as typeof pg.types.getTypeParser,
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    pipeline: true,
    stream: () => openSocket(silenceTimeoutMs),
    types,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    keepAlive: true,
    options: '-c timezone=UTC',
  });
  pool.on('error', options.onIdleError);
  // From the first moment on: a connection may be lost between being handed out and being listened
  // to, and an 'error' nobody listens to ends the process. Its queries reject, which is enough.
  pool.on('connect', (client) => void client.on('error', ignore));

  const outside: Db = {
    query: async <Row>(query: Sql) => (await pool.query(toStatement(query))).rows as Row[],
  };
  return {
    withoutTenant: outside,
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
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } catch (error) {
    // A refusal or a failed statement ends in a clean rollback; only then is the connection reusable.
    broken = !(await rolledBack(client));
    throw error;
  } finally {
    client.release(broken);
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

export type OrganizationClock = {
  readonly offset_ms: number | null;
  readonly frozen_at: Date | null;
};

const openOrganization = (orgId: OrgId) =>
  toStatement(sql`select offset_ms::float8, frozen_at from open_organization(${toUuid(orgId)})`);

/** Business time. */
export const businessTimeAt = ({ offset_ms, frozen_at }: OrganizationClock, realNow: Date): Date =>
  frozen_at ?? addMs(realNow, offset_ms ?? 0);

/** A promise that is looked at later must not count as unhandled when it fails before that. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function readOnce<T>(
  client: pg.PoolClient,
  orgId: OrgId,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  let asked = 0;
  const sent: Promise<unknown>[] = [
    handled(client.query('begin read only')),
    handled(client.query(openOrganization(orgId))),
  ];
  const db: Db = {
    query: async <Row>(query: Sql) => {
      if (++asked > 1) throw new Error('readOnce takes one statement');
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

const queriesOf = (client: pg.PoolClient): Db => ({
  query: async <Row>(query: Sql) => (await client.query(toStatement(query))).rows as Row[],
});

async function transact<Opened, T>(
  client: pg.PoolClient,
  { clock, newId }: DatabaseOptions,
  owner: TxOwner,
  opening: Opening<Opened>,
  work: OpenedWork<Opened, T>,
): Promise<T> {
  const db = queriesOf(client);
  const begun = handled(client.query('begin'));
  const context = handled(client.query<OrganizationClock>(openOrganization(owner.orgId)));
  const opened = handled(opening(db));
  const marked = handled(client.query('savepoint work'));
  const [, contextRows, openedValue] = await Promise.all([begun, context, opened, marked]);
  const organization = contextRows.rows[0] ?? { offset_ms: 0, frozen_at: null };

  /** Writes sent and not awaited, in the order PostgreSQL executes them. */
  const writes: Promise<unknown>[] = [];
  const rollbackTo = async (savepoint: string, writesBefore: number): Promise<void> => {
    const failure = await firstFailure(writes.splice(writesBefore));
    await client.query(`rollback to savepoint ${savepoint}`);
    if (failure !== undefined) throw failure;
  };
  /** Names the savepoints: a rollback to one that a failed transaction never set must not find an outer one. */
  let attempts = 0;
  const send = (text: string) => void writes.push(handled(client.query(text)));
  const realNow = clock.now();
  const tx: Tx = {
    ...db,
    ...owner,
    newId,
    realNow,
    readClock: clock.now,
    now: businessTimeAt(organization, realNow),
    isClockFrozen: organization.frozen_at !== null,
    write: (query) => void writes.push(handled(client.query(toStatement(query)))),
    withSavepoint: async (part) => {
      const writesBefore = writes.length;
      const savepoint = `attempt_${++attempts}`;
      send(`savepoint ${savepoint}`);
      try {
        const result = await part();
        // A write that fails only now fails this part, not the whole transaction at its commit.
        await Promise.all(writes.slice(writesBefore));
        send(`release savepoint ${savepoint}`);
        return result;
      } catch (error) {
        await rollbackTo(savepoint, writesBefore);
        send(`release savepoint ${savepoint}`);
        throw error;
      }
    },
  };
  const undo = () => rollbackTo('work', 0);
  const result = await work(tx, openedValue, { undo }).catch(async (error: unknown) => {
    throw (await firstFailure(writes)) ?? error;
  });
  const committed = handled(client.query('commit'));
  await Promise.all(writes);
  const { command } = await committed;
  if (command !== 'COMMIT') throw new Error(`commit answered ${command}`);
  return result;
}

/** SQLSTATE in_failed_sql_transaction: a statement after the one that failed. It says nothing about the cause. */
const afterFailure = '25P02';

/**
 * Why the first of these writes failed; undefined if none did, or if a statement before them failed. A write is sent
 * without waiting, so its failure (a unique index, a deadlock) is otherwise seen as 25P02 by the next awaited query.
 */
async function firstFailure(writes: readonly Promise<unknown>[]): Promise<Error | undefined> {
  for (const outcome of await Promise.allSettled(writes)) {
    if (outcome.status === 'fulfilled') continue;
    const error: unknown = outcome.reason;
    if (error instanceof Error && !('code' in error && error.code === afterFailure)) return error;
  }
  return undefined;
}
