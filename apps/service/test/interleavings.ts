/**
 * For tests of races: runs two transactions statement by statement, in every possible order. For each turn of a
 * permutation, `interleave` lets that session send its next statement, then waits until the session has its result and
 * waits at its gate, has ended, or waits for a lock according to pg_stat_activity. Only then does the next turn begin.
 * Writes are sent without waiting, so the turns order reads, locks and the commit.
 */

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Tx, TxOwner } from '../src/platform/db/database.ts';
import { failureOf } from '../src/platform/db/failures.ts';
import { sql } from '../src/platform/db/sql.ts';

export type TxSession = {
  readonly db: Database;
  readonly owner: TxOwner;
  readonly work: (tx: Tx) => Promise<unknown>;
};

/** Whether pg_stat_activity shows that a backend waits for a lock. */
type IsWaiting = (backend: number) => Promise<boolean>;

const pollMs = 2;
/** Only a session that hangs reaches this. */
const stepLimitMs = 120_000;
const attemptsMax = 3;

type Gate = {
  readonly isWaiting: IsWaiting;
  backend: number;
  hasEnded: boolean;
  isOpen: boolean;
  arrivals: number;
  /** Statements sent and not answered yet. */
  inFlight: number;
  readonly waiters: (() => void)[];
};

const createGate = (isWaiting: IsWaiting): Gate => ({
  isWaiting,
  backend: 0,
  hasEnded: false,
  isOpen: false,
  arrivals: 0,
  inFlight: 0,
  waiters: [],
});

function waitAtGate(gate: Gate): Promise<void> {
  gate.arrivals++;
  return gate.isOpen ? Promise.resolve() : new Promise((resolve) => gate.waiters.push(resolve));
}

/** Until the session has its result and waits at its gate, has ended, or waits for a lock of the other session. */
async function waitUntilPaused(gate: Gate): Promise<void> {
  const deadline = Date.now() + stepLimitMs;
  while ((gate.waiters.length === 0 || gate.inFlight > 0) && !gate.hasEnded) {
    if (gate.backend !== 0 && (await gate.isWaiting(gate.backend))) return;
    if (Date.now() > deadline)
      throw new Error('a session neither reached its gate nor waits for a lock');
    await wait(pollMs);
  }
}

async function step(gate: Gate): Promise<void> {
  await waitUntilPaused(gate);
  gate.waiters.shift()?.();
  // The session sends its statement one event-loop turn after its gate opened.
  await wait(0);
  await waitUntilPaused(gate);
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

/** Opens a separate connection that reads pg_stat_activity while the sessions wait. */
export async function openLockMonitor(url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const isWaiting: IsWaiting = async (backend) => {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
      [backend],
    );
    return rowCount === 1;
  };
  return { isWaiting, close: () => client.end() };
}

/** Returns for each session `done` or the code of its error. */
export async function interleave(
  isWaiting: IsWaiting,
  sessions: readonly TxSession[],
  permutation: readonly number[],
): Promise<InterleavingOutcome> {
  const gates = sessions.map(() => createGate(isWaiting));
  const ends = Promise.allSettled(
    sessions.map((session, i) => startSession(session, gates[i] ?? createGate(isWaiting))),
  );
  for (const turn of permutation) {
    const gate = gates[turn];
    if (gate !== undefined) await step(gate);
  }
  for (const gate of gates) {
    gate.isOpen = true;
    for (const resume of gate.waiters.splice(0)) resume();
  }
  return (await ends).map(describeResult);
}

/** How many turns a session needs when it runs alone, its commit included. */
export async function countSteps(isWaiting: IsWaiting, session: TxSession): Promise<number> {
  const gate = createGate(isWaiting);
  gate.isOpen = true;
  await startSession(session, gate).catch(() => undefined);
  return gate.arrivals;
}

/** Every order of `firstTurns` turns of session 0 and `secondTurns` turns of session 1. */
export function permutations(
  firstTurns: number,
  secondTurns: number,
): readonly (readonly number[])[] {
  if (firstTurns === 0) return [Array.from({ length: secondTurns }, () => 1)];
  if (secondTurns === 0) return [Array.from({ length: firstTurns }, () => 0)];
  return [
    ...permutations(firstTurns - 1, secondTurns).map((rest) => [0, ...rest]),
    ...permutations(firstTurns, secondTurns - 1).map((rest) => [1, ...rest]),
  ];
}
