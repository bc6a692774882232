/** The hash is the same in every run, and its values are distributed like random ones. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { integerBetween, hashToFraction } from './hash-to-fraction.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, i) => hashToFraction(0, `release ${i}`));

/** How far the counts are from equal, in standard deviations of the chi-square distribution. */
function unevenness(values: readonly number[], buckets: number): number {
  const counts = Array.from({ length: buckets }, () => 0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  const expected = values.length / buckets;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  return (chiSquare - (buckets - 1)) / Math.sqrt(2 * (buckets - 1));
}

describe('hashToFraction', () => {
  /** Computed by another program. A different value changes the outcome of partners’ scenarios. */
  const golden: readonly [parts: readonly (string | number)[], fraction: number][] = [
    [[], 0.6689221884589642],
    [[''], 0.6689221884589642],
    [[0, 'aurora', 'deliver', 'night-drive', 0, 'work'], 0.9926331781316549],
    [[0, 'aurora', 'deliver', 'night-drive', 0, 'chance'], 0.7298217955976725],
    [[1, 'aurora', 'deliver', 'night-drive', 0, 'work'], 0.7638248631265014],
    [[0, 'hanami', 'takedown', '400010000019', 3, 'again 1'], 0.3545131669379771],
    [['Mañana 夜 🎧'], 0.8972921692766249],
  ];
  for (const [parts, fraction] of golden) {
    test(`contract §4: the same values give the same outcome: ${JSON.stringify(parts)}`, () => {
      assert.equal(hashToFraction(...parts), fraction);
    });
  }

  test('is in [0, 1) for every input', () => {
    const part = fc.oneof(fc.string({ unit: 'binary' }), fc.integer());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const fraction = hashToFraction(...parts);
        assert.ok(fraction >= 0 && fraction < 1, String(fraction));
        assert.equal(hashToFraction(...parts), fraction);
      }),
    );
  });

  test('distinguishes where one argument ends and the next begins', () => {
    assert.notEqual(hashToFraction('ab', 'c'), hashToFraction('a', 'bc'));
    assert.notEqual(hashToFraction('ab'), hashToFraction('a', 'b'));
    assert.notEqual(hashToFraction('a', ''), hashToFraction('a'));
    assert.equal(hashToFraction(1, 'a'), hashToFraction('1', 'a'));
  });

  test('is uniform: 100,000 numbered releases over 100 equal buckets', () => {
    const buckets = numbered(100_000).map((fraction) => Math.floor(fraction * 100));
    const far = unevenness(buckets, 100);
    assert.ok(Math.abs(far) < 4, `${far} standard deviations`);
  });

  test('neighbours are independent: every pair of neighbours is equally likely', () => {
    const fractions = numbered(100_001);
    const pairs = fractions
      .slice(1)
      .map((next, i) => Math.floor((fractions[i] ?? 0) * 10) * 10 + Math.floor(next * 10));
    const far = unevenness(pairs, 100);
    assert.ok(Math.abs(far) < 4, `${far} standard deviations`);
  });

  test('seeds, steps, purposes and stores of one release are independent', () => {
    const pairsOf = (bothOf: (i: number) => readonly [number, number]) =>
      Array.from({ length: 50_000 }, (_, i) => {
        const [one, other] = bothOf(i);
        return Math.floor(one * 10) * 10 + Math.floor(other * 10);
      });
    const ways: Readonly<Record<string, (i: number) => readonly [number, number]>> = {
      seeds: (i) => [hashToFraction(i, 'aurora', 'work'), hashToFraction(i + 1, 'aurora', 'work')],
      steps: (i) => [hashToFraction(0, `r${i}`, 0, 'work'), hashToFraction(0, `r${i}`, 1, 'work')],
      purposes: (i) => [
        hashToFraction(0, `r${i}`, 0, 'work'),
        hashToFraction(0, `r${i}`, 0, 'chance'),
      ],
      stores: (i) => [hashToFraction(0, 'aurora', `r${i}`), hashToFraction(0, 'cascade', `r${i}`)],
    };
    for (const [way, bothOf] of Object.entries(ways)) {
      const far = unevenness(pairsOf(bothOf), 100);
      assert.ok(Math.abs(far) < 4, `${way}: ${far} standard deviations`);
    }
  });
});

describe('integerBetween', () => {
  test('is an integer in [min, max)', () => {
    assert.equal(integerBetween(60_000, 3_600_000, 0), 60_000);
    assert.equal(integerBetween(60_000, 3_600_000, 0.5), 1_830_000);
    assert.equal(integerBetween(60_000, 3_600_000, 1 - 2 ** -32), 3_599_999);
    fc.assert(
      fc.property(
        fc.nat(1_000_000_000),
        // At least 1,000 wide: in a narrow range far from zero, a float may round up to the maximum.
        fc.integer({ min: 1_000, max: 1_000_000_000 }),
        fc.nat(2 ** 31 - 1),
        (min, width, numerator) => {
          const value = integerBetween(min, min + width, numerator / 2 ** 31);
          assert.ok(Number.isInteger(value) && value >= min && value < min + width);
        },
      ),
    );
  });

  test('is min if min equals max', () => {
    assert.equal(integerBetween(5, 5, 0.9), 5);
  });
});
