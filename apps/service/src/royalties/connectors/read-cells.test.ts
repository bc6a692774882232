import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCellReader } from './read-cells.ts';

function cellsOf(line: string, cellCount: number): readonly string[] | undefined {
  const block = Buffer.from(`before\n${line}\nafter`);
  const from = 'before\n'.length;
  const read = createCellReader({ delimiter: ',' }, cellCount);
  const cells = read(block, from, from + Buffer.byteLength(line), line.includes('"'));
  return (
    cells &&
    Array.from(cells.starts, (start, i) => cells.bytes.toString('utf8', start, cells.ends[i]))
  );
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const cell = fc.stringMatching(/^[a-zé", ]{0,6}$/);

test('cells are read as they were written, with and without quotes', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, fc.boolean()), { minLength: 1, maxLength: 6 }), (cells) => {
      const line = cells.map(([text, isQuoted]) =>
        isQuoted || /^"|,/.test(text) ? quoted(text) : text,
      );
      assert.deepEqual(
        cellsOf(line.join(','), cells.length),
        cells.map(([text]) => text),
      );
      assert.equal(cellsOf(line.join(','), cells.length + 1), undefined);
      if (cells.length > 1) assert.equal(cellsOf(line.join(','), cells.length - 1), undefined);
    }),
    { numRuns: 1_000 },
  );
});

test('a line with a quote that does not end, or with text behind a quote, has no cells', () => {
  assert.equal(cellsOf('a,"b', 2), undefined);
  assert.equal(cellsOf('a,"b"c', 2), undefined);
  assert.deepEqual(cellsOf('a,b"c', 2), ['a', 'b"c']);
});
