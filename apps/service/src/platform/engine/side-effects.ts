/**
 * Errands, several at once: what is to be done is looked for in a transaction, done outside, and noted in another,
 * which also looks for more. One that takes long keeps its place while others come and go.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../db/database.ts';

export type ConcurrentSideEffects<Item, Got> = {
  /** More to go for, beside what is under way; none when there is nothing, or no room. */
  readonly claim: (tx: Tx, underway: readonly Item[]) => Promise<readonly Item[]>;
  readonly execute: (item: Item, signal: AbortSignal) => Promise<Got>;
  readonly record: (tx: Tx, done: readonly Executed<Item, Got>[]) => Promise<void>;
};

export type Executed<Item, Got> = { readonly item: Item; readonly result: Got };

type ExecutionContext = {
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Whoever asked has given up. */
  readonly signal: AbortSignal;
};

/** After so long it looks for no more, and ends when what is under way has ended. */
export const claimWindowMs = 120_000;
/** What comes back in such a while after the first is noted together with it. */
const recordBatchMs = 20;
/** While nothing comes back, it is looked for more after such a while, and each time later. */
const claimPollMs = 250;

/** Whether it stopped looking before it had found nothing. */
export async function runSideEffects<Item, Got>(
  { transact, signal }: ExecutionContext,
  { claim: look, execute: go, record: note }: ConcurrentSideEffects<Item, Got>,
): Promise<boolean> {
  const begun = performance.now();
  /** Until they are noted: what has come back while others are noted must not be found again. */
  const inFlight = new Map<Item, Promise<void>>();
  let done: Executed<Item, Got>[] = [];
  // When one fails there is no knowing what becomes of the others: all of them are called back.
  const calledBack = new AbortController();
  const either = AbortSignal.any([signal, calledBack.signal]);

  const executeItem = async (item: Item): Promise<void> => {
    const got = await go(item, either);
    done.push({ item, result: got });
  };
  const startItem = (item: Item): void => {
    const trip = executeItem(item);
    // Whoever awaits it hears of a failure; unless another has failed first.
    trip.catch(() => undefined);
    inFlight.set(item, trip);
  };

  let ticks = 0;
  try {
    for (;;) {
      const isClaiming = performance.now() - begun < claimWindowMs;
      const back = done;
      done = [];
      const found = await transact(async (tx) => {
        if (back.length > 0) await note(tx, back);
        for (const { item } of back) inFlight.delete(item);
        return isClaiming ? look(tx, [...inFlight.keys()]) : [];
      });
      for (const item of found) startItem(item);
      if (inFlight.size === 0) return !isClaiming;
      ticks = back.length + found.length > 0 ? 0 : ticks + 1;
      if (done.length === 0) await firstOf([...inFlight.values()], claimPollMs * 2 ** ticks);
      if (done.length > 0) await firstOf([Promise.all(inFlight.values())], recordBatchMs);
    }
  } catch (error) {
    calledBack.abort(error);
    throw error;
  }
}

/** Until the first has ended, or for so long. */
async function firstOf(executions: readonly Promise<unknown>[], ms: number): Promise<void> {
  const patience = new AbortController();
  const enough = wait(ms, undefined, { signal: patience.signal }).catch(() => undefined);
  try {
    await Promise.race([...executions, enough]);
  } finally {
    patience.abort();
  }
}
