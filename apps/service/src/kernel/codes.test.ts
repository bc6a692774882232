/** UPC and ISRC against generated codes: valid ones by the definitions of the standards, and variations of each. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isIsrc, parseIsrc, showIsrc } from './isrc.ts';
import { isUpc } from './upc.ts';

const runs = 2_000;
const digit = fc.constantFrom(...Array.from('0123456789'));
const letter = fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ'));
const alphanumeric = fc.oneof(letter, digit);
const text = (unit: fc.Arbitrary<string>, length: number) =>
  fc.array(unit, { minLength: length, maxLength: length }).map((units) => units.join(''));

/** GS1: the digits in odd places count threefold; all of them with the check digit make a multiple of ten. */
const gs1Sum = (code: string): number =>
  Array.from(code, Number).reduce((sum, each, i) => sum + each * (i % 2 === 0 ? 3 : 1), 0);

const upc = text(digit, 11).map((body) => {
  const last = Array.from({ length: 10 }, (_, i) => String(i)).find(
    (each) => gs1Sum(body + each) % 10 === 0,
  );
  return body + last;
});

const isrc = fc
  .tuple(text(letter, 2), text(alphanumeric, 3), text(digit, 2), text(digit, 5))
  .map((parts) => parts.join(''));

describe('UPC, contract §2', () => {
  test(`${runs} generated codes are valid`, () => {
    fc.assert(
      fc.property(upc, (code) => isUpc(code)),
      { numRuns: runs },
    );
  });

  test(`${runs} codes with one digit changed are not`, () => {
    fc.assert(
      fc.property(upc, fc.nat(11), fc.integer({ min: 1, max: 9 }), (code, at, by) => {
        const changed = String((Number(code[at]) + by) % 10);
        return !isUpc(code.slice(0, at) + changed + code.slice(at + 1));
      }),
      { numRuns: runs },
    );
  });

  test(`${runs} codes with two neighbours exchanged are not, except those whose check digit is the same`, () => {
    fc.assert(
      fc.property(upc, fc.nat(10), (code, at) => {
        const [one = '', two = ''] = code.slice(at, at + 2);
        const exchanged = code.slice(0, at) + two + one + code.slice(at + 2);
        // 3a + b and 3b + a have the same remainder if a and b differ by five.
        const isSameSum = Math.abs(Number(one) - Number(two)) % 5 === 0;
        return isUpc(exchanged) === isSameSum;
      }),
      { numRuns: runs },
    );
  });

  test(`${runs} codes cut, lengthened or with anything but digits are not`, () => {
    const mutations: readonly ((code: string) => string)[] = [
      (code) => code.slice(1),
      (code) => code.slice(0, -1),
      (code) => `0${code}`,
      (code) => `${code}0`,
      (code) => ` ${code}`,
      (code) => `${code}\n`,
      (code) => `${code.slice(0, 6)}-${code.slice(6)}`,
      (code) => code.replace(/\d/, 'O'),
      (code) => code.replace(/\d/, '٣'),
    ];
    fc.assert(
      fc.property(upc, fc.constantFrom(...mutations), (code, mutate) => !isUpc(mutate(code))),
      { numRuns: runs },
    );
  });
});

describe('ISRC, spec §7 and contract §2', () => {
  test(`${runs} generated codes are understood with and without hyphens, and shown with them`, () => {
    fc.assert(
      fc.property(isrc, (code) => {
        const shown = `${code.slice(0, 2)}-${code.slice(2, 5)}-${code.slice(5, 7)}-${code.slice(7)}`;
        assert.ok(isIsrc(code));
        assert.equal(parseIsrc(code), code);
        assert.equal(parseIsrc(shown), code);
        assert.equal(showIsrc(code), shown);
      }),
      { numRuns: runs },
    );
  });

  test(`${runs} changed ones are not`, () => {
    const mutations: readonly ((code: string) => string)[] = [
      (code) => code.slice(1),
      (code) => code.slice(0, -1),
      (code) => `${code}0`,
      (code) => ` ${code}`,
      (code) => `${code}\n`,
      (code) => code.toLowerCase(),
      (code) => `1${code.slice(1)}`,
      (code) => `${code.slice(0, 1)}9${code.slice(2)}`,
      (code) => `${code.slice(0, 5)}A${code.slice(6)}`,
      (code) => `${code.slice(0, 11)}X`,
      (code) => `${code.slice(0, 2)}-${code.slice(2)}`,
      (code) => `${code.slice(0, 5)}-${code.slice(5)}`,
      (code) => showIsrc(code).replaceAll('-', '–'),
      (code) => showIsrc(code).replaceAll('-', ' '),
      (code) => showIsrc(code).replace('-', ''),
      (code) => code.replace(/\d$/, '٣'),
    ];
    fc.assert(
      fc.property(isrc, fc.constantFrom(...mutations), (code, mutate) => {
        return parseIsrc(mutate(code)) === undefined;
      }),
      { numRuns: runs },
    );
  });
});
