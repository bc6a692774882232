import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBell } from './bell.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;

describe('a bell', () => {
  test('wakes whoever rests by it', async () => {
    const bell = createBell();
    const rest = bell.rest(hourMs, never);
    bell.ring();
    await rest;
  });

  test('rung before, it is heard at the next rest, and only there', async () => {
    const bell = createBell();
    bell.ring();
    bell.ring();
    await bell.rest(hourMs, never);
    const begun = performance.now();
    await bell.rest(20, never);
    assert.ok(performance.now() - begun >= 15);
  });

  test('whoever is told to stop does not rest', async () => {
    await createBell().rest(hourMs, AbortSignal.abort());
  });
});
