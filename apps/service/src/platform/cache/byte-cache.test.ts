import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createByteCache } from './byte-cache.ts';

function counted(bytesMax: number) {
  const loads: string[] = [];
  const cache = createByteCache<Buffer>(bytesMax);
  const get = (key: string, sizeBytes: number) =>
    cache(key, async () => {
      loads.push(key);
      return Buffer.alloc(sizeBytes);
    });
  return { loads, get, cache };
}

describe('a cache of bytes', () => {
  test('loads an entry once, also for readers that ask together', async () => {
    const { loads, get } = counted(100);
    const [one, other] = await Promise.all([get('a', 10), get('a', 10)]);
    assert.equal(one, other);
    assert.equal(await get('a', 10), one);
    assert.deepEqual(loads, ['a']);
  });

  test('drops the entries that were used longest ago when there are too many bytes', async () => {
    const { loads, get } = counted(100);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key, 40);
    assert.deepEqual(loads, ['a', 'b', 'c', 'b'], 'a was used in between');
    await get('large', 100);
    for (const key of ['a', 'b', 'c']) await get(key, 10);
    assert.deepEqual(loads.slice(4), ['large', 'a', 'b', 'c']);
  });

  test('does not keep an entry that is larger than the cache, nor drops others for it', async () => {
    const { loads, get } = counted(100);
    for (const key of ['a', 'larger', 'larger', 'a']) await get(key, key === 'a' ? 10 : 101);
    assert.deepEqual(loads, ['a', 'larger', 'larger']);
  });

  test('does not keep a failure', async () => {
    const { get, cache } = counted(100);
    const failing = () => Promise.reject(new Error('not now'));
    await assert.rejects(cache('a', failing), /not now/);
    assert.equal((await get('a', 1)).length, 1);
  });
});
