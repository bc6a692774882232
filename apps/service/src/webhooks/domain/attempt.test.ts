import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { backoff, type AttemptOutcome, isSuccessful } from './attempt.ts';

const outcome = (fields: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  statusCode: 503,
  failure: null,
  response: '',
  durationMs: 1,
  retryAfterSeconds: null,
  ...fields,
});

/** Contract §6: 5 s, 5 min, 30 min, 2 h, 5 h. */
const bases = [5, 300, 1_800, 7_200, 18_000];
const almostOne = 1 - 2 ** -32;

describe('contract §6: when an attempt is retried', () => {
  for (const [i, base] of bases.entries()) {
    test(`retry ${i + 1} after ${base} s, a fifth less to a fifth more`, () => {
      assert.equal(backoff(i + 1, outcome(), 0), base * 800);
      assert.equal(backoff(i + 1, outcome(), 0.5), base * 1_000);
      assert.equal(backoff(i + 1, outcome(), almostOne), base * 1_200);
    });

    test(`retry ${i + 1}: Retry-After counts from ${base} s to ${2 * base} s, without jitter`, () => {
      const waits = [0, base - 1, base, base + 1, 2 * base - 1, 2 * base, 2 * base + 1, 1e60].map(
        (retryAfterSeconds) => backoff(i + 1, outcome({ retryAfterSeconds }), 0.1),
      );
      const seconds = [base, base, base, base + 1, 2 * base - 1, 2 * base, 2 * base, 2 * base];
      assert.deepEqual(
        waits,
        seconds.map((count) => count * 1_000),
      );
    });
  }

  test('spec §6.4: no retry after the fifth, even with a Retry-After', () => {
    assert.equal(backoff(6, outcome(), 0), undefined);
    assert.equal(backoff(6, outcome({ retryAfterSeconds: 1 }), 0), undefined);
  });
});

test('spec §6.4: 2xx is success, everything else and no answer is not', () => {
  for (const statusCode of [200, 201, 204, 299]) assert.ok(isSuccessful(outcome({ statusCode })));
  for (const statusCode of [199, 300, 301, 304, 400, 500, null]) {
    assert.ok(!isSuccessful(outcome({ statusCode })), String(statusCode));
  }
});
