import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as tick } from 'node:timers/promises';
import { createTurns } from './turns.ts';

describe('turns', () => {
  test('never more at once, first come first served, also after failures', async () => {
    const inTurn = createTurns(3);
    const state = { running: 0, most: 0, begun: [] as number[] };
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        inTurn(async () => {
          state.begun.push(i);
          state.most = Math.max(state.most, ++state.running);
          await tick();
          state.running--;
          if (i % 7 === 0) throw new Error('no');
          return i;
        }),
      ),
    );
    assert.equal(state.most, 3);
    assert.deepEqual(
      state.begun,
      Array.from({ length: 50 }, (_, i) => i),
    );
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 8);
  });
});
