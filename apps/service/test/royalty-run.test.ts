/**
 * The calculation of a run against an oracle in another language: `royalty-oracle.py` computes every line item and
 * royalty record with Python's integers and fractions. `TONEARM_SEED` repeats a failed run.
 */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../src/kernel/ids.ts';
import { TaskRefused } from '../src/platform/process/child-task.ts';
import { calculateBucket } from '../src/royalties/connectors/calculate-bucket.ts';
import { finishBucket } from '../src/royalties/connectors/finish-bucket.ts';
import type { FinishedPart } from '../src/royalties/domain/calculated-part.ts';
import { seededRandom } from './proofs/random.ts';
import { askRoyaltyOracle, calculateRun, type CalculatedRun, digestsOfRun } from './royalty-run.ts';
import { makeRoyaltyWorld, type RoyaltyWorld, withConnection } from './royalty-world.ts';

const rowCount = 20_000;
const { seed } = seededRandom();

describe(`the calculation of a run (TONEARM_SEED=${seed})`, () => {
  let folder = '';
  let world: RoyaltyWorld;
  let run: CalculatedRun;
  const calculate = (threads: number, of: RoyaltyWorld = world) =>
    calculateRun(of, {
      folder: join(folder, `run-${threads}`),
      rowsMax: rowCount / 5,
      threads,
      memoryMb: 1_000,
    });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'royalty-run-'));
    world = await makeRoyaltyWorld({ folder, rowCount, statementCount: 24, seed });
    run = await calculate(2);
  });
  after(() => rm(folder, { recursive: true }));

  test('equals the oracle in every line item and royalty record', async (t) => {
    const figures = await askRoyaltyOracle(world, run, join(folder, 'oracle'));
    const { statements: _, ...shown } = figures;
    t.diagnostic(JSON.stringify(shown));
    assert.deepEqual(figures.differences, []);
    assert.equal(figures.rows, rowCount);
    assert.ok(figures.items > rowCount / 2 && figures.items < rowCount);
    assert.ok(figures.ties >= figures.items / 100, 'at least 1 % ties');
    for (const count of [
      'negative_records',
      'several_sources',
      'source_tax',
      'payee_tax',
    ] as const) {
      assert.ok(figures[count] > 0, count);
    }
    const partCounts = run.buckets.flatMap(({ statements }) => statements.map(({ part }) => part));
    assert.ok(Math.max(...partCounts) >= 3, 'the largest statement has several parts');
  });

  test('the oracle finds an item that is wrong by one micro', async () => {
    const [first] = run.calculated.flatMap(({ parts }) => parts);
    assert.ok(first !== undefined);
    const path = join(folder, 'wrong.parquet');
    await withConnection(async (connection) => {
      await connection.run(`copy (select * replace (earnings + (file_row_number = 7)::integer
        * 0.000001 as earnings) from read_parquet('${first.items.path}')) to '${path}'`);
    });
    const calculated = run.calculated.map((bucket) => ({
      ...bucket,
      parts: bucket.parts.map((part) =>
        part === first ? { ...part, items: { ...part.items, path } } : part,
      ),
    }));
    const figures = await askRoyaltyOracle(world, { ...run, calculated }, join(folder, 'wrong'));
    assert.equal(figures.differences.length, 1);
  });

  test('Σ items = Σ royalties = the sums of each part; net = gross − fee − taxes', async () => {
    const ends = run.finished.flatMap(({ parts }) => parts);
    for (const [index, part] of run.calculated.flatMap(({ parts }) => parts).entries()) {
      const end = ends[index]!;
      const [sums] = await withConnection(async (connection) =>
        (
          await connection.runAndReadAll(`select i.*, r.* from
            (select count(*)::integer as items, sum(earnings) as earnings, sum(play_count) as plays
              from read_parquet('${part.items.path}')) i,
            (select count(*)::integer as records, sum(gross_amount) as gross, sum(net_amount) as net,
              sum(gross_amount - fee_amount - source_tax_amount - payee_tax_amount) as rest
              from read_parquet('${end.royalties.path}')) r`)
        ).getRowObjectsJson(),
      );
      assert.deepEqual(sums, {
        items: part.items.rowCount,
        earnings: part.grossAmount,
        plays: String(part.playCount),
        records: part.recordCount,
        gross: end.grossAmount,
        net: end.netAmount,
        rest: end.netAmount,
      });
      assert.equal(part.items.amount, end.grossAmount);
      assert.equal(part.feeAmount, end.feeAmount);
    }
  });

  test('the totals add up to the statements', async () => {
    const micros = (text = '') => BigInt(text.replace('.', ''));
    const amountsOf = (part: FinishedPart) => [
      part.grossAmount,
      part.feeAmount,
      part.sourceTaxAmount,
      part.payeeTaxAmount,
      part.netAmount,
    ];
    for (const { parts, totals } of run.finished) {
      for (const [grain, { path, count }] of Object.entries(totals)) {
        const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
        assert.equal(lines.length, count);
        for (const part of parts) {
          const own = lines
            .map((line) => line.split(','))
            .filter(([statement]) => statement === toUuid(part.statementId));
          const sums = [-5, -4, -3, -2, -1].map((at) =>
            own.reduce((sum, values) => sum + micros(values.at(at)), 0n),
          );
          assert.deepEqual(sums, amountsOf(part).map(micros), `${grain} of ${part.statementId}`);
          for (const values of own) {
            const [gross, fee, source, payee, net] = values.slice(-5).map(micros);
            assert.equal(net, gross! - fee! - source! - payee!);
          }
        }
      }
    }
  });

  test('writes files of the same digests with one, two and four threads, and again', async () => {
    const expected = digestsOfRun(run);
    // What a killed process leaves behind.
    await writeFile(`${run.calculated[0]!.parts[0]!.items.path}.part`, 'half of a file');
    for (const threads of [1, 4, 2]) {
      assert.equal(digestsOfRun(await calculate(threads)), expected, `${threads} threads`);
    }
  });

  test('writes empty files for a part without rows', async () => {
    const { statements } = run.buckets.at(-1)!;
    const bucket = {
      number: 99,
      statements: statements.slice(0, 1).map((one) => ({ ...one, sliceFrom: 500, sliceTo: 501 })),
    };
    const limits = { bucket, folder, threads: 2, memoryMb: 500 };
    const options = { signal: new AbortController().signal, timeoutMs: 600_000 };
    const { parts, ...paths } = await calculateBucket({ ...world, ...limits }, options);
    assert.equal(parts[0]?.items.rowCount, 0);
    assert.equal(parts[0]?.grossAmount, '0.000000');
    const finished = await finishBucket({ ...limits, ...paths, taxes: [] }, options);
    assert.equal(finished.parts[0]?.royalties.rowCount, 0);
    assert.deepEqual(
      Object.values(finished.totals).map(({ count }) => count),
      [0, 0, 0],
    );
  });

  test('refuses a run without a rate, and names the report and the currencies', async () => {
    const [missing, ...rates] = world.rates;
    assert.ok(missing !== undefined);
    const { rate: _, ...details } = missing;
    await assert.rejects(calculate(2, { ...world, rates }), (error) => {
      assert.ok(error instanceof TaskRefused);
      assert.deepEqual(error.details, [details]);
      return true;
    });
  });
});
