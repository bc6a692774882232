import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadOnce } from './load-once.ts';

describe('loadOnce', () => {
  test('loads once for callers at the same time and later ones', async () => {
    let loads = 0;
    const load = loadOnce(async () => ++loads);
    assert.deepEqual(await Promise.all([load(), load()]), [1, 1]);
    assert.equal(await load(), 1);
  });

  test('a failure reaches all who wait for it, and the next caller loads again', async () => {
    let loads = 0;
    const load = loadOnce(async () => {
      if (++loads === 1) throw new Error('the disk is away');
      return loads;
    });
    const results = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await load(), 2);
  });
});
