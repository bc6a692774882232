/** Dice that fall the same way in every run, and yet are dice. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { integerBetween, hashToFraction } from './hash-to-fraction.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => hashToFraction(0, `release ${i}`));

/** How far counts are from equal ones, in standard deviations of what chance alone would do. */
function unevenness(values: readonly number[], buckets: number): number {
  const counts = Array.from({ length: buckets }, () => 0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  const expected = values.length / buckets;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return (chiSquare - (buckets - 1)) / Math.sqrt(2 * (buckets - 1));
}

describe('dice', () => {
  /** Computed by another program: a change of these changes what partners’ scenarios do. */
  const golden: readonly [parts: readonly (string | number)[], thrown: number][] = [
    [[], 0.6689221884589642],
    [[''], 0.6689221884589642],
    [[0, 'aurora', 'deliver', 'night-drive', 0, 'work'], 0.9926331781316549],
    [[0, 'aurora', 'deliver', 'night-drive', 0, 'chance'], 0.7298217955976725],
    [[1, 'aurora', 'deliver', 'night-drive', 0, 'work'], 0.7638248631265014],
    [[0, 'hanami', 'takedown', '400010000019', 3, 'again 1'], 0.3545131669379771],
    [['Mañana 夜 🎧'], 0.8972921692766249],
  ];
  for (const [parts, thrown] of golden) {
    test(`contract §4: the same ones fall the same way: ${JSON.stringify(parts)}`, () => {
      assert.equal(hashToFraction(...parts), thrown);
    });
  }

  test('fall in [0, 1), whatever they are thrown for', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.integer());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const thrown = hashToFraction(...parts);
        assert.ok(thrown >= 0 && thrown < 1, String(thrown));
        assert.equal(hashToFraction(...parts), thrown);
      }),
    );
  });

  test('know where one part ends and the next begins', () => {
    assert.notEqual(hashToFraction('ab', 'c'), hashToFraction('a', 'bc'));
    assert.notEqual(hashToFraction('ab'), hashToFraction('a', 'b'));
    assert.notEqual(hashToFraction('a', ''), hashToFraction('a'));
    assert.equal(hashToFraction(1, 'a'), hashToFraction('1', 'a'));
  });

  test('are uniform: 100,000 numbered releases over 100 equal parts', () => {
    const parts = numbered(100_000).map((thrown) => Math.floor(thrown * 100));
    const far = unevenness(parts, 100);
    assert.ok(Math.abs(far) < 4, `${far} standard deviations`);
  });

  test('neighbours are independent: each pair of one and the next is as likely', () => {
    const thrown = numbered(100_001);
    const pairs = thrown
      .slice(1)
      .map((next, i) => Math.floor((thrown[i] ?? 0) * 10) * 10 + Math.floor(next * 10));
    const far = unevenness(pairs, 100);
    assert.ok(Math.abs(far) < 4, `${far} standard deviations`);
  });

  test('so are the seeds, the steps and the questions of one release', () => {
    const pairsOf = (throwBoth: (i: number) => readonly [number, number]) =>
      Array.from({ length: 50_000 }, (_, i) => {
        const [one, other] = throwBoth(i);
        return Math.floor(one * 10) * 10 + Math.floor(other * 10);
      });
    const ways: Readonly<Record<string, (i: number) => readonly [number, number]>> = {
      seeds: (i) => [hashToFraction(i, 'aurora', 'work'), hashToFraction(i + 1, 'aurora', 'work')],
      steps: (i) => [hashToFraction(0, `r${i}`, 0, 'work'), hashToFraction(0, `r${i}`, 1, 'work')],
      questions: (i) => [
        hashToFraction(0, `r${i}`, 0, 'work'),
        hashToFraction(0, `r${i}`, 0, 'chance'),
      ],
      stores: (i) => [hashToFraction(0, 'aurora', `r${i}`), hashToFraction(0, 'cascade', `r${i}`)],
    };
    for (const [way, throwBoth] of Object.entries(ways)) {
      const far = unevenness(pairsOf(throwBoth), 100);
      assert.ok(Math.abs(far) < 4, `${way}: ${far} standard deviations`);
    }
  });
});

describe('a number between two', () => {
  test('is whole, from the first on and below the second', () => {
    assert.equal(integerBetween(60_000, 3_600_000, 0), 60_000);
    assert.equal(integerBetween(60_000, 3_600_000, 0.5), 1_830_000);
    assert.equal(integerBetween(60_000, 3_600_000, 1 - 2 ** -32), 3_599_999);
    fc.assert(
      fc.property(
        fc.nat(1_000_000_000),
        // A second at least: of a few milliseconds far from zero, a float may round up to the end.
        fc.integer({ min: 1_000, max: 1_000_000_000 }),
        fc.nat(2 ** 31 - 1),
        (min, width, thrown) => {
          const value = integerBetween(min, min + width, thrown / 2 ** 31);
          assert.ok(Number.isInteger(value) && value >= min && value < min + width);
        },
      ),
    );
  });

  test('is the first where there is nothing between them', () => {
    assert.equal(integerBetween(5, 5, 0.9), 5);
  });
});
