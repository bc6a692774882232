import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { isWellFormedKey, keyRandomBytes, makeKey } from './api-key.ts';
import { isLicensedFor } from './organization.ts';
import { splitIntoBlocks, rangeOfPrefix } from './upc-range.ts';

describe('API keys', () => {
  test('contract §5: every generated key is well formed; with one character changed it is not', () => {
    for (let i = 0; i < 50; i++) {
      const key = makeKey('live', randomBytes(keyRandomBytes), crc32);
      assert.match(key, /^ta_live_[0-9A-Za-z]{36}$/);
      assert.ok(isWellFormedKey(key, crc32));
      const at = 8 + (i % 36);
      const changed = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1);
      assert.ok(!isWellFormedKey(changed, crc32), changed);
    }
  });

  test('too few random bytes are an error, not a short key', () => {
    assert.throws(() => makeKey('live', new Uint8Array(29), crc32), RangeError);
    assert.throws(() => makeKey('live', new Uint8Array(64).fill(255), crc32), RangeError);
  });
});

describe('UPC ranges', () => {
  test('a company prefix of 6 to 10 digits owns the numbers that begin with it', () => {
    assert.deepEqual(rangeOfPrefix('860001'), { first: 86_000_100_000, last: 86_000_199_999 });
    assert.deepEqual(rangeOfPrefix('0000000001'), { first: 10, last: 19 });
    for (const bad of ['', '12345', '12345678901', '86000a', '-86000', '8600 1']) {
      assert.equal(rangeOfPrefix(bad), undefined, bad);
    }
  });

  test('blocks cover a range exactly, without overlap, sixteen at most', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 100_000 }), (first, size) => {
        const blocks = splitIntoBlocks({ first, last: first + size - 1 });
        assert.ok(blocks.length >= 1 && blocks.length <= 16);
        assert.equal(blocks[0]?.first, first);
        assert.equal(blocks.at(-1)?.last, first + size - 1);
        blocks
          .slice(1)
          .forEach((block, i) => assert.equal(block.first, (blocks[i]?.last ?? 0) + 1));
        for (const block of blocks) assert.ok(block.first <= block.last);
      }),
    );
  });
});

test('WORLD licenses every territory, a list only the territories in it', () => {
  assert.ok(isLicensedFor(['WORLD'], 'DE'));
  assert.ok(isLicensedFor(['DE', 'AT'], 'AT'));
  assert.ok(!isLicensedFor(['DE', 'AT'], 'US'));
});
