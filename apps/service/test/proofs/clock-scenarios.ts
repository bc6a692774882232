/** Draws random sandbox scenarios: every action, for some or all messages, with or without a chance. */

import type { ScenarioStep } from '../../src/sandbox/domain/scenario.ts';
import { storeIds } from './clock-stores.ts';
import type { Scenario } from './clock-types.ts';
import type { Random } from './random.ts';

type Unit = 's' | 'm' | 'h' | 'd';

export const isOnceIn = (random: Random, times: number): boolean => random.below(times) === 0;

const draw = (random: Random, limit: number, unit: Unit): string =>
  `${1 + random.below(limit)}${unit}`;

function drawDuration(random: Random): string {
  switch (random.below(6)) {
    case 0:
      return '0s';
    case 1:
      return draw(random, 120, 's');
    case 2:
      return draw(random, 90, 'm');
    case 3:
      return draw(random, 12, 'd');
    default:
      return draw(random, 70, 'h');
  }
}

export const codes = ['metadata_error', 'rights_conflict', 'bad_artwork'] as const;

function drawStep(random: Random, isLoose: boolean, message: Scenario['message']): ScenarioStep {
  const some = <T extends object>(fields: T): T | object => (isOnceIn(random, 2) ? fields : {});
  const after = some({ after: drawDuration(random) });
  const chance = isOnceIn(random, 4) ? { chance: (1 + random.below(99)) / 100 } : {};
  const code = random.pick(codes);
  const then =
    isOnceIn(random, 3) && message !== 'takedown' ? { then: drawLaterActions(random) } : {};
  const steps: readonly (() => ScenarioStep)[] = [
    () => ({ action: 'confirm', ...after, ...then }),
    () => ({ action: 'reject', code, ...after }),
    () => ({ action: 'flag', ...after, ...some({ code }), ...some(resolution(random)) }),
    () => ({ action: 'delay', after: drawDuration(random), ...then }),
    () => ({ action: 'late', ...after, ...then }),
    () => ({ action: 'lose' }),
    () => ({ action: 'duplicate', ...after, ...some({ times: 2 + random.below(3) }), ...then }),
    () => ({ action: 'outage', lasts: drawOutage(random) }),
  ];
  // While the clock runs, the outcome of retries depends on real time, which the model cannot predict.
  const usable = isLoose ? steps.slice(0, -1) : steps;
  return { ...random.pick(usable)(), ...chance };
}

/** Catalogue §1.2: the store flags the release that it has, or removes it, hours to months later. */
function drawLaterActions(random: Random): NonNullable<ScenarioStep['then']> {
  const drawAfter = (): string =>
    random.pick([draw(random, 90, 'm'), draw(random, 70, 'h'), draw(random, 30, 'd')]);
  const flags = Array.from({ length: random.below(3) }, () => ({
    action: 'flag' as const,
    after: drawAfter(),
    ...(isOnceIn(random, 2) && { code: random.pick(codes) }),
  }));
  const isRemoved = flags.length === 0 || isOnceIn(random, 2);
  return [...flags, ...(isRemoved ? [{ action: 'remove' as const, after: drawAfter() }] : [])];
}

const resolution = (random: Random) => ({
  resolves: random.pick(['confirm', 'reject'] as const),
  ...(isOnceIn(random, 2) && { resolves_after: drawDuration(random) }),
});

/** One outage in 80 lasts so long that the clock fires more timers than one run of its handler may. */
const drawOutage = (random: Random): string =>
  isOnceIn(random, 80)
    ? '15d'
    : random.pick([draw(random, 90, 's'), draw(random, 50, 'm'), draw(random, 5, 'h'), '20h']);

export function drawScenario(random: Random, releases: number, isLoose: boolean): Scenario {
  const message = isOnceIn(random, 2)
    ? null
    : random.pick(['deliver', 'deliver', 'update', 'takedown'] as const);
  return {
    store: isOnceIn(random, 2) ? null : random.pick(storeIds),
    release: isOnceIn(random, 4) ? random.below(releases) : null,
    message,
    seed: random.below(1_000),
    repeats: isOnceIn(random, 3),
    steps: Array.from({ length: 1 + random.below(4) }, () => drawStep(random, isLoose, message)),
  };
}

/** Every store has an outage. A retry or the next advance finds that it is over. */
export const drawOutageScenario = (random: Random): Scenario => ({
  store: null,
  release: null,
  message: null,
  seed: random.below(1_000),
  repeats: isOnceIn(random, 3),
  steps: [
    { action: 'outage', lasts: draw(random, 50, 'm') },
    { action: 'confirm', after: drawDuration(random) },
  ],
});
