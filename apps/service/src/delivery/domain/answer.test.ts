/** Codes, reasons and URLs from stores are bounded and are valid text before they are stored. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { boundedAnswer, boundedUrl, type ReceivedRejection } from './answer.ts';
import type { Rejection } from './message.ts';

/** Includes lone surrogates and NUL. */
const unit = fc.oneof(
  fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud83c', '\udfb5', '🎵'),
);
const anyText = fc
  .tuple(fc.array(unit, { maxLength: 40 }), fc.constantFrom(1, 3, 80))
  .map(([units, times]) => units.join('').repeat(times));

/** As each of the three answers with a reason has it. */
function boundedRejection(rejection: ReceivedRejection): Rejection {
  const [bounded, ...others] = (['rejected', 'action_required', 'removal_refused'] as const).map(
    (kind) => {
      const answer = boundedAnswer({ kind, rejection });
      assert.ok(answer.kind === kind);
      return answer.rejection;
    },
  );
  assert.ok(bounded);
  for (const other of others) assert.deepEqual(other, bounded);
  return bounded;
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000');

describe('the text of a store’s answer', () => {
  test('is cut to its limits and is text that PostgreSQL accepts', () => {
    fc.assert(
      fc.property(fc.option(anyText), anyText, (code, reason) => {
        const bounded = boundedRejection({ code, reason });
        const hasCode = (code ?? '').replaceAll('\u0000', '') !== '';
        // Contract §2: a code and a reason, always both.
        if (!hasCode) assert.equal(bounded.code, 'unspecified');
        assert.ok(bounded.code !== '' && bounded.reason !== '');
        assert.ok(isStorable(bounded.code) && isStorable(bounded.reason));
        // Contract §1: lengths count code points.
        assert.ok(Array.from(bounded.code).length <= 100);
        assert.ok(Array.from(bounded.reason).length <= 2_000);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is unchanged if it is valid and short enough', () => {
    const validText = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
      .filter(isStorable);
    fc.assert(
      fc.property(validText, validText, (code, reason) => {
        fc.pre(code.length <= 100);
        assert.deepEqual(boundedRejection({ code, reason }), { code, reason });
      }),
    );
  });

  test('a URL is stored only if it is http or https', () => {
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

  test('a receipt and a removal have no text; an announcement has a URL or none', () => {
    for (const kind of ['acknowledged', 'removed'] as const)
      assert.deepEqual(boundedAnswer({ kind }), { kind });
    const announced = (url: string | null) => boundedAnswer({ kind: 'delivered', url });
    assert.deepEqual(announced('https://a.example/1'), {
      kind: 'delivered',
      url: 'https://a.example/1',
    });
    assert.deepEqual(announced('javascript:alert(1)'), { kind: 'delivered', url: null });
  });
});
