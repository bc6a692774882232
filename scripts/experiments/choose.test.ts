import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../servers/server.ts';
import { choose } from './choose.ts';
import { readFullRun } from './full-run.ts';
import { guards } from './guards.ts';
import { everyExperiment } from './kinds.ts';

const costing = (processor_seconds: number) => ({ seconds: 0, processor_seconds });

describe('the experiments of a check', () => {
  const names = ['prove relay', 'prove payouts', 'prove preflight', 'bench ledger'];
  const money = ['apps/service/src/money/domain/payout.ts'];

  test('are those that guard what changed, the cheapest first', () => {
    const measured = { 'prove payouts': costing(30), 'bench ledger': costing(20) };
    assert.deepEqual(choose(names, money, measured), {
      chosen: ['bench ledger', 'prove payouts'],
      leftOut: [],
    });
    assert.deepEqual(choose(names, ['README.md'], measured), { chosen: [], leftOut: [] });
  });

  test('reach as far as the budget, and name what is left out', () => {
    const measured = { 'prove payouts': costing(390), 'bench ledger': costing(20) };
    assert.deepEqual(choose(names, money, measured), {
      chosen: ['bench ledger'],
      leftOut: ['prove payouts'],
    });
  });

  test('are all of them in a clone without the commit of the full run', () => {
    assert.deepEqual(choose(names, undefined, {}).chosen, names);
  });

  test('are chosen by a change of their own files', () => {
    const chosenBy = (file: string) => choose(names, [file], {}).chosen;
    assert.deepEqual(chosenBy('apps/service/test/proofs/payouts-judge.ts'), ['prove payouts']);
    assert.deepEqual(chosenBy('bench/ledger.experiment.ts'), ['bench ledger']);
    assert.deepEqual(chosenBy('apps/service/src/moneyless/x.ts'), []);
  });
});

test('every proof and bench names what it guards, and it exists', () => {
  const names = everyExperiment();
  assert.deepEqual(Object.keys(guards).toSorted(), names.toSorted());
  const named = Object.values(guards).flatMap((each) => each.guards);
  const missing = named.filter((path) => {
    const inRepository = path.startsWith('/') ? path.slice(1) : `apps/service/src/${path}`;
    return !existsSync(join(root, inRepository));
  });
  assert.deepEqual(missing, []);
});

test('the last full run measured experiments that exist', () => {
  const { commit, experiments } = readFullRun();
  assert.match(commit, /^[0-9a-f]{40}$/);
  const names = new Set(everyExperiment());
  assert.deepEqual(
    Object.keys(experiments).filter((name) => !names.has(name)),
    [],
  );
});
