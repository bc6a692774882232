import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSentenceCase, toTitleCase } from './letter-case.ts';

test('contract §1: a suggested title is NFC, even where the capital of one letter is three code points', () => {
  for (const inCase of [toTitleCase, toSentenceCase]) {
    assert.equal(inCase('\u0390x'), '\u03aa\u0301x');
  }
});
