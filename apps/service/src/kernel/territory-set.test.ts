import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  packTerritories,
  setOfPacked,
  toTerritorySet,
  unpackTerritories,
} from './territory-set.ts';
import { territoryCodes, world, worldwide } from './territory.ts';

const subsets = fc.shuffledSubarray([...territoryCodes]);
const bitsIn = (packed: Uint8Array): number =>
  packed.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

describe('sets of territories', () => {
  test('survive the round trip, in any order of codes', () => {
    fc.assert(
      fc.property(subsets, (codes) => {
        const packed = packTerritories(codes);
        assert.equal(packed.length, 32);
        assert.equal(bitsIn(packed), codes.length);
        const codeSet = new Set(codes);
        assert.deepEqual(
          unpackTerritories(packed),
          territoryCodes.filter((code) => codeSet.has(code)),
        );
        assert.equal(setOfPacked(packed), toTerritorySet(codes));
      }),
      { numRuns: 1_000 },
    );
  });

  test('of one code are all different, and the set of all codes is the world', () => {
    const alone = territoryCodes.map((code) => packTerritories([code]));
    for (const [i, packed] of alone.entries())
      assert.deepEqual(unpackTerritories(packed), [territoryCodes[i]]);
    assert.equal(new Set(alone.map((packed) => Buffer.from(packed).toString('hex'))).size, 249);
    assert.deepEqual(unpackTerritories(packTerritories(territoryCodes)), territoryCodes);
    assert.deepEqual(unpackTerritories(packTerritories([])), []);
  });

  test('contain a repeated code once', () => {
    fc.assert(
      fc.property(subsets, (codes) => {
        assert.deepEqual(packTerritories([...codes, ...codes]), packTerritories(codes));
      }),
    );
  });

  test('refuse texts that are not codes, also WORLD and WORLDWIDE', () => {
    for (const code of [world, worldwide, 'XX', 'de', '', 'UK'])
      assert.throws(() => packTerritories(['DE', code]), TypeError, code);
  });

  test('are stored by position, so positions never change: a new code goes to the end', () => {
    // If this fails, stored sets mean other territories. Restore the order; do not change the expected value.
    const sha256 = createHash('sha256')
      .update(territoryCodes.slice(0, 249).join(' '))
      .digest('hex');
    assert.equal(sha256, 'e1c950d24ceb933ac49eaa44de8d1a7ffb6bf40bfe519a5a99d791cb50332197');
    assert.equal(new Set(territoryCodes).size, territoryCodes.length);
    assert.ok(territoryCodes.length <= 32 * 8, 'every code has a bit');
    assert.equal(
      Buffer.from(packTerritories(['AD', 'DE', 'SE', 'US', 'ZW'])).toString('hex'),
      '0100000000000001000000000000000000000000000000001000000000010001',
    );
  });
});
