import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { openPdf, printable, writeLine } from './pdf-page.ts';

/** The first test of this file: only the first document of a process reads the fonts. */
test('the first document of a process has the same bytes as a later one', async () => {
  const draw = async (text: string): Promise<Buffer> => {
    const pdf = openPdf('Test', new Date(0));
    for (const font of ['bold', 'regular'] as const)
      writeLine(pdf, text, { x: 48, y: 48 }, { size: 8, font });
    pdf.end();
    return buffer(pdf);
  };
  const first = await draw('Night Drive');
  await draw('Überfahrt, रात');
  assert.ok(first.equals(await draw('Night Drive')));
});

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
