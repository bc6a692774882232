/** One pass over a bucket: its files are fetched, calculated in a process of their own, and stored. */

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';
import type { CalculatedPart, FinishedPart } from '../domain/calculated-part.ts';
import type { OtherAmount } from '../domain/other-amount.ts';
import type { RunBucket, RunId, RunPart, RunPlan, StoredBucket } from '../domain/run-plan.ts';
import { runFolder } from '../domain/run.ts';
import type { BucketTotal, TotalsGrain, TotalsOf } from '../domain/totals.ts';
import { calculateBucket } from './calculate-bucket.ts';
import { finishBucket, type FinishedBucket } from './finish-bucket.ts';
import {
  fetchCached,
  fetchFile,
  readLines,
  type RunFileDeps,
  storeEach,
  storeFile,
  storePartFile,
  withFolder,
  workFolder,
} from './run-files.ts';
import { summarizeOther } from './summarize-other.ts';

/** A bucket takes seconds on two cores. */
const timeoutMs = hourMs;
const limits = { threads: Math.min(2, availableParallelism()), memoryMb: 2_048 };

type Work = {
  readonly bucket: RunBucket;
  readonly plan: RunPlan;
  readonly parts: readonly RunPart[];
};

export const calculateStored = (
  deps: RunFileDeps,
  id: RunId,
  { bucket, plan, parts }: Work,
  signal: AbortSignal,
): Promise<StoredBucket> =>
  withFolder(deps, async (folder) => {
    const matched = [];
    for (const part of parts) {
      const { reportId, storeId } = part;
      matched.push({ path: await fetchCached(deps, part, signal), reportId, storeId });
    }
    const { rates, feeRules, withholding } = plan;
    const { number, statements } = bucket;
    const input = { bucket: { number, statements }, parts: matched, rates, feeRules, withholding };
    const calculated = await calculateBucket(
      { ...input, folder, ...limits },
      { signal, timeoutMs },
    );
    const stored = await storeEach<CalculatedPart, CalculatedPart>(
      calculated.parts,
      async (part) => {
        const key = `${runFolder(id)}${part.statementId}/items-${part.part}.parquet`;
        return { ...part, items: await storePartFile(deps, part.items, key, signal) };
      },
    );
    const work = `${workFolder(id)}${number}`;
    return {
      recordsKey: await storeFile(deps, calculated.recordsPath, `${work}-records.bin`, signal),
      parts: stored,
    };
  });

export type FinishedFiles = {
  readonly parts: readonly FinishedPart[];
  readonly totals: TotalsOf<BucketTotal>;
};

export const finishStored = (
  deps: RunFileDeps,
  id: RunId,
  { number, statements, calculated, taxes }: RunBucket,
  signal: AbortSignal,
): Promise<FinishedFiles> =>
  withFolder(deps, async (folder) => {
    if (calculated === null || taxes === null) throw new TypeError('the bucket is not calculated');
    const finished = await finishBucket(
      {
        bucket: { number, statements },
        recordsPath: await fetchFile(
          deps,
          calculated.recordsKey,
          join(folder, 'records.bin'),
          signal,
        ),
        taxes,
        folder,
        ...limits,
      },
      { signal, timeoutMs },
    );
    const parts = await storeEach<FinishedPart, FinishedPart>(finished.parts, async (part) => {
      const key = `${runFolder(id)}${part.statementId}/royalties-${part.part}.parquet`;
      return { ...part, royalties: await storePartFile(deps, part.royalties, key, signal) };
    });
    return { parts, totals: await readTotals(finished.totals) };
  });

async function readTotals(files: FinishedBucket['totals']): Promise<TotalsOf<BucketTotal>> {
  const read = async (grain: TotalsGrain): Promise<readonly BucketTotal[]> =>
    // The second pass wrote the statement first.
    (await readLines(files[grain].path)).map((line) => line.split(',') as [string, ...string[]]);
  return {
    releases: await read('releases'),
    markets: await read('markets'),
    tracks: await read('tracks'),
  };
}

/** Sums of fines and other income. */
export const sumOthers = (
  deps: RunFileDeps,
  parts: readonly RunPart[],
  signal: AbortSignal,
): Promise<readonly OtherAmount[]> =>
  parts.length === 0
    ? Promise.resolve([])
    : withFolder(deps, async (folder) => {
        const fetched = [];
        for (const part of parts) {
          const { reportId, number } = part;
          fetched.push({ path: await fetchCached(deps, part, signal), reportId, number });
        }
        return summarizeOther({ parts: fetched, folder, ...limits }, { signal, timeoutMs });
      });
