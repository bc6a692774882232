/** Stores write what they like; what is kept of it is text, and not too much of it. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { boundedRejection, boundedUrl } from './answer.ts';

/** With halves of characters and with NUL, short and too long. */
const unit = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud83c', '\udfb5', '🎵'),
);
const text = fc
  .tuple(fc.array(unit, { maxLength: 40 }), fc.constantFrom(1, 3, 80))
  .map(([units, times]) => units.join('').repeat(times));

const isText = (kept: string): boolean => kept.isWellFormed() && !kept.includes('\u0000');

describe('what a store says', () => {
  test('is kept as text PostgreSQL takes, within its limits', () => {
    fc.assert(
      fc.property(fc.option(text), text, (code, reason) => {
        const kept = boundedRejection({ code, reason });
        const isSaid = (code ?? '').replaceAll('\u0000', '') !== '';
        assert.equal(kept.code === null, !isSaid);
        assert.notEqual(kept.reason, '');
        assert.ok(isText(kept.code ?? '') && isText(kept.reason));
        // Contract §1: lengths count code points.
        assert.ok(Array.from(kept.code ?? '').length <= 100);
        assert.ok(Array.from(kept.reason).length <= 2_000);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is kept as it is where it is text and short enough', () => {
    const plain = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).filter(isText);
    fc.assert(
      fc.property(plain, plain, (code, reason) => {
        fc.pre(code.length <= 100);
        assert.deepEqual(boundedRejection({ code, reason }), { code, reason });
      }),
    );
  });

  test('as an address is kept only if it is one of the web', () => {
    for (const url of ['https://a.example/1', 'http://a.example'])
      assert.equal(boundedUrl(url), url);
    for (const url of [
      null,
      '',
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://a.example',
      'ftp://a.example',
      'x\nhttps://a.example',
      `https://a.example/${'x'.repeat(2_000)}`,
    ])
      assert.equal(boundedUrl(url), null, url ?? 'none');
  });
});
