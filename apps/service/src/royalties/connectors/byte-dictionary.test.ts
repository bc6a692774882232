import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createByteDictionary } from './byte-dictionary.ts';
import { createCellReader } from './read-cells.ts';

const readCells = createCellReader({ delimiter: ',' }, 2);
function cellsOf(line: string) {
  const cells = readCells(Buffer.from(line), 0, Buffer.byteLength(line), false);
  assert.ok(cells !== undefined);
  return cells;
}

test('equal cells have one number, others have others, also when the table grows', () => {
  const found: string[] = [];
  const dictionary = createByteDictionary((number, { bytes }) => {
    assert.equal(number, found.length);
    found.push(bytes.toString());
  });
  const lines = Array.from({ length: 100_000 }, (_, i) => `${i % 300},${i % 199}`);
  for (const line of [...lines, ...lines]) {
    const number = dictionary.numberOf(cellsOf(line), [0, 1], 0);
    assert.equal(found[number], line);
  }
  assert.equal(found.length, new Set(lines).size);
});

test('a key does not depend on where its cells are cut, and the extra bit belongs to it', () => {
  const { numberOf } = createByteDictionary(() => undefined);
  const numbers = [
    numberOf(cellsOf('ab,c'), [0, 1], 0),
    numberOf(cellsOf('a,bc'), [0, 1], 0),
    numberOf(cellsOf('ab,c'), [0, 1], 1),
    numberOf(cellsOf('ab,'), [0, 1], 0),
    numberOf(cellsOf('ab,c'), [0, 1], 0),
  ];
  assert.deepEqual(numbers, [0, 1, 2, 3, 0]);
});

test('a full table begins again: numbers go on, and each stands for its cells', () => {
  const found: string[] = [];
  const dictionary = createByteDictionary((_, { bytes }) => found.push(bytes.toString()), {
    entriesMax: 10,
    bytesMax: 1_000,
  });
  for (let i = 0; i < 500; i++) {
    const line = `${i % 25},x`;
    assert.equal(found[dictionary.numberOf(cellsOf(line), [0, 1], 0)], line);
  }
  assert.ok(found.length > 25);
});
