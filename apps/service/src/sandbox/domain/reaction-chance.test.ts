/** Seeds and chances: different seeds give different runs, and each run can be repeated (contract §4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { simulateReplies, isStepTaken, type SimulatedMessage, randomFor } from './reaction.ts';
import type { ScenarioStep } from './scenario.ts';

const sentWith = (changes: Partial<SimulatedMessage> = {}): SimulatedMessage => ({
  storeId: 'aurora',
  kind: 'deliver',
  confirmation: 'live',
  startsAt: new Date('2020-01-01T00:00:00.000Z'),
  releaseName: 'night-drive',
  expectedBy: null,
  now: new Date('2026-11-16T12:00:00.000Z'),
  ...changes,
});
const workOf = (sent: SimulatedMessage, seed = 0, index = 0): number | undefined =>
  simulateReplies(sent, undefined, randomFor(sent, seed, index))[0]?.afterMs;

describe('contract §4: the randomness of a scenario', () => {
  test('is the same for the same seed, store, kind, release and step, at any time', () => {
    const sent = fc.record({
      storeId: fc.constantFrom('aurora', 'hanami', 'indigo'),
      kind: fc.constantFrom('deliver' as const, 'update' as const, 'takedown' as const),
      releaseName: fc.string({ minLength: 1, maxLength: 40 }),
    });
    const day = fc.date({
      min: new Date('2026-01-01'),
      max: new Date('2036-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(sent, fc.nat(2_147_483_647), fc.nat(40), day, (fields, seed, index, at) => {
        const [first, second] = [
          sentWith(fields),
          sentWith({ ...fields, now: at, expectedBy: at }),
        ];
        assert.equal(workOf(first, seed, index), workOf(second, seed, index));
        const step: ScenarioStep = { action: 'lose', chance: 0.5 };
        assert.equal(
          isStepTaken(step, randomFor(first, seed, index)),
          isStepTaken(step, randomFor(second, seed, index)),
        );
      }),
    );
  });

  test('differs for another seed, step, release or kind', () => {
    const usual = workOf(sentWith());
    assert.notEqual(workOf(sentWith(), 1), usual, 'seed');
    assert.notEqual(workOf(sentWith(), 0, 1), usual, 'step');
    assert.notEqual(workOf(sentWith({ releaseName: 'night-driver' })), usual, 'release');
    assert.notEqual(workOf(sentWith({ kind: 'update' })), usual, 'kind');
  });

  test('golden: the outcomes that partners have seen do not change', () => {
    const hours = (changes: Partial<SimulatedMessage>, seed = 0) =>
      Math.floor(((workOf(sentWith(changes), seed) ?? 0) / 3_600_000) * 100) / 100;
    // 2 + 4 × 0.99263…, 2 + 4 × 0.76382…
    assert.deepEqual([hours({}), hours({}, 1)], [5.97, 5.05]);
  });

  const releases = Array.from({ length: 10_000 }, (_, i) => sentWith({ releaseName: `rel ${i}` }));

  for (const chance of [0.01, 0.1, 0.5, 0.9, 0.99]) {
    for (const seed of [0, 1, 2_147_483_647]) {
      test(`a step of chance ${chance} applies to that share of 10,000 releases (seed ${seed})`, () => {
        const taken = releases.filter((sent) =>
          isStepTaken({ action: 'reject', chance }, randomFor(sent, seed, 0)),
        );
        const deviation = Math.sqrt(10_000 * chance * (1 - chance));
        const far = (taken.length - 10_000 * chance) / deviation;
        assert.ok(Math.abs(far) < 4, `${taken.length}: ${far} standard deviations`);
      });
    }
  }

  test('a step without a chance, or with chance 1, always applies', () => {
    for (const sent of releases) {
      assert.ok(isStepTaken({ action: 'lose' }, randomFor(sent, 0, 0)));
      assert.ok(isStepTaken({ action: 'lose', chance: 1 }, randomFor(sent, 0, 0)));
    }
  });

  test('whether a step applies is independent of how long the review takes', () => {
    const worksOf = (isTaken: boolean) =>
      releases
        .filter(
          (sent) => isStepTaken({ action: 'lose', chance: 0.5 }, randomFor(sent, 0, 0)) === isTaken,
        )
        .map((sent) => (workOf(sent) ?? 0) / 3_600_000);
    const mean = (all: readonly number[]) =>
      all.reduce((sum, hours) => sum + hours, 0) / all.length;
    assert.ok(Math.abs(mean(worksOf(true)) - 4) < 0.1);
    assert.ok(Math.abs(mean(worksOf(false)) - 4) < 0.1);
  });
});
