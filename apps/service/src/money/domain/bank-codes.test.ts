import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBicOf, isRoutingNumber, isSortCode } from './bank-codes.ts';

test('a routing number has nine digits and the checksum of the ABA', () => {
  for (const number of ['021000021', '011401533', '091000019']) {
    assert.ok(isRoutingNumber(number), number);
    for (let i = 0; i < number.length; i++) {
      const wrong = `${number.slice(0, i)}${(Number(number[i]) + 1) % 10}${number.slice(i + 1)}`;
      assert.ok(!isRoutingNumber(wrong), wrong);
    }
  }
  for (const number of ['000000000', '02100002', '0210000210', '02100002A']) {
    assert.ok(!isRoutingNumber(number), number);
  }
});

test('sort codes and BICs have their format, and a BIC its country', () => {
  assert.ok(isSortCode('601613') && !isSortCode('60161') && !isSortCode('60-16-13'));
  assert.ok(isBicOf('JP', 'BOTKJPJT') && isBicOf('JP', 'BOTKJPJTXXX'));
  for (const bic of ['BOTKJPJ', 'BOTKJPJTXX', 'BOTKUSJT', 'botkjpjt', 'B0TKJPJT']) {
    assert.ok(!isBicOf('JP', bic), bic);
  }
});
