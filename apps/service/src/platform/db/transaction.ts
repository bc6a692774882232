/**
 * A transaction of one organization, with as few waits as the work allows. It opens with
 *
 *   begin · open_organization(org) · the opening · savepoint work
 *
 * in one round trip. Writes are sent without waiting, and `commit` leaves with the last of them. If one of them fails,
 * PostgreSQL skips that commit or answers it with a rollback, so sending it early risks nothing.
 */

import type pg from 'pg';
import type { Actor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NewId, OrgId, RequestId } from '../../kernel/ids.ts';
import { businessTimeAt, openOrganization, type OrganizationClock } from './organization-clock.ts';
import { batchSent, type Db, handled, queriesOf } from './pipeline.ts';
import { type Sql, sql, type Statement, toStatement } from './sql.ts';
import { openPipeline, type Pipeline } from './statement-batch.ts';

/** Writers take a `Tx`: only this file makes one. */
export type Tx = Db & {
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** The API request that the transaction executes; undefined for operators and workflows. */
  readonly requestId: RequestId | undefined;
  /** Business time: real time plus the organization's sandbox offset, or the time at which its clock is frozen. */
  readonly now: Date;
  /** Real time at which the transaction had opened. */
  readonly realNow: Date;
  /** Real time at the moment of the call: the transaction may have waited for a lock since `realNow`. */
  readonly readClock: () => Date;
  /** Business time does not pass: the handler that moves the sandbox clock fires the timers that become due. */
  readonly isClockFrozen: boolean;
  readonly newId: NewId;
  /** Sends a write without waiting for it. The commit waits for all of them. */
  readonly write: (query: Sql) => void;
  /**
   * Runs work under a savepoint. When it throws, or one of its writes fails, everything it wrote is rolled back, the
   * transaction stays usable, and the error is thrown again (a failed write's rather than its own): for callers that
   * catch a `Problem` and continue. Savepoints may be nested; until it returns, nothing else may use the transaction.
   */
  readonly withSavepoint: <T>(work: () => Promise<T>) => Promise<T>;
};

export type TxOwner = {
  readonly orgId: OrgId;
  readonly actor: Actor;
  /** The API request that the transaction executes; undefined for operators and workflows. */
  readonly requestId?: RequestId;
};

/** Statements that are sent with the opening round trip, before business time is known. */
export type Opening<T> = (db: Db) => Promise<T>;

export type OpenedWork<Opened, T> = (tx: Tx, opened: Opened, control: TxControl) => Promise<T>;

export type TxControl = {
  /**
   * Rolls back to the savepoint after the opening. Locks of the opening and the organization context stay; locks taken
   * since are released.
   */
  readonly undo: () => Promise<void>;
};

const begin = toStatement(sql`begin`);
const savepoint = toStatement(sql`savepoint work`);
const commit = toStatement(sql`commit`);

/** Not prepared: its text has a number, and prepared texts must be few. */
const unprepared = (text: string): Statement => ({ name: '', text, values: [] });

type TransactionDeps = { readonly clock: Clock; readonly newId: NewId };

export async function transact<Opened, T>(
  client: pg.PoolClient,
  { clock, newId }: TransactionDeps,
  owner: TxOwner,
  opening: Opening<Opened>,
  work: OpenedWork<Opened, T>,
): Promise<T> {
  const run = openPipeline(client);
  const db = queriesOf(run);
  const begun = handled(run(begin));
  const context = handled(run<OrganizationClock>(openOrganization(owner.orgId)));
  const opened = handled(opening(db));
  const marked = handled(run(savepoint));
  const [, contextRows, openedValue] = await Promise.all([begun, context, opened, marked]);
  const organization = contextRows.rows[0] ?? { offset_ms: 0, frozen_at: null };

  const writes = createWrites(run);
  const realNow = clock.now();
  const tx: Tx = {
    ...db,
    orgId: owner.orgId,
    actor: owner.actor,
    requestId: owner.requestId,
    newId,
    realNow,
    readClock: clock.now,
    now: businessTimeAt(organization, realNow),
    isClockFrozen: organization.frozen_at !== null,
    write: (query) => writes.send(toStatement(query)),
    withSavepoint: createSavepoints(writes),
  };
  const undo = () => writes.rollbackTo('work', 0);
  const result = await work(tx, openedValue, { undo }).catch(async (error: unknown) => {
    throw (await writes.firstFailure()) ?? error;
  });
  const committed = handled(run(commit));
  await writes.settled();
  const { command } = await committed;
  if (command !== 'COMMIT') throw new Error(`commit answered ${command}`);
  return result;
}

type Writes = ReturnType<typeof createWrites>;

/** Writes that were sent and not awaited, in the order in which PostgreSQL executes them. */
function createWrites(run: Pipeline) {
  const sent: Promise<unknown>[] = [];
  return {
    send: (statement: Statement): void => void sent.push(handled(run(statement))),
    count: (): number => sent.length,
    /** Rejects with the first failure of the writes after the first `from`. */
    settled: async (from = 0): Promise<void> => void (await Promise.all(sent.slice(from))),
    firstFailure: (): Promise<Error | undefined> => firstFailureOf(sent),
    /** Throws why one of the writes after the first `from` failed, if one did. */
    rollbackTo: async (name: string, from: number): Promise<void> => {
      const failure = await firstFailureOf(sent.splice(from));
      // In a batch of its own: PostgreSQL would skip it after a statement that fails.
      await batchSent();
      await run(unprepared(`rollback to savepoint ${name}`));
      if (failure !== undefined) throw failure;
    },
  };
}

function createSavepoints(writes: Writes): Tx['withSavepoint'] {
  /** Numbers the savepoints: if `savepoint` itself failed, the rollback must not find an outer one of the same name. */
  let count = 0;
  return async (work) => {
    const writesBefore = writes.count();
    const name = `savepoint_${++count}`;
    writes.send(unprepared(`savepoint ${name}`));
    try {
      const result = await work();
      // A write that fails only now fails this work, not the whole transaction at its commit.
      await writes.settled(writesBefore);
      writes.send(unprepared(`release savepoint ${name}`));
      return result;
    } catch (error) {
      await writes.rollbackTo(name, writesBefore);
      writes.send(unprepared(`release savepoint ${name}`));
      throw error;
    }
  };
}

/** SQLSTATE in_failed_sql_transaction: a statement after the one that failed. It says nothing about the cause. */
const afterFailure = '25P02';

/**
 * Why the first of these writes failed; undefined if none did, or if a statement before them failed. A write is sent
 * without waiting, so its failure (a unique index, a deadlock) is otherwise seen as 25P02 by the next awaited query.
 */
async function firstFailureOf(writes: readonly Promise<unknown>[]): Promise<Error | undefined> {
  for (const outcome of await Promise.allSettled(writes)) {
    if (outcome.status === 'fulfilled') continue;
    const error: unknown = outcome.reason;
    if (error instanceof Error && !('code' in error && error.code === afterFailure)) return error;
  }
  return undefined;
}
