import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packKey } from './packed-key.ts';

const field = (name: string, size: number) => ({ name, value: name, size });

test('a key is packed into one number, the first field first', () => {
  const { pack, unpack, columns } = packKey([field('a', 7), field('b', 10), field('c', 3)]);
  assert.deepEqual(columns, ['k0']);
  assert.deepEqual(pack, ['(((a)::bigint) * 10 + (b)) * 3 + (c) as k0']);
  assert.equal(unpack.get('a'), '(k0 // 30 % 7)');
  assert.equal(unpack.get('b'), '(k0 // 3 % 10)');
  assert.equal(unpack.get('c'), '(k0 // 1 % 3)');
});

test('a key that does not fit into one number continues in the next', () => {
  const { unpack, columns } = packKey([field('a', 2 ** 31), field('b', 2 ** 31), field('c', 2)]);
  assert.deepEqual(columns, ['k0', 'k1']);
  assert.equal(unpack.get('c'), '(k1 // 1 % 2)');
});
