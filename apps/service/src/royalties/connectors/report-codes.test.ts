import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isrcOf, productOf } from './report-codes.ts';

test('an ISRC is compared without hyphens, spaces around it and case', () => {
  for (const cell of ['QZAAA2600001', 'qzaaa2600001', 'QZ-AAA-26-00001', ' QZAAA2600001 '])
    assert.equal(isrcOf(cell, true), 'QZAAA2600001');
  assert.deepEqual([isrcOf('', true), isrcOf('', false)], ['?', '']);
});

test('a UPC, its EAN and its GTIN-14 are one product; an EAN as GTIN-14 keeps its thirteen digits', () => {
  for (const cell of ['123456789012', '0123456789012', '00123456789012'])
    assert.equal(productOf(cell), '123456789012');
  assert.equal(productOf('012345678905'), '012345678905');
  assert.equal(productOf('0012345678905'), '012345678905');
  assert.equal(productOf('04006381333931'), '4006381333931');
});
