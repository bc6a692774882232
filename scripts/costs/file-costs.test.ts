import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { root } from '../servers/server.ts';
import {
  areBudgetsJudged,
  exceededBudgets,
  type FileCost,
  readBudget,
  slownessOf,
} from './file-costs.ts';
import { filesByProcess } from './shares.ts';

const costOf = (file: string, seconds: number): FileCost => ({
  file,
  all: { processorMs: seconds * 1_000, wallMs: 0 },
  setUp: { processorMs: 0, wallMs: 0 },
});

describe('the budget of the test files', () => {
  const budget = { a: 20, b: 30, c: 40 };

  test('names a file that costs more than half as much again', () => {
    const costs = [costOf('a', 20), costOf('b', 46), costOf('c', 40)];
    assert.deepEqual(exceededBudgets(costs, budget), [
      'b cost 46.0 s of processor time; its budget is 30.0 s',
    ]);
    assert.deepEqual(exceededBudgets([costOf('a', 20), costOf('b', 45)], budget), []);
  });

  test('is 10 s for a file that it does not list', () => {
    assert.deepEqual(exceededBudgets([costOf('new', 15)], budget), []);
    assert.equal(exceededBudgets([costOf('new', 15.1)], budget).length, 1);
  });

  test('is larger on a slower machine, where most files cost more, and not smaller on a faster one', () => {
    const slow = [costOf('a', 40), costOf('b', 60), costOf('c', 300)];
    assert.equal(slownessOf(slow, budget), 2);
    assert.deepEqual(exceededBudgets(slow, budget), [
      'c cost 300.0 s of processor time; its budget is 80.0 s',
    ]);
    assert.equal(slownessOf([costOf('a', 2), costOf('b', 3), costOf('c', 4)], budget), 1);
  });

  test('is judged unless other programs use the machine', () => {
    assert.equal(areBudgetsJudged(0.1), true);
    assert.equal(areBudgetsJudged(0.11), false);
  });

  test('lists files that exist', () => {
    const files = Object.keys(readBudget());
    assert.ok(files.length > 5);
    assert.deepEqual(
      files.filter((file) => globSync(file, { cwd: root }).length !== 1),
      [],
    );
  });
});

test('each file runs in one process, and the dear ones in different processes', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'];
  const shares = filesByProcess(files, { c: 30, e: 31 }, 3);
  assert.deepEqual(shares.flat().toSorted(), files);
  assert.deepEqual(shares, [['e'], ['c'], ['a', 'b', 'd', 'f']]);
});
