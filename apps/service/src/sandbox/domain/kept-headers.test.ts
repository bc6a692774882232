import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keptHeaders } from './kept-headers.ts';

describe('keptHeaders', () => {
  test('joins several values of one name', () => {
    assert.deepEqual(keptHeaders({ via: ['a', 'b'], host: 'x', none: undefined }), {
      via: 'a, b',
      host: 'x',
    });
  });

  test('drops credentials', () => {
    const secrets = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie', 'x-api-key'];
    const sent = Object.fromEntries([...secrets, 'x-svc-event'].map((name) => [name, 'x']));
    assert.deepEqual(keptHeaders(sent), { 'x-svc-event': 'x' });
  });

  test('keeps at most 64', () => {
    const sent = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`x-${i}`, '1']));
    assert.equal(Object.keys(keptHeaders(sent)).length, 64);
  });

  test('keeps 8 KiB in all: a header that does not fit is left out, a smaller one after it is kept', () => {
    const long = 'y'.repeat(8 * 1024 - 'long'.length - 'tiny1'.length);
    assert.deepEqual(keptHeaders({ long, longer: 'z', tiny: '1' }), { long, tiny: '1' });
  });
});
