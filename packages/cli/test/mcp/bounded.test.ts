import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { boundedJson, boundedPart, resultCharsMax } from '../../src/mcp/bounded.ts';

describe('bounded results', () => {
  test('a small answer is unchanged', () => {
    const answer = { id: 'rel_1', tracks: [{ title: 'Night Drive' }], label: null };
    assert.deepEqual(JSON.parse(boundedJson(answer)), answer);
  });

  test('a long text is cut, and its note leads to the rest', () => {
    const text = `${'x'.repeat(30_000)}${'\u0001'.repeat(9_000)}end`;
    const { message } = JSON.parse(boundedJson({ message: text }));
    const [, pointer, offset] = /pointer "(.*)", offset (\d+)\]$/.exec(message) ?? [];
    let read = text.slice(0, Number(offset));
    for (let next: number | null = Number(offset); next !== null;) {
      const part = JSON.parse(boundedPart({ message: text }, pointer ?? '', next));
      assert.ok(JSON.stringify(part).length <= resultCharsMax);
      read += part.text;
      next = part.next_offset;
    }
    assert.equal(read, text);
  });

  test('a long list is cut, and its pointer leads to the rest', () => {
    const answer = { 'a/b': Array.from({ length: 130 }, (_, i) => ({ i })) };
    const shown = JSON.parse(boundedJson(answer))['a/b'] as unknown[];
    assert.match(String(shown.at(-1)), /50 of 130 items; to read on: pointer "\/a~1b", offset 50/);
    const rest = JSON.parse(boundedPart(answer, '/a~1b', 100));
    assert.deepEqual([rest.items.length, rest.items[0].i, rest.next_offset], [30, 100, null]);
  });

  test('whatever the shape, a result is never longer than the limit', () => {
    let deep: unknown = 'end';
    for (let i = 0; i < 200; i++) deep = { deep, wide: Array.from({ length: 20 }, () => 'y') };
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`key_${i}`, i]));
    const table = Array.from({ length: 900 }, () => ({ text: 'z'.repeat(900) }));
    for (const value of [deep, wide, table, [[table, table], table]]) {
      assert.ok(boundedJson(value).length <= resultCharsMax);
      assert.ok(boundedPart({ value }, '/value', 0).length <= resultCharsMax);
    }
  });

  test('a text is never cut inside a character', () => {
    const { text } = JSON.parse(boundedJson({ text: '🎵'.repeat(4_000) }));
    assert.ok(text.isWellFormed());
  });

  test('a pointer to nothing is refused, also to what every object inherits', () => {
    for (const pointer of ['/nothing', '/title/0', '/constructor', '/__proto__']) {
      assert.throws(() => boundedPart({ title: 'x' }, pointer, 0), /nothing at the pointer/);
    }
  });
});
