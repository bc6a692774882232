/**
 * For tests of races: runs two transactions statement by statement, in every possible order. In each turn one session
 * sends its next statement; the turn ends when each session has its results and waits at its gate, has ended, or waits
 * for a lock of the other one according to PostgreSQL. Writes are sent without waiting, so the turns order reads, locks and
 * the commit.
 *
 * A session that waits for a lock has no turn. So `runEveryOrder` does not list permutations of turns, most of which would
 * differ only in turns that cannot be taken: it repeats each order that it has seen up to a turn at which the other session
 * could have run too, and lets that one run.
 */

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { appendAudit } from '../src/platform/db/audit.ts';
import type { Database, Tx, TxOwner } from '../src/platform/db/database.ts';
import { failureOf } from '../src/platform/db/failures.ts';
import { sql } from '../src/platform/db/sql.ts';

export type TxSession = {
  readonly db: Database;
  readonly owner: TxOwner;
  readonly work: (tx: Tx) => Promise<unknown>;
};

/** Whether a backend waits for a lock that another one has. */
type IsWaiting = (backend: number) => Promise<boolean>;

const pollMs = 2;
/** Only a session that hangs reaches this. */
const stepLimitMs = 120_000;
const attemptsMax = 3;
const ordersAtOnce = 5;
/** Two sessions with six free statements each have 924. */
const ordersMax = 1_000;

type Gate = {
  readonly isWaiting: IsWaiting;
  backend: number;
  hasEnded: boolean;
  /** Statements sent and not answered yet. */
  inFlight: number;
  readonly waiters: (() => void)[];
};

const createGate = (isWaiting: IsWaiting): Gate => ({
  isWaiting,
  backend: 0,
  hasEnded: false,
  inFlight: 0,
  waiters: [],
});

function waitAtGate(gate: Gate): Promise<void> {
  return new Promise((resolve) => gate.waiters.push(resolve));
}

const isReady = (gate: Gate | undefined): boolean =>
  gate !== undefined && gate.waiters.length > 0 && gate.inFlight === 0;

/** Until the session has its result and waits at its gate, has ended, or waits for a lock of the other session. */
async function waitUntilPaused(gate: Gate): Promise<void> {
  const deadline = Date.now() + stepLimitMs;
  while (!isReady(gate) && !gate.hasEnded) {
    if (gate.backend !== 0 && (await gate.isWaiting(gate.backend))) return;
    if (Date.now() > deadline)
      throw new Error('a session neither reached its gate nor waits for a lock');
    await wait(pollMs);
  }
}

const withGate = (tx: Tx, gate: Gate): Tx => ({
  ...tx,
  query: async <Row>(query: Parameters<Tx['query']>[0]) => {
    await waitAtGate(gate);
    gate.inFlight++;
    try {
      return await tx.query<Row>(query);
    } finally {
      gate.inFlight--;
    }
  },
});

/** Retries after a conflict with the other session, as `platform/http/mutation.ts` does. */
async function runWithRetries({ db, owner, work }: TxSession, gate: Gate): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transact(owner, async (tx) => {
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        gate.backend = row?.pid ?? 0;
        const result = await work(withGate(tx, gate));
        // As the edge does: without it the commit of an event fails (`audited-events.ts`).
        appendAudit(tx, { action: 'test.run', auditedId: 'test', before: undefined, after: {} });
        // The commit takes a turn; the writes were sent before it.
        await waitAtGate(gate);
        return result;
      });
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === attemptsMax) throw error;
    }
  }
}

const startSession = (session: TxSession, gate: Gate): Promise<unknown> =>
  runWithRetries(session, gate).finally(() => (gate.hasEnded = true));

export type InterleavingOutcome = readonly string[];

const describeResult = (result: PromiseSettledResult<unknown>): string =>
  result.status === 'fulfilled'
    ? 'done'
    : String((result.reason as { code?: string }).code ?? result.reason);

/** Opens a separate connection that asks who waits for whom while the sessions wait. */
export async function openLockMonitor(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const isWaiting: IsWaiting = async (backend) => {
    const { rowCount } = await client.query({
      name: 'is-waiting',
      text: 'select where cardinality(pg_blocking_pids($1)) > 0',
      values: [backend],
    });
    return rowCount === 1;
  };
  return { isWaiting, close: () => client.end() };
}

type Turn = {
  readonly session: number;
  /** Whether the other session could have run instead. */
  readonly hadChoice: boolean;
};

type Interleaving = { readonly outcome: InterleavingOutcome; readonly turns: readonly Turn[] };

/** Runs the sessions in this order, as far as each can run in its turn; then the first one that can run, until both end. */
async function runInOrder(
  isWaiting: IsWaiting,
  sessions: readonly TxSession[],
  order: readonly number[],
): Promise<Interleaving> {
  const gates = sessions.map(() => createGate(isWaiting));
  const ends = Promise.allSettled(
    sessions.map((session, i) => startSession(session, gates[i] ?? createGate(isWaiting))),
  );
  const turns: Turn[] = [];
  const deadline = Date.now() + stepLimitMs;
  for (;;) {
    assert.ok(Date.now() < deadline, `the sessions have not ended after ${turns.length} turns`);
    for (const gate of gates) await waitUntilPaused(gate);
    if (gates.every(({ hasEnded }) => hasEnded)) break;
    const ready = [...gates.keys()].filter((index) => isReady(gates[index]));
    const wanted = order[turns.length];
    const session = ready.find((index) => index === wanted) ?? ready[0];
    // Each waits for a lock of the other one, until PostgreSQL ends one of them.
    if (session === undefined) await wait(pollMs);
    else {
      turns.push({ session, hadChoice: ready.length > 1 });
      gates[session]?.waiters.shift()?.();
      // The session sends its statement one event-loop turn after its gate opened.
      await wait(0);
    }
  }
  return { outcome: (await ends).map(describeResult), turns };
}

/** Returns for each session `done` or the code of its error. */
export const interleave = async (
  isWaiting: IsWaiting,
  sessions: readonly TxSession[],
  order: readonly number[],
): Promise<InterleavingOutcome> => (await runInOrder(isWaiting, sessions, order)).outcome;

/** More turns than a session has: the other one runs when it has ended. */
const untilItsEnd = (session: number): number[] => Array.from({ length: 100 }, () => session);

export type EveryOrder = {
  readonly orders: number;
  /** How often each outcome occurred. */
  readonly outcomes: ReadonlyMap<string, number>;
  /** Of the orders in which one session ends before the other one begins. */
  readonly serial: readonly string[];
};

/**
 * Runs two sessions in every order of their statements. `run` opens them on a fixture of their own, passes them to
 * `interleaving`, and may check what they left.
 */
export async function runEveryOrder(
  isWaiting: IsWaiting,
  run: (
    interleaving: (sessions: readonly TxSession[]) => Promise<InterleavingOutcome>,
  ) => Promise<unknown>,
  /** Both sessions do the same: the orders in which the second one begins are the others with the two exchanged. */
  isSymmetric = false,
): Promise<EveryOrder> {
  const runOnce = async (order: readonly number[]) => {
    const results: Interleaving[] = [];
    await run(async (sessions) => {
      const result = await runInOrder(isWaiting, sessions, order);
      results.push(result);
      return result.outcome;
    });
    const [{ outcome, turns } = { outcome: [], turns: [] }] = results;
    return { outcome: outcome.join(', '), turns };
  };
  const outcomes = new Map<string, number>();
  const toRun: (readonly number[])[] = [[]];
  let orders = 0;
  while (toRun.length > 0) {
    assert.ok(orders < ordersMax, `more than ${ordersMax} orders`);
    // Several at once, because each waits most of the time.
    const batch = toRun.splice(0, ordersAtOnce);
    const results = await Promise.all(batch.map(runOnce));
    for (const [index, { outcome, turns }] of results.entries()) {
      orders++;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      toRun.push(...alternativesOf(turns, batch[index]?.length || (isSymmetric ? 1 : 0)));
    }
  }
  const serial = [await runOnce(untilItsEnd(0)), await runOnce(untilItsEnd(1))];
  return { orders, outcomes, serial: serial.map(({ outcome }) => outcome) };
}

/** The orders that begin as this one, and in which the other session runs at a turn after the first `given` ones. */
const alternativesOf = (turns: readonly Turn[], given: number): number[][] =>
  turns.flatMap(({ session, hadChoice }, index) =>
    index < given || !hadChoice
      ? []
      : [[...turns.slice(0, index).map((turn) => turn.session), 1 - session]],
  );
