/**
 * The money kernel against an oracle in another language: `money-oracle.py` computes with Python's decimals and
 * fractions. `TONEARM_SEED` repeats a failed run.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { computeCase, makeCases, type MoneyCase, type MoneyResult } from './money-cases.ts';
import { seededRandom } from './proofs/random.ts';

type OracleResult = { readonly value: MoneyResult; readonly tie: boolean };

const script = join(import.meta.dirname, 'money-oracle.py');
const rounds = 2_000;
const casesMin = 20_000;

async function askOracle(cases: readonly MoneyCase[]): Promise<readonly OracleResult[]> {
  const python = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(python, 'close');
  python.stdin.end(cases.map((given) => `${JSON.stringify(given)}\n`).join(''));
  const output = await text(python.stdout);
  const [status] = (await closed) as [number | null];
  assert.equal(status, 0, 'the oracle failed');
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as OracleResult);
}

describe('the money kernel and the oracle', () => {
  test('agree on every case, ties, refusals and negative amounts included', async (t) => {
    const random = seededRandom();
    const cases = makeCases(random, rounds);
    const expected = await askOracle(cases);
    assert.equal(expected.length, cases.length);

    const counts = { compared: 0, ties: 0, allocations: 0, allocationTies: 0, refusals: 0 };
    for (const [i, given] of cases.entries()) {
      const { value, tie } = expected[i]!;
      const place = `TONEARM_SEED=${random.seed}, case ${i}: ${JSON.stringify(given)}`;
      const computed = computeCase(given);
      assert.deepEqual(computed, value, `${place} is ${String(value)}, not ${String(computed)}`);
      counts.compared++;
      if (given.operation === 'allocate') counts.allocations++;
      if (tie) counts[given.operation === 'allocate' ? 'allocationTies' : 'ties']++;
      if (given.operation !== 'minor_units' && [value].flat().includes('RangeError')) {
        counts.refusals++;
      }
    }

    const figures = `TONEARM_SEED=${random.seed}: ${JSON.stringify(counts)}`;
    t.diagnostic(figures);
    assert.ok(counts.compared >= casesMin, figures);
    assert.ok(counts.ties >= counts.compared / 100, figures);
    assert.ok(counts.allocationTies >= counts.allocations / 100, figures);
    assert.ok(counts.refusals > 0, figures);
  });
});
