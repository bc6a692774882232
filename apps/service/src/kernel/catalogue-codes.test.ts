/** EAN, ISWC and language tags against generated ones. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseIswc, showIswc } from './iswc.ts';
import { canonicalLanguage } from './language.ts';
import { comparableCode, isEan, productCodeOf, shareProductCode } from './product-code.ts';
import { upcFromNumber } from './upc.ts';

const runs = 2_000;
const digits = (length: number) =>
  fc
    .array(fc.constantFrom(...Array.from('0123456789')), { minLength: length, maxLength: length })
    .map((each) => each.join(''));

/** The one digit that makes a multiple of ten of a weighted sum. */
const closing = (sumOf: (last: number) => number): number =>
  Array.from({ length: 10 }, (_, last) => last).find((last) => sumOf(last) % 10 === 0) ?? 0;

/** GS1: in an EAN the digits in even places count threefold. */
const ean = digits(12).map((body) => {
  const sum = Array.from(body, Number).reduce(
    (total, d, i) => total + d * (i % 2 === 0 ? 1 : 3),
    0,
  );
  return `${body}${closing((last) => sum + last)}`;
});

/** ISO 15707. */
const iswc = digits(9).map((body) => {
  const sum = Array.from(body, Number).reduce((total, d, i) => total + d * (i + 1), 1);
  return `T${body}${closing((last) => sum + last)}`;
});

const changeDigit = (code: string, at: number, by: number): string =>
  `${code.slice(0, at)}${(Number(code[at]) + by) % 10}${code.slice(at + 1)}`;
const by = fc.integer({ min: 1, max: 9 });

describe('EAN, catalogue §4', () => {
  test('examples of the trade', () => {
    for (const code of ['4006381333931', '9780201379624', '0036000291452']) {
      assert.ok(isEan(code), code);
    }
    for (const code of ['4006381333932', '036000291452', '40063813339310', ' 4006381333931', '']) {
      assert.ok(!isEan(code), code);
    }
  });

  test(`${runs} generated codes are valid, and no longer with one digit changed`, () => {
    fc.assert(
      fc.property(ean, fc.nat(12), by, (code, at, step) => {
        return isEan(code) && !isEan(changeDigit(code, at, step));
      }),
      { numRuns: runs },
    );
  });

  test('a UPC is the EAN with a leading 0', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), ean, (number, other) => {
        const upc = upcFromNumber(number);
        assert.ok(isEan(`0${upc}`));
        assert.equal(comparableCode(`0${upc}`), upc);
        assert.equal(comparableCode(upc), upc);
        assert.equal(comparableCode(other), other.startsWith('0') ? other.slice(1) : other);
        assert.equal(productCodeOf({ upc, ean: other }), other);
        assert.equal(productCodeOf({ upc, ean: null }), upc);
      }),
    );
    assert.equal(comparableCode('QZABC2600001'), 'QZABC2600001');
  });

  test('two products share a code if any code of one is a code of the other', () => {
    const [one, two, three] = [1, 2, 3].map(upcFromNumber) as [string, string, string];
    const foreign = '4006381333931';
    assert.ok(shareProductCode({ upc: one, ean: null }, { upc: one, ean: foreign }));
    assert.ok(shareProductCode({ upc: one, ean: foreign }, { upc: two, ean: foreign }));
    assert.ok(shareProductCode({ upc: one, ean: `0${two}` }, { upc: two, ean: null }));
    assert.ok(shareProductCode({ upc: two, ean: foreign }, { upc: one, ean: `0${two}` }));
    assert.ok(!shareProductCode({ upc: one, ean: foreign }, { upc: two, ean: `0${three}` }));
  });
});

describe('ISWC, catalogue §4', () => {
  test('T-034.524.680-1 is understood in three spellings', () => {
    for (const text of ['T-034.524.680-1', 'T-034524680-1', 'T0345246801']) {
      assert.equal(parseIswc(text), 'T0345246801', text);
    }
    for (const text of [
      'T-034.524.680-2',
      'T-034.524.680.1',
      'T 034 524 680 1',
      't0345246801',
      '0345246801',
      'T-0345246801',
      'T034524680-1',
      'T03452468011',
      'T-034.524680-1',
      'T0345246801\n',
      '',
    ]) {
      assert.equal(parseIswc(text), undefined, text);
    }
  });

  test(`${runs} generated codes are understood as they are shown, and not with one digit changed`, () => {
    fc.assert(
      fc.property(iswc, fc.integer({ min: 1, max: 10 }), by, (code, at, step) => {
        assert.equal(parseIswc(code), code);
        assert.equal(parseIswc(showIswc(code)), code);
        assert.match(showIswc(code), /^T-\d{3}\.\d{3}\.\d{3}-\d$/);
        // Weights 2, 4, 5, 6 and 8 share a factor with ten: the check digit misses some changes of their digits.
        if ([1, 3, 7, 9, 10].includes(at)) {
          assert.equal(parseIswc(changeDigit(code, at, step)), undefined);
        }
      }),
      { numRuns: runs },
    );
  });
});

describe('language tags, catalogue §4', () => {
  test('one spelling for each', () => {
    const spellings = {
      en: 'en',
      'EN-gb': 'en-GB',
      'zh-hANT-tw': 'zh-Hant-TW',
      iw: 'he',
      bh: 'bho',
      BH: 'bho',
      'es-419': 'es-419',
      'de-1996': 'de-1996',
      zxx: 'zxx',
    };
    for (const [text, tag] of Object.entries(spellings)) assert.equal(canonicalLanguage(text), tag);
  });

  test('no tags', () => {
    const texts = [
      '',
      'e',
      'english',
      'en_GB',
      'en-',
      'en-u-ca-gregory',
      'x-klingon',
      'en GB',
      '12',
      'en-GB-US',
    ];
    for (const text of texts) assert.equal(canonicalLanguage(text), undefined, text);
  });

  test(`${runs} tags of any letters have a canonical spelling, which is its own`, () => {
    const letters = (length: number) =>
      fc
        .array(fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzABCXYZ')), {
          minLength: length,
          maxLength: length,
        })
        .map((each) => each.join(''));
    const tag = fc
      .tuple(
        fc.oneof(letters(2), letters(3)),
        fc.option(letters(4), { nil: '' }),
        fc.option(fc.oneof(letters(2), digits(3)), { nil: '' }),
        fc.option(fc.oneof(letters(5), letters(8)), { nil: '' }),
      )
      .map((subtags) => subtags.filter((each) => each !== '').join('-'));
    fc.assert(
      fc.property(tag, (text) => {
        const canonical = canonicalLanguage(text);
        assert.ok(canonical !== undefined && canonical.length <= 35, text);
        assert.equal(canonicalLanguage(canonical), canonical);
        assert.equal(canonicalLanguage(text.toUpperCase()), canonical);
      }),
      { numRuns: runs },
    );
  });
});
