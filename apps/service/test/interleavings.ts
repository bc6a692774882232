/**
 * Two transactions, statement by statement, in every order there is. A scheduler lets one of them send its
 * next statement, waits until it has its answer or is seen to wait for a lock, and goes on by the schedule.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Tx, TxOwner } from '../src/platform/db/database.ts';
import { failureOf } from '../src/platform/db/failures.ts';

export type Party = {
  readonly db: Database;
  readonly owner: TxOwner;
  readonly work: (tx: Tx) => Promise<unknown>;
};

/** After this a statement is taken to wait for the other party. */
const blockedMs = 12;
const attemptsMax = 3;

type Gate = {
  /** Resolves when the party may go on. */
  readonly pass: () => Promise<void>;
  /** Lets one statement go and waits until the party stands at its next, has ended, or seems blocked. */
  readonly step: () => Promise<void>;
  readonly open: () => void;
  readonly passes: () => number;
};

function createGate(): Gate {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  let passes = 0;
  let arrived = Promise.withResolvers<void>();
  const release = () => {
    passes++;
    waiting.shift()?.();
  };
  return {
    passes: () => passes,
    pass: async () => {
      if (isOpen) return;
      const turn = new Promise<void>((resolve) => waiting.push(resolve));
      arrived.resolve();
      await turn;
    },
    step: async () => {
      if (waiting.length === 0) await Promise.race([arrived.promise, wait(blockedMs)]);
      if (waiting.length === 0) return;
      arrived = Promise.withResolvers<void>();
      if (waiting.length > 1) arrived.resolve();
      release();
      await Promise.race([arrived.promise, wait(blockedMs)]);
    },
    open: () => {
      isOpen = true;
      while (waiting.length > 0) release();
    },
  };
}

const gated = (tx: Tx, gate: Gate): Tx => ({
  ...tx,
  query: async <Row>(query: Parameters<Tx['query']>[0]) => {
    await gate.pass();
    return tx.query<Row>(query);
  },
});

/** As `platform/http/mutation.ts` does: what another got in the way of runs again. */
async function run({ db, owner, work }: Party, gate: Gate): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transact(
        owner,
        async () => undefined,
        async (tx) => {
          const result = await work(gated(tx, gate));
          // Before its writes and its commit.
          await gate.pass();
          return result;
        },
      );
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === attemptsMax) throw error;
    }
  }
}

export type Outcome = readonly string[];

const settledAs = (result: PromiseSettledResult<unknown>): string =>
  result.status === 'fulfilled'
    ? 'done'
    : String((result.reason as { code?: string }).code ?? result.reason);

/** What became of each party. */
export async function interleave(
  parties: readonly Party[],
  schedule: readonly number[],
): Promise<Outcome> {
  const gates = parties.map(createGate);
  const runs = parties.map((party, i) => run(party, gates[i] ?? createGate()));
  const ends = Promise.allSettled(runs);
  for (const turn of schedule) await gates[turn]?.step();
  for (const gate of gates) gate.open();
  return (await ends).map(settledAs);
}

/** How many statements a party sends when nobody is in its way. */
export async function countSteps(party: Party): Promise<number> {
  const gate = createGate();
  const over = new AbortController();
  void run(party, gate)
    .catch(() => undefined)
    .finally(() => over.abort());
  while (!over.signal.aborted) await gate.step();
  return gate.passes();
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
