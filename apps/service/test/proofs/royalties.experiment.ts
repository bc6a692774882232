/**
 * Compares the calculation of a run with an oracle in Python, row by row: matched rows of made-up reports in several
 * currencies, with returns above sales, ties of rounding, plays of zero and taxes of both kinds. The run has several
 * buckets, and the largest statement several parts.
 *
 * The bar: every line item and every royalty record is that of the oracle, at least one in a hundred items is a tie of
 * rounding, and the files have the same digests with 1, 2 and 4 threads. It fails when a micro-unit is rounded another
 * way, or when the number of threads changes a byte.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { askRoyaltyOracle, calculateRun, digestsOfRun } from '../royalty-run.ts';
import { makeRoyaltyWorld } from '../royalty-world.ts';
import { seededRandom } from './random.ts';

const rowCounts = { start: 20_000, small: 200_000, full: 1_000_000 };
const statementCount = 200;
const bucketCounts = { start: 3, small: 8, full: 8 };
/** The first is compared with the oracle, the others with the first. */
const threadCounts = [2, 1, 4];

export const experiment: Experiment = {
  compares: 'line items and royalty records of a run with an oracle, and runs of several threads',
  bar: (size) => ({
    rows: { equals: rowCounts[size] },
    tie_percent: { atLeast: 1 },
    buckets: { atLeast: bucketCounts[size] },
    parts_of_largest: { atLeast: 2 },
    differences: { equals: 0 },
    other_thread_digests: { equals: 0 },
  }),
  run: async ({ size, say }) => {
    const { seed } = seededRandom();
    const rowCount = rowCounts[size];
    const folder = await mkdtemp(join(tmpdir(), 'tonearm-royalties-'));
    try {
      const world = await makeRoyaltyWorld({ folder, rowCount, statementCount, seed });
      const calculate = async (threads: number) => {
        const limits = { folder: join(folder, String(threads)), memoryMb: 2_000 };
        const begun = Date.now();
        const run = await calculateRun(world, {
          ...limits,
          threads,
          rowsMax: Math.ceil(rowCount / bucketCounts[size]),
        });
        say(`${threads} threads: ${((Date.now() - begun) / 1_000).toFixed(1)} s`);
        return run;
      };
      const [first = 1, ...others] = threadCounts;
      const run = await calculate(first);
      const digests = digestsOfRun(run);
      let otherDigests = 0;
      for (const threads of others) {
        if (digestsOfRun(await calculate(threads)) !== digests) otherDigests++;
      }
      const { differences, ties, statements, ...figures } = await askRoyaltyOracle(
        world,
        run,
        join(folder, 'oracle'),
      );
      const parts = run.buckets.flatMap((bucket) => bucket.statements.map(({ part }) => part));
      return {
        seed,
        ...figures,
        ties,
        tie_percent: (100 * ties) / figures.items,
        statements: Object.keys(statements).length,
        buckets: run.buckets.length,
        parts_of_largest: Math.max(...parts),
        differences: differences.length,
        difference_samples: differences.slice(0, 3),
        other_thread_digests: otherDigests,
      };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};
