/** Which stages a reset has, and in which order. What they make: `npm run prove -- sandbox-royalties`, and journeys. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import { type HandlerContext } from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { seedDeliveries } from '../domain/seed-delivery-plan.ts';
import { seedFiles } from '../domain/seed-files.ts';
import { seedReleases } from '../domain/seed-plan.ts';
import { royaltyHistory, seedCatalogue, usualHistory } from './seed-catalogue.ts';

const orgId = toWire('org', '01900000-0000-7000-8000-000000000001');
const assetId = toWire('ast', '01900000-0000-7000-8000-000000000002');

/** What a step returns whose work is left out: nothing is due, and every move of the clock is the last. */
const answers: Readonly<Record<string, unknown>> = {
  'create asset': { id: assetId, needsUpload: false },
  measure: 1,
  move: { to: '2026-11-16T09:00:00.000Z', isLast: true },
  due: [],
};

/** The names of all steps of a reset; a `problem` is the answer of the step with this name. */
async function stepsOf(
  history: typeof usualHistory,
  problem: Readonly<Record<string, unknown>> = {},
) {
  const names: string[] = [];
  const answer = async (name: string): Promise<never> => {
    names.push(name);
    return ({ ...answers, ...problem }[name] ?? null) as never;
  };
  const context = {
    step: answer,
    externalStep: answer,
    runAllToCompletion: async () => undefined,
  } satisfies Partial<HandlerContext>;
  const result = await seedCatalogue(
    context as unknown as HandlerContext,
    orgId,
    {} as Storage,
    history,
  );
  return { names: names.filter((name) => name !== 'due'), result };
}

const times = (count: number, ...names: readonly string[]): string[] =>
  Array.from({ length: count }, () => names).flat();
const moved = ['move', 'next'];
const assets = [...times(seedFiles.length, 'measure', 'create asset'), 'examined'];
const changes = [
  ...times(seedDeliveries.length, 'changes'),
  ...times(seedDeliveries.length, 'later answers'),
];
const catalogue = [
  ...times(seedReleases.length, 'release'),
  ...times(seedDeliveries.length, 'delivery'),
  ...moved,
  ...times(seedDeliveries.length, 'answers'),
  ...moved,
  ...changes,
  ...moved,
  ...changes,
];

test('a reset makes files, releases, deliveries, answers and changes, and the clock moves between them', async () => {
  const { names, result } = await stepsOf(usualHistory);
  assert.deepEqual(names, ['set the clock back', ...assets, ...catalogue]);
  assert.equal(result, null);
});

test('with royalties, a release earns twelve months before the usual catalogue begins', async () => {
  const { names, result } = await stepsOf(royaltyHistory);
  assert.deepEqual(names, [
    'set the clock back',
    ...assets,
    'release',
    'delivery',
    ...moved,
    'reports',
    ...moved,
    ...catalogue,
  ]);
  assert.equal(result, null);
  assert.ok(royaltyHistory.days > usualHistory.days);
});

test('the first problem ends the reset, and is what it shows', async () => {
  const { names, result } = await stepsOf(royaltyHistory, { reports: 'The store is unknown.' });
  assert.equal(result, 'The store is unknown.');
  assert.equal(names.at(-1), 'reports');
});
