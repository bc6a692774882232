import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createFairQueue, type FairQueue, QueueFull, type ReleaseCapacity } from './fair-queue.ts';

/** The requests that were started, in order, each with its release function. */
function watch(queue: FairQueue) {
  const begun: string[] = [];
  const running: ReleaseCapacity[] = [];
  const ask = (key: string, name = key, size = 1): void => {
    void (async () => {
      const release = await queue.acquire(key, { size });
      begun.push(name);
      running.push(release);
    })();
  };
  const endOne = async (): Promise<void> => {
    running.shift()?.();
    await tick();
  };
  return { begun, running, ask, endOne };
}

describe('a fair queue', () => {
  test('one key never has more than its share, all together never more than the total', async () => {
    const { begun, running, ask, endOne } = watch(createFairQueue({ total: 5, perKey: 3 }));
    for (let i = 0; i < 100; i++) ask('a');
    await tick();
    assert.equal(running.length, 3);
    for (let i = 0; i < 100; i++) ask('b');
    await tick();
    assert.equal(running.length, 5);
    for (let i = 0; i < 195; i++) await endOne();
    assert.equal(begun.length, 200, 'and none is lost');
    assert.ok(running.length <= 5);
  });

  test('a key behind thousands of another key is next, and then the keys alternate', async () => {
    const { begun, ask, endOne } = watch(createFairQueue({ total: 1, perKey: 1 }));
    for (let i = 0; i < 3_000; i++) ask('a', `a${i}`);
    await tick();
    for (const name of ['b0', 'b1']) ask('b', name);
    ask('c', 'c0');
    await tick();
    for (let i = 0; i < 6; i++) await endOne();
    // a1 was waiting before b and c arrived.
    assert.deepEqual(begun, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3']);
  });

  test('a key at its share does not block the others', async () => {
    const { begun, ask } = watch(createFairQueue({ total: 10, perKey: 1 }));
    for (const key of ['a', 'a', 'b', 'a', 'c']) ask(key);
    await tick();
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  test('sizes count, a large request is not overtaken for ever, and one that is too large gets the total', async () => {
    const { begun, running, ask, endOne } = watch(createFairQueue({ total: 10, perKey: 10 }));
    ask('a', 'small', 4);
    ask('b', 'huge', 1_000);
    ask('c', 'late', 1);
    await tick();
    assert.deepEqual(begun, ['small']);
    await endOne();
    assert.deepEqual(begun, ['small', 'huge']);
    await endOne();
    assert.deepEqual(begun, ['small', 'huge', 'late']);
    assert.equal(running.length, 1);
  });

  test('an aborted request leaves the queue, and those behind it pass', async () => {
    const queue = createFairQueue({ total: 1, perKey: 1 });
    const release = await queue.acquire('a');
    const leaving = new AbortController();
    const reason = new Error('leaving');
    const gone = queue.acquire('b', { signal: leaving.signal });
    const next = queue.acquire('b');
    leaving.abort(reason);
    await assert.rejects(gone, reason);
    await assert.rejects(queue.acquire('b', { signal: leaving.signal }), reason);
    release();
    release();
    (await next)();
    (await queue.acquire('a'))();
  });

  test('more requests of a key than may wait are rejected; those of another key wait', async () => {
    const queue = createFairQueue({ total: 1, perKey: 1, waitingPerKey: 2 });
    const release = await queue.acquire('a');
    const waiting = [queue.acquire('a'), queue.acquire('a')];
    await assert.rejects(queue.acquire('a'), QueueFull);
    const other = queue.acquire('b');
    release();
    (await waiting[0])?.();
    (await other)();
    (await waiting[1])?.();
    (await queue.acquire('a'))();
  });

  test('tryAcquire takes what is free, and does not overtake', async () => {
    const queue = createFairQueue({ total: 2, perKey: 1 });
    const release = queue.tryAcquire('a');
    assert.ok(release !== undefined);
    assert.equal(queue.tryAcquire('a'), undefined, 'its share is taken');
    const waiting = queue.acquire('a');
    const other = queue.tryAcquire('b');
    assert.ok(other !== undefined);
    assert.equal(queue.tryAcquire('c'), undefined, 'nothing is free');
    release();
    (await waiting)();
    other();
    queue.tryAcquire('a')?.();
    assert.ok(queue.tryAcquire('a') !== undefined, 'a release gives back what it took');
  });
});
