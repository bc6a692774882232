/**
 * Side effects, several at once: items are claimed in a transaction, executed outside, and their results recorded in
 * another transaction, which also claims more. A slow item keeps its place while others are claimed and recorded.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../db/database.ts';

export type ConcurrentSideEffects<Item, Result> = {
  /** More items, beside those in flight; none if there are none, or no capacity. */
  readonly claim: (tx: Tx, inFlight: readonly Item[]) => Promise<readonly Item[]>;
  readonly execute: (item: Item, signal: AbortSignal) => Promise<Result>;
  readonly record: (tx: Tx, executed: readonly Executed<Item, Result>[]) => Promise<void>;
};

export type Executed<Item, Result> = { readonly item: Item; readonly result: Result };

type ExecutionContext = {
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Aborted when the engine has given this attempt up. */
  readonly signal: AbortSignal;
};

/** After this time it claims nothing more, and ends when everything in flight has ended. */
export const claimWindowMs = 120_000;
/** Results that arrive within this time after the first are recorded together with it. */
const recordBatchMs = 20;
/** While no result arrives, it claims again after this time, then after twice as long, and so on. */
const claimPollMs = 250;

/** Returns whether `claimWindowMs` stopped it: then there may be more to claim. */
export async function runSideEffects<Item, Result>(
  { transact, signal }: ExecutionContext,
  { claim, execute, record }: ConcurrentSideEffects<Item, Result>,
): Promise<boolean> {
  const begun = performance.now();
  /** Until recorded: an item that ends while others are being recorded must not be claimed again. */
  const inFlight = new Map<Item, Promise<void>>();
  let executed: Executed<Item, Result>[] = [];
  // When one item fails the attempt fails, and the results of the others would not be recorded: they are aborted.
  const failure = new AbortController();
  const stopSignal = AbortSignal.any([signal, failure.signal]);

  const executeItem = async (item: Item): Promise<void> => {
    const result = await execute(item, stopSignal);
    executed.push({ item, result });
  };
  const startItem = (item: Item): void => {
    const execution = executeItem(item);
    // The loop below awaits it and sees a failure, unless another item has failed first.
    execution.catch(() => undefined);
    inFlight.set(item, execution);
  };

  let idleRounds = 0;
  try {
    for (;;) {
      const isClaiming = performance.now() - begun < claimWindowMs;
      const toRecord = executed;
      executed = [];
      const claimed = await transact(async (tx) => {
        if (toRecord.length > 0) await record(tx, toRecord);
        for (const { item } of toRecord) inFlight.delete(item);
        return isClaiming ? claim(tx, [...inFlight.keys()]) : [];
      });
      for (const item of claimed) startItem(item);
      if (inFlight.size === 0) return !isClaiming;
      idleRounds = toRecord.length + claimed.length > 0 ? 0 : idleRounds + 1;
      if (executed.length === 0) {
        await firstOf([...inFlight.values()], claimPollMs * 2 ** idleRounds);
      }
      if (executed.length > 0) await firstOf([Promise.all(inFlight.values())], recordBatchMs);
    }
  } catch (error) {
    failure.abort(error);
    throw error;
  }
}

/** Waits until the first has ended, at most for `ms`. */
async function firstOf(executions: readonly Promise<unknown>[], ms: number): Promise<void> {
  const ended = new AbortController();
  const timeout = wait(ms, undefined, { signal: ended.signal }).catch(() => undefined);
  try {
    await Promise.race([...executions, timeout]);
  } finally {
    ended.abort();
  }
}
