import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasIbans, isIban } from './iban.ts';

/** The examples of the ISO 13616 registry. */
const ibans = [
  'AT611904300234573201',
  'BE68539007547034',
  'CH9300762011623852957',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'MT84MALT011000012345MTLCAST001S',
  'NO9386011117947',
  'SA0380000000608010167519',
];

test('an IBAN has the length of its country and a remainder of 1', () => {
  for (const iban of ibans) {
    assert.ok(isIban(iban), iban);
    assert.ok(hasIbans(iban.slice(0, 2)));
    assert.ok(!isIban(iban.slice(0, -1)), 'too short');
    assert.ok(!isIban(`${iban}0`), 'too long');
  }
  assert.ok(!isIban('US89370400440532013000'), 'a country without IBANs');
  assert.ok(!isIban('de89370400440532013000'));
});

test('an IBAN with one wrong digit, or two digits exchanged, is refused', () => {
  for (const iban of ibans) {
    for (let i = 4; i < iban.length - 1; i++) {
      const [one = '', two = ''] = [iban[i], iban[i + 1]];
      if (!/\d/.test(one)) continue;
      const wrong = `${iban.slice(0, i)}${(Number(one) + 1) % 10}${iban.slice(i + 1)}`;
      assert.ok(!isIban(wrong), wrong);
      if (one === two || !/\d/.test(two)) continue;
      assert.ok(!isIban(`${iban.slice(0, i)}${two}${one}${iban.slice(i + 2)}`));
    }
  }
});
