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

export type Party = {
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
  passes: number;
  /** Statements sent and not answered yet. */
  asked: number;
  readonly waiting: (() => void)[];
};

const createGate = (isWaiting: IsWaiting): Gate => ({
  isWaiting,
  backend: 0,
  hasEnded: false,
  isOpen: false,
  passes: 0,
  asked: 0,
  waiting: [],
});

function pass(gate: Gate): Promise<void> {
  gate.passes++;
  return gate.isOpen ? Promise.resolve() : new Promise((resolve) => gate.waiting.push(resolve));
}

/** Until the party has its answer and stands at its gate, has ended, or waits for the other. */
async function untilStill(gate: Gate): Promise<void> {
  const deadline = Date.now() + stepLimitMs;
  while ((gate.waiting.length === 0 || gate.asked > 0) && !gate.hasEnded) {
    if (gate.backend !== 0 && (await gate.isWaiting(gate.backend))) return;
    if (Date.now() > deadline) throw new Error('a party neither goes on nor waits for a lock');
    await wait(pollMs);
  }
}

async function step(gate: Gate): Promise<void> {
  await untilStill(gate);
  gate.waiting.shift()?.();
  // Its statement is sent a moment after it was let go.
  await wait(0);
  await untilStill(gate);
}

const gated = (tx: Tx, gate: Gate): Tx => ({
  ...tx,
  query: async <Row>(query: Parameters<Tx['query']>[0]) => {
    await pass(gate);
    gate.asked++;
    try {
      return await tx.query<Row>(query);
    } finally {
      gate.asked--;
    }
  },
});

/** As `platform/http/mutation.ts` does: what another got in the way of runs again. */
async function run({ db, owner, work }: Party, gate: Gate): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transact(owner, async (tx) => {
        const [row] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        gate.backend = row?.pid ?? 0;
        const result = await work(gated(tx, gate));
        // Before its commit; its writes are on their way.
        await pass(gate);
        return result;
      });
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === attemptsMax) throw error;
    }
  }
}

const begin = (party: Party, gate: Gate): Promise<unknown> =>
  run(party, gate).finally(() => (gate.hasEnded = true));

export type Outcome = readonly string[];

const settledAs = (result: PromiseSettledResult<unknown>): string =>
  result.status === 'fulfilled'
    ? 'done'
    : String((result.reason as { code?: string }).code ?? result.reason);

/** A connection of its own to watch the others from. */
export async function watchLocks(url: string) {
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
  parties: readonly Party[],
  schedule: readonly number[],
): Promise<Outcome> {
  const gates = parties.map(() => createGate(isWaiting));
  const ends = Promise.allSettled(
    parties.map((party, i) => begin(party, gates[i] ?? createGate(isWaiting))),
  );
  for (const turn of schedule) {
    const gate = gates[turn];
    if (gate !== undefined) await step(gate);
  }
  for (const gate of gates) {
    gate.isOpen = true;
    for (const go of gate.waiting.splice(0)) go();
  }
  return (await ends).map(settledAs);
}

/** How many statements a party sends when nobody is in its way, its commit included. */
export async function countSteps(isWaiting: IsWaiting, party: Party): Promise<number> {
  const gate = createGate(isWaiting);
  gate.isOpen = true;
  await begin(party, gate).catch(() => undefined);
  return gate.passes;
}

/** Every order of so many turns of the one and so many of the other. */
export function schedules(ones: number, others: number): readonly (readonly number[])[] {
  if (ones === 0) return [Array.from({ length: others }, () => 1)];
  if (others === 0) return [Array.from({ length: ones }, () => 0)];
  return [
    ...schedules(ones - 1, others).map((rest) => [0, ...rest]),
    ...schedules(ones, others - 1).map((rest) => [1, ...rest]),
  ];
}
