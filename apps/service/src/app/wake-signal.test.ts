import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWakeSignal } from './wake-signal.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;

describe('a bell', () => {
  test('wakes whoever rests by it', async () => {
    const bell = createWakeSignal();
    const rest = bell.sleep(hourMs, never);
    bell.wake();
    await rest;
  });

  test('rung before, it is heard at the next rest, and only there', async () => {
    const bell = createWakeSignal();
    bell.wake();
    bell.wake();
    await bell.sleep(hourMs, never);
    const begun = performance.now();
    await bell.sleep(20, never);
    assert.ok(performance.now() - begun >= 15);
  });

  test('whoever is told to stop does not rest', async () => {
    await createWakeSignal().sleep(hourMs, AbortSignal.abort());
  });
});
