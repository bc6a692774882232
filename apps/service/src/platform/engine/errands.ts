/**
 * Errands, several at once: what is to be done is looked for in a transaction, done outside, and noted in another,
 * which also looks for more. One that takes long keeps its place while others come and go.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../db/database.ts';

export type Errands<Item, Got> = {
  /** More to go for, beside what is under way; none when there is nothing, or no room. */
  readonly look: (tx: Tx, underway: readonly Item[]) => Promise<readonly Item[]>;
  readonly go: (item: Item, signal: AbortSignal) => Promise<Got>;
  readonly note: (tx: Tx, done: readonly Done<Item, Got>[]) => Promise<void>;
};

export type Done<Item, Got> = { readonly item: Item; readonly got: Got };

type Surroundings = {
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Whoever asked has given up. */
  readonly signal: AbortSignal;
};

/** After so long it looks for no more, and ends when what is under way has ended. */
export const lookingMs = 120_000;
/** What comes back in such a while after the first is noted together with it. */
const gatheringMs = 20;
/** While nothing comes back, it is looked for more after such a while, and each time later. */
const tickMs = 250;

/** Whether it stopped looking before it had found nothing. */
export async function runErrands<Item, Got>(
  { transact, signal }: Surroundings,
  { look, go, note }: Errands<Item, Got>,
): Promise<boolean> {
  const begun = performance.now();
  /** Until they are noted: what has come back while others are noted must not be found again. */
  const underway = new Map<Item, Promise<void>>();
  let done: Done<Item, Got>[] = [];
  // When one fails there is no knowing what becomes of the others: all of them are called back.
  const calledBack = new AbortController();
  const either = AbortSignal.any([signal, calledBack.signal]);

  const goFor = async (item: Item): Promise<void> => {
    const got = await go(item, either);
    done.push({ item, got });
  };
  const setOut = (item: Item): void => {
    const trip = goFor(item);
    // Whoever awaits it hears of a failure; unless another has failed first.
    trip.catch(() => undefined);
    underway.set(item, trip);
  };

  let ticks = 0;
  try {
    for (;;) {
      const isLooking = performance.now() - begun < lookingMs;
      const back = done;
      done = [];
      const found = await transact(async (tx) => {
        if (back.length > 0) await note(tx, back);
        for (const { item } of back) underway.delete(item);
        return isLooking ? look(tx, [...underway.keys()]) : [];
      });
      for (const item of found) setOut(item);
      if (underway.size === 0) return !isLooking;
      ticks = back.length + found.length > 0 ? 0 : ticks + 1;
      if (done.length === 0) await firstOf([...underway.values()], tickMs * 2 ** ticks);
      if (done.length > 0) await firstOf([Promise.all(underway.values())], gatheringMs);
    }
  } catch (error) {
    calledBack.abort(error);
    throw error;
  }
}

/** Until the first has ended, or for so long. */
async function firstOf(trips: readonly Promise<unknown>[], ms: number): Promise<void> {
  const patience = new AbortController();
  const enough = wait(ms, undefined, { signal: patience.signal }).catch(() => undefined);
  try {
    await Promise.race([...trips, enough]);
  } finally {
    patience.abort();
  }
}
