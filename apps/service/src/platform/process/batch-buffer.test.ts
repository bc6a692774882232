import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { createBatchBuffer } from './batch-buffer.ts';

function openBuffer(write: (batch: readonly number[]) => Promise<void>, everyMs?: number) {
  const dropped: number[] = [];
  const buffer = createBatchBuffer<number>({
    write,
    sizeOf: () => 1,
    keyOf: () => 'one',
    batchMax: 3,
    batchSizeMax: 3,
    everyMs,
    sizeMax: 10,
    onDropped: (count) => dropped.push(count),
  });
  return { ...buffer, dropped };
}

const addAll = (add: (item: number) => void, count: number) => {
  for (let i = 0; i < count; i++) add(i);
};
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a batch buffer', () => {
  test('writes in order, in batches, what was added before a flush', async () => {
    const batches: (readonly number[])[] = [];
    const { add, flush } = openBuffer(async (batch) => void batches.push(batch));
    addAll(add, 7);
    assert.deepEqual(batches, []);
    await flush();
    assert.deepEqual(batches, [[0, 1, 2], [3, 4, 5], [6]]);
    await flush();
    assert.equal(batches.length, 3);
  });

  test('ends a batch at its size, but writes an item that is larger alone', async () => {
    const batches: (readonly number[])[] = [];
    const { add, flush } = createBatchBuffer<number>({
      write: async (batch) => void batches.push(batch),
      sizeOf: (item) => item,
      keyOf: () => 'one',
      batchMax: 3,
      batchSizeMax: 10,
      everyMs: undefined,
      sizeMax: 100,
      onDropped: () => assert.fail('nothing is dropped'),
    });
    for (const size of [4, 6, 1, 11, 9, 2]) add(size);
    await flush();
    assert.deepEqual(batches, [[4, 6], [1], [11], [9], [2]]);
  });

  test('beyond its size it drops the oldest and counts them', async () => {
    const written: number[] = [];
    const { add, flush, dropped } = openBuffer(async (batch) => void written.push(...batch));
    addAll(add, 15);
    await flush();
    const lost = dropped.reduce((sum, count) => sum + count, 0);
    assert.ok(lost >= 5);
    assert.deepEqual(
      written,
      Array.from({ length: 15 - lost }, (_, i) => i + lost),
    );
  });

  test('beyond its size it drops items of the key that has most, and of no other', async () => {
    const written: string[] = [];
    let droppedCount = 0;
    const { add, flush } = createBatchBuffer<string>({
      write: async (batch) => void written.push(...batch),
      sizeOf: () => 1,
      keyOf: (item) => item.charAt(0),
      batchMax: 100,
      batchSizeMax: 100,
      everyMs: undefined,
      sizeMax: 10,
      onDropped: (count) => (droppedCount += count),
    });
    for (const item of ['a1', 'a2', 'c1']) add(item);
    for (let i = 1; i <= 20; i++) add(`b${i}`);
    await flush();
    assert.deepEqual(written.slice(0, 3), ['a1', 'a2', 'c1']);
    assert.equal(written.at(-1), 'b20', 'the latest of the largest key is kept');
    assert.equal(written.length + droppedCount, 23);
    assert.ok(written.length <= 10);
  });

  test('writes a full batch at once and a partial one after a while, with one timer', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const batches: (readonly number[])[] = [];
      const { add } = openBuffer(async (batch) => void batches.push(batch), 200);
      addAll(add, 4);
      await settle();
      assert.deepEqual(batches, [[0, 1, 2]]);
      mock.timers.tick(199);
      await settle();
      assert.equal(batches.length, 1);
      mock.timers.tick(1);
      await settle();
      assert.deepEqual(batches, [[0, 1, 2], [3]]);
    } finally {
      mock.timers.reset();
    }
  });

  test('one write at a time', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const { add, flush } = openBuffer(async () => {
      most = Math.max(most, ++running);
      await gate.promise;
      running--;
    }, 200);
    addAll(add, 9);
    gate.resolve();
    await flush();
    assert.equal(most, 1);
  });

  test('a failed write is dropped and counted, not repeated; writing goes on after a pause', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let isAway = true;
      const written: number[] = [];
      const write = async (batch: readonly number[]) => {
        if (isAway) throw new Error('away');
        written.push(...batch);
      };
      const { add, dropped } = openBuffer(write, 200);
      addAll(add, 4);
      await settle();
      assert.deepEqual(dropped, [3]);
      isAway = false;
      mock.timers.tick(999);
      await settle();
      assert.deepEqual(written, []);
      mock.timers.tick(1);
      await settle();
      assert.deepEqual(written, [3]);
      addAll(add, 3);
      await settle();
      assert.deepEqual(written, [3, 0, 1, 2]);
    } finally {
      mock.timers.reset();
    }
  });

  test('a flush while writing fails drops everything instead of waiting for each batch', async () => {
    const { add, flush, dropped } = openBuffer(async () => {
      throw new Error('away');
    });
    addAll(add, 9);
    await flush();
    assert.deepEqual(dropped, [3, 6]);
  });
});
