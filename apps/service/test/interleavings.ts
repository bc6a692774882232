/**
 * Two transactions, statement by statement, in every order there is. A scheduler lets one of them send its
 * next statement, then waits until it has its answer and stands before the next, has ended, or is seen by
 * PostgreSQL itself to wait for a lock; only then is it the turn of whoever the schedule names next. Writes are
 * sent without waiting, so what is scheduled is reads, locks and the commit.
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

/** Whether PostgreSQL says of a backend that it waits for a lock. */
type IsWaiting = (backend: number) => Promise<boolean>;

const pollMs = 2;
const stepLimitMs = 10_000;
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

/** Until the party has its answer and stands at its gate, has ended, or waits for the other. */
async function waitUntilPaused(gate: Gate): Promise<void> {
  const deadline = Date.now() + stepLimitMs;
  while ((gate.waiters.length === 0 || gate.inFlight > 0) && !gate.hasEnded) {
    if (gate.backend !== 0 && (await gate.isWaiting(gate.backend))) return;
    if (Date.now() > deadline) throw new Error('a party neither goes on nor waits for a lock');
    await wait(pollMs);
  }
}

async function step(gate: Gate): Promise<void> {
  await waitUntilPaused(gate);
  gate.waiters.shift()?.();
  // Its statement is sent a moment after it was let go.
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

/** As `platform/http/mutation.ts` does: what another got in the way of runs again. */
async function runWithRetries({ db, owner, work }: TxSession, gate: Gate): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transact(owner, async (tx) => {
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        gate.backend = row?.pid ?? 0;
        const result = await work(withGate(tx, gate));
        // Before its commit; its writes are on their way.
        await waitAtGate(gate);
        return result;
      });
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === attemptsMax) throw error;
    }
  }
}

const startSession = (party: TxSession, gate: Gate): Promise<unknown> =>
  runWithRetries(party, gate).finally(() => (gate.hasEnded = true));

export type InterleavingOutcome = readonly string[];

const describeResult = (result: PromiseSettledResult<unknown>): string =>
  result.status === 'fulfilled'
    ? 'done'
    : String((result.reason as { code?: string }).code ?? result.reason);

/** A connection of its own to watch the others from. */
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

/** What became of each party. */
export async function interleave(
  isWaiting: IsWaiting,
  parties: readonly TxSession[],
  permutation: readonly number[],
): Promise<InterleavingOutcome> {
  const gates = parties.map(() => createGate(isWaiting));
  const ends = Promise.allSettled(
    parties.map((party, i) => startSession(party, gates[i] ?? createGate(isWaiting))),
  );
  for (const turn of permutation) {
    const gate = gates[turn];
    if (gate !== undefined) await step(gate);
  }
  for (const gate of gates) {
    gate.isOpen = true;
    for (const go of gate.waiters.splice(0)) go();
  }
  return (await ends).map(describeResult);
}

/** How many statements a party sends when nobody is in its way, its commit included. */
export async function countSteps(isWaiting: IsWaiting, party: TxSession): Promise<number> {
  const gate = createGate(isWaiting);
  gate.isOpen = true;
  await startSession(party, gate).catch(() => undefined);
  return gate.arrivals;
}

/** Every order of so many turns of the one and so many of the other. */
export function permutations(ones: number, others: number): readonly (readonly number[])[] {
  if (ones === 0) return [Array.from({ length: others }, () => 1)];
  if (others === 0) return [Array.from({ length: ones }, () => 0)];
  return [
    ...permutations(ones - 1, others).map((rest) => [0, ...rest]),
    ...permutations(ones, others - 1).map((rest) => [1, ...rest]),
  ];
}
