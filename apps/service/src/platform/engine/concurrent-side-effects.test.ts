import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../db/database.ts';
import { type Executed, runSideEffects } from './concurrent-side-effects.ts';

/** No side effect of these tests uses it. */
const noTx = {} as Tx;
const signal = new AbortController().signal;
const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => work(noTx);

/** Items from a list, at most `atOnce` in flight. `batches` has the items that were recorded together. */
function openQueue(list: readonly string[], atOnce: number) {
  const open = new Set(list);
  const batches: string[][] = [];
  return {
    open,
    batches,
    claim: async (_tx: Tx, inFlight: readonly string[]) =>
      [...open]
        .filter((item) => !inFlight.includes(item))
        .slice(0, Math.max(0, atOnce - inFlight.length)),
    record: async (_tx: Tx, executed: readonly Executed<string, unknown>[]) => {
      batches.push(executed.map(({ item }) => item));
      for (const { item } of executed) open.delete(item);
    },
  };
}

describe('concurrent side effects', () => {
  test('each is executed once, no more at once than the limit, and results are recorded together', async () => {
    const list = Array.from({ length: 100 }, (_, i) => `item ${i}`);
    const queue = openQueue(list, 8);
    let inFlight = 0;
    let most = 0;
    const executed: string[] = [];
    const isUnfinished = await runSideEffects(
      { transact, signal },
      {
        claim: queue.claim,
        record: queue.record,
        execute: async (item) => {
          most = Math.max(most, ++inFlight);
          executed.push(item);
          await wait(2);
          inFlight--;
        },
      },
    );
    assert.equal(isUnfinished, false);
    assert.deepEqual(executed.toSorted(), list.toSorted());
    assert.equal(most, 8);
    assert.ok(
      queue.batches.length < 50,
      `${queue.batches.length} transactions for 100 side effects`,
    );
  });

  test('a slow one keeps its place while the others are executed', async () => {
    const queue = openQueue(['slow', 'a', 'b', 'c', 'd', 'e', 'f'], 2);
    const { promise: slow, resolve: end } = Promise.withResolvers<void>();
    await runSideEffects(
      { transact, signal },
      {
        claim: queue.claim,
        record: async (tx, executed) => {
          await queue.record(tx, executed);
          if (queue.open.size === 1) end();
        },
        execute: (item) => (item === 'slow' ? slow : wait(1)),
      },
    );
    assert.deepEqual(queue.batches.at(-1), ['slow'], 'recorded last, though claimed first');
  });

  test('an item added while another hangs is claimed soon', async () => {
    const queue = openQueue(['hanging'], 2);
    const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
    const begun = performance.now();
    const claimedAfter: number[] = [];
    setTimeout(() => queue.open.add('later'), 50);
    await runSideEffects(
      { transact, signal },
      {
        claim: queue.claim,
        record: queue.record,
        execute: async (item) => {
          if (item === 'hanging') return hanging;
          claimedAfter.push(performance.now() - begun);
          end();
        },
      },
    );
    assert.equal(claimedAfter.length, 1);
    assert.ok((claimedAfter[0] ?? 0) < 20_000, `${claimedAfter[0]} ms`);
  });

  test('an item that ends while others are recorded is not claimed again', async () => {
    const queue = openQueue(['quick', 'late'], 2);
    const { promise: late, resolve: end } = Promise.withResolvers<void>();
    const begun: string[] = [];
    await runSideEffects(
      { transact, signal },
      {
        claim: queue.claim,
        record: async (tx, executed) => {
          end();
          await late;
          await wait(1);
          await queue.record(tx, executed);
        },
        execute: async (item) => {
          begun.push(item);
          if (item === 'late') await late;
        },
      },
    );
    assert.deepEqual(begun, ['quick', 'late']);
  });

  test('when recording fails, those in flight are aborted', async () => {
    const queue = openQueue(['quick', 'slow'], 2);
    let isAborted = false;
    await assert.rejects(
      runSideEffects(
        { transact, signal },
        {
          claim: queue.claim,
          record: () => Promise.reject(new Error('no database')),
          execute: async (item, itemSignal) => {
            if (item === 'quick') return;
            await wait(60_000, undefined, { signal: itemSignal }).catch((error: unknown) => {
              isAborted = true;
              throw error;
            });
          },
        },
      ),
      /no database/,
    );
    await wait(1);
    assert.ok(isAborted);
  });

  test('an aborted attempt rejects at once and records nothing', async () => {
    const queue = openQueue(['slow'], 1);
    const controller = new AbortController();
    const run = runSideEffects(
      { transact, signal: controller.signal },
      {
        claim: queue.claim,
        record: queue.record,
        execute: (_item, itemSignal) => wait(60_000, undefined, { signal: itemSignal }),
      },
    );
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' });
    assert.deepEqual(queue.batches, []);
  });

  test('after 120 s it claims nothing more, and returns that there may be more', async (t) => {
    let now = 0;
    const clock = t.mock.method(performance, 'now', () => now);
    const queue = openQueue(['a', 'b', 'c', 'd'], 1);
    const isUnfinished = await runSideEffects(
      { transact, signal },
      {
        claim: queue.claim,
        record: async (tx, executed) => {
          await queue.record(tx, executed);
          now += 90_000;
        },
        execute: async () => undefined,
      },
    );
    clock.mock.restore();
    assert.equal(isUnfinished, true);
    assert.deepEqual([...queue.open], ['d'], '90 s each, and 120 are enough');
  });
});
