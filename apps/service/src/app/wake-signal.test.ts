import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createWakeSignal } from './wake-signal.ts';

const never = new AbortController().signal;
const hourMs = 3_600_000;

describe('a wake signal', () => {
  test('ends a sleep', async () => {
    const wakeSignal = createWakeSignal();
    const sleep = wakeSignal.sleep(hourMs, never);
    wakeSignal.wake();
    await sleep;
  });

  test('before a sleep, ends the next sleep, and only that', async () => {
    const wakeSignal = createWakeSignal();
    wakeSignal.wake();
    wakeSignal.wake();
    await wakeSignal.sleep(hourMs, never);
    const begun = performance.now();
    await wakeSignal.sleep(20, never);
    assert.ok(performance.now() - begun >= 15);
  });

  test('an aborted signal ends a sleep at once', async () => {
    await createWakeSignal().sleep(hourMs, AbortSignal.abort());
  });
});
