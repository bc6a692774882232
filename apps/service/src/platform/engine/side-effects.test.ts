import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../db/database.ts';
import { type Executed, runSideEffects } from './side-effects.ts';

/** No errand of these tests touches it. */
const tx = {} as Tx;
const signal = new AbortController().signal;
const transact = <T>(work: (given: Tx) => Promise<T>): Promise<T> => work(tx);

/** So many at once, from a list; what was noted together is kept together. */
function openDesk(list: readonly string[], atOnce: number) {
  const open = new Set(list);
  const notes: string[][] = [];
  return {
    open,
    notes,
    look: async (_tx: Tx, underway: readonly string[]) =>
      [...open]
        .filter((item) => !underway.includes(item))
        .slice(0, Math.max(0, atOnce - underway.length)),
    note: async (_tx: Tx, done: readonly Executed<string, unknown>[]) => {
      notes.push(done.map(({ item }) => item));
      for (const { item } of done) open.delete(item);
    },
  };
}

describe('errands', () => {
  test('all of them are done once, no more at once than there is room, and noted together', async () => {
    const list = Array.from({ length: 100 }, (_, i) => `item ${i}`);
    const desk = openDesk(list, 8);
    let underway = 0;
    let most = 0;
    const gone: string[] = [];
    const isUnfinished = await runSideEffects(
      { transact, signal },
      {
        claim: desk.look,
        record: desk.note,
        execute: async (item) => {
          most = Math.max(most, ++underway);
          gone.push(item);
          await wait(2);
          underway--;
        },
      },
    );
    assert.equal(isUnfinished, false);
    assert.deepEqual(gone.toSorted(), list.toSorted());
    assert.equal(most, 8);
    assert.ok(desk.notes.length < 50, `${desk.notes.length} transactions for 100 errands`);
  });

  test('one that takes long keeps its place, and the others go on', async () => {
    const desk = openDesk(['slow', 'a', 'b', 'c', 'd', 'e', 'f'], 2);
    const { promise: slow, resolve: end } = Promise.withResolvers<void>();
    await runSideEffects(
      { transact, signal },
      {
        claim: desk.look,
        record: async (given, done) => {
          await desk.note(given, done);
          if (desk.open.size === 1) end();
        },
        execute: (item) => (item === 'slow' ? slow : wait(1)),
      },
    );
    assert.deepEqual(desk.notes.at(-1), ['slow'], 'it came last, though it was first');
  });

  test('what is added while one hangs is found soon', async () => {
    const desk = openDesk(['hanging'], 2);
    const { promise: hanging, resolve: end } = Promise.withResolvers<void>();
    const begun = performance.now();
    const foundAfter: number[] = [];
    setTimeout(() => desk.open.add('later'), 50);
    await runSideEffects(
      { transact, signal },
      {
        claim: desk.look,
        record: desk.note,
        execute: async (item) => {
          if (item === 'hanging') return hanging;
          foundAfter.push(performance.now() - begun);
          end();
        },
      },
    );
    assert.equal(foundAfter.length, 1);
    assert.ok((foundAfter[0] ?? 0) < 2_000, `${foundAfter[0]} ms`);
  });

  test('what comes back while others are noted is not found again', async () => {
    const desk = openDesk(['quick', 'late'], 2);
    const { promise: late, resolve: end } = Promise.withResolvers<void>();
    const gone: string[] = [];
    await runSideEffects(
      { transact, signal },
      {
        claim: desk.look,
        record: async (given, done) => {
          end();
          await late;
          await wait(1);
          await desk.note(given, done);
        },
        execute: async (item) => {
          gone.push(item);
          if (item === 'late') await late;
        },
      },
    );
    assert.deepEqual(gone, ['quick', 'late']);
  });

  test('when the notes fail, those under way are called back', async () => {
    const desk = openDesk(['quick', 'slow'], 2);
    let isCalledBack = false;
    await assert.rejects(
      runSideEffects(
        { transact, signal },
        {
          claim: desk.look,
          record: () => Promise.reject(new Error('no database')),
          execute: async (item, given) => {
            if (item === 'quick') return;
            await wait(60_000, undefined, { signal: given }).catch((error: unknown) => {
              isCalledBack = true;
              throw error;
            });
          },
        },
      ),
      /no database/,
    );
    await wait(1);
    assert.ok(isCalledBack);
  });

  test('whoever has given up is not kept waiting', async () => {
    const desk = openDesk(['slow'], 1);
    const controller = new AbortController();
    const run = runSideEffects(
      { transact, signal: controller.signal },
      {
        claim: desk.look,
        record: desk.note,
        execute: (_item, given) => wait(60_000, undefined, { signal: given }),
      },
    );
    controller.abort();
    await assert.rejects(run, { name: 'AbortError' });
    assert.deepEqual(desk.notes, []);
  });

  test('after a while it looks for no more, and says that there may be', async (t) => {
    let now = 0;
    const clock = t.mock.method(performance, 'now', () => now);
    const desk = openDesk(['a', 'b', 'c', 'd'], 1);
    const isUnfinished = await runSideEffects(
      { transact, signal },
      {
        claim: desk.look,
        record: async (given, done) => {
          await desk.note(given, done);
          now += 90_000;
        },
        execute: async () => undefined,
      },
    );
    clock.mock.restore();
    assert.equal(isUnfinished, true);
    assert.deepEqual([...desk.open], ['d'], '90 s each, and 120 are enough');
  });
});
