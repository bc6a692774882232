import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createSemaphore } from './semaphore.ts';

/** Work that runs until the test ends it; `begun` has its order. */
function jobs(semaphore: ReturnType<typeof createSemaphore>) {
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  return {
    begun,
    open,
    ask: (key: string, name: string, signal?: AbortSignal): Promise<void> =>
      semaphore(
        key,
        async () => {
          begun.push(name);
          const { promise, resolve } = Promise.withResolvers<void>();
          open.set(name, resolve);
          await promise;
          open.delete(name);
        },
        signal,
      ),
    end: async (name: string): Promise<void> => {
      open.get(name)?.();
      await tick();
    },
  };
}

describe('a semaphore', () => {
  test('never more at once, in the order of one key, also after failures', async () => {
    const semaphore = createSemaphore({ atOnce: 4, perKeyMax: 3 });
    const state = { running: 0, most: 0, begun: [] as number[] };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        semaphore('one', async () => {
          state.begun.push(i);
          state.most = Math.max(state.most, ++state.running);
          await tick();
          state.running--;
          if (i % 7 === 0) throw new Error('no');
          return i;
        }),
      ),
    );
    assert.equal(state.most, 3);
    assert.deepEqual(
      state.begun,
      Array.from({ length: 50 }, (_, i) => i),
    );
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 8);
  });

  test('one key never has all places: another key begins at once', async () => {
    const { ask, begun, end, open } = jobs(createSemaphore({ atOnce: 4 }));
    const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask('a', name));
    await tick();
    assert.deepEqual(begun, ['a1', 'a2', 'a3'], 'three of four');
    all.push(ask('b', 'b1'));
    await tick();
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1']);
    for (let round = 0; round < 6; round++) for (const name of open.keys()) await end(name);
    await Promise.all(all);
  });

  test('waiting keys are served in rotation, whichever has more work', async () => {
    const { ask, begun, end, open } = jobs(createSemaphore({ atOnce: 2 }));
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => ask('a', name));
    all.push(...['b1', 'b2'].map((name) => ask('b', name)), ask('c', 'c1'));
    await tick();
    for (let round = 0; round < 10; round++) {
      const [first] = open.keys();
      if (first !== undefined) await end(first);
    }
    await Promise.all(all);
    assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4']);
  });

  test('work that is aborted while it waits leaves the queue, and its place is not lost', async () => {
    const { ask, begun, end } = jobs(createSemaphore({ atOnce: 1 }));
    const first = ask('a', 'a1');
    const aborting = new AbortController();
    const second = ask('a', 'a2', aborting.signal);
    const third = ask('b', 'b1');
    const late = ask('a', 'a3', AbortSignal.abort(new Error('too late')));
    await assert.rejects(late, /too late/);
    aborting.abort(new Error('given up'));
    await assert.rejects(second, /given up/, 'while the first still runs');
    await end('a1');
    await end('b1');
    await Promise.all([first, third]);
    assert.deepEqual(begun, ['a1', 'b1']);
    const again = ask('a', 'a4');
    await tick();
    await end('a4');
    await again;
  });

  test('work that is aborted when it is admitted passes its place on', async () => {
    const { ask, begun, end } = jobs(createSemaphore({ atOnce: 1 }));
    const first = ask('a', 'a1');
    const aborting = new AbortController();
    const second = assert.rejects(ask('b', 'b1', aborting.signal), /given up/);
    const third = ask('c', 'c1');
    await tick();
    // The abort arrives after b1 got the place and before it runs.
    void first.then(() => aborting.abort(new Error('given up')));
    await end('a1');
    await second;
    await end('c1');
    await Promise.all([first, third]);
    assert.deepEqual(begun, ['a1', 'c1']);
  });
});
