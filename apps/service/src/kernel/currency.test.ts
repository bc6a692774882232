import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { currencies, currencyDecimals, isCurrency } from './currency.ts';

describe('currencies', () => {
  test('ISO 4217 has 155 active currencies without funds, units of account and metals', () => {
    assert.equal(currencies.length, 155);
    for (const code of currencies) assert.match(code, /^[A-Z]{3}$/);
  });

  test('they are in alphabetical order, each once', () => {
    assert.deepEqual(currencies, [...new Set(currencies)].toSorted());
  });

  test('sixteen have no decimals, seven have three, all others two', () => {
    const having = (decimals: number) =>
      currencies.filter((code) => currencyDecimals[code] === decimals).join(' ');
    assert.equal(having(0), 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF');
    assert.equal(having(3), 'BHD IQD JOD KWD LYD OMR TND');
    assert.equal(having(2).split(' ').length, 155 - 16 - 7);
  });

  test('each has an English name in the Unicode CLDR', () => {
    const names = new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' });
    for (const code of currencies) assert.ok(names.of(code), `${code} has a name`);
  });

  test('a currency of the CLDR that is missing here was left out on purpose', () => {
    const retired = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL'];
    const unitsOfAccount = ['XDR', 'XSU', 'XUA', 'XAD'];
    const leftOut = new Set([...retired, ...unitsOfAccount]);
    const missing = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code));
    assert.deepEqual(
      missing.filter((code) => !leftOut.has(code)),
      [],
    );
  });

  for (const good of ['EUR', 'USD', 'JPY', 'KWD', 'SLE', 'VED', 'VES', 'XCG', 'ZWG']) {
    test(`${good} is a currency`, () => assert.ok(isCurrency(good)));
  }
  for (const [bad, why] of [
    ['BGN', 'was replaced by the euro'],
    ['HRK', 'was replaced by the euro'],
    ['ANG', 'was replaced by XCG'],
    ['ZWL', 'was replaced by ZWG'],
    ['SLL', 'was replaced by SLE'],
    ['CUC', 'was replaced by CUP'],
    ['CLF', 'is a funds code'],
    ['UYW', 'is a funds code'],
    ['XDR', 'is a unit of account'],
    ['XAU', 'is a metal'],
    ['XTS', 'is a test code'],
    ['XXX', 'means no currency'],
    ['eur', 'is in lower case'],
    ['EUR ', 'has a space'],
    ['', 'is empty'],
    ['constructor', 'is a property of every object'],
    ['__proto__', 'is a property of every object'],
  ] as const) {
    test(`"${bad}" is not a currency: it ${why}`, () => assert.ok(!isCurrency(bad)));
  }
});
