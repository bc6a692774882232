import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf, printable } from './pdf-page.ts';

test('a text is printed without its emoji; one with characters that the font does not have is not printed', () => {
  const pdf = openPdf('Test', new Date(0));
  for (const [text, expected] of [
    ['Night Drive', 'Night Drive'],
    ['99 Luftballons #1', '99 Luftballons #1'],
    ['🎧 Summer 🔥 Hits 👩🏽‍🎤', 'Summer Hits'],
    ['I ❤️ 1️⃣', 'I 1'],
    ['Tears™ ©', 'Tears™ ©'],
    ['Ночная поездка', 'Ночная поездка'],
    ['रात की सवारी', 'रात की सवारी'],
    ['🔥', undefined],
    ['夜に駆ける', undefined],
    ['رحلة ليلية live', undefined],
  ] as const) {
    assert.equal(printable(pdf, text), expected, text);
  }
});
