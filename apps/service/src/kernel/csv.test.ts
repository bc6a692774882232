import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine, csvText } from './csv.ts';

test('a text that a spreadsheet would take for a formula has an apostrophe before it', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
    assert.equal(csvText(`${sign}1`), `'${sign}1`);
  for (const text of ['', 'Song', "'quoted'", '1=1', ' =1', '99 Luftballons'])
    assert.equal(csvText(text), text);
});

test('a formula with a comma is quoted too; numbers are as they are', () => {
  const formula = csvText('=HYPERLINK("https://a.example",1)');
  assert.equal(
    csvLine([formula, -1.5, '-2.000000', null]),
    `"'=HYPERLINK(""https://a.example"",1)",-1.5,-2.000000,\r\n`,
  );
});
