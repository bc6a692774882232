import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSentenceCase, inTitleCase } from './letter-case.ts';

test('contract §1: a suggested title is NFC, though the capital of one letter may be three', () => {
  for (const inCase of [inTitleCase, inSentenceCase]) {
    assert.equal(inCase('\u0390x'), '\u03aa\u0301x');
  }
});
