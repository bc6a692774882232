/**
 * The steps of a calculation in the database. Each reads which unit of work is next, or records one that is done and
 * enqueues the next, in one transaction: a worker that dies loses the unit that it was working on.
 */

import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import { allocateTaxes } from '../domain/allocate-taxes.ts';
import type { FinishedPart } from '../domain/calculated-part.ts';
import type { RunBucket, RunId, RunPart, RunPlan, StoredBucket } from '../domain/run-plan.ts';
import { blockedReview } from '../domain/run-review.ts';
import type { BucketTotal, TotalsOf } from '../domain/totals.ts';
import { wakeRun } from '../messages.ts';
import {
  findBucket,
  findBuckets,
  findProgress,
  writeCalculated,
  writeFinished,
  writeTaxes,
} from '../store/run-buckets.ts';
import { findRunShares } from '../store/run-inputs.ts';
import { hasUncalculated } from '../store/run-reversals.ts';
import { replaceBucketTotals } from '../store/run-totals.ts';
import { findPlan, lockRun, touchRun, updateRun } from '../store/runs.ts';
import { findOtherParts } from './plan-run.ts';

export type RunUnit =
  | { readonly type: 'plan'; readonly others: readonly RunPart[] }
  | { readonly type: 'calculate'; readonly bucket: number }
  | { readonly type: 'allocate' }
  | { readonly type: 'finish'; readonly bucket: number }
  | { readonly type: 'reverse' }
  | { readonly type: 'sum' };

/** Null: the run is not being calculated. */
export async function findNextUnit(tx: Tx, id: RunId): Promise<RunUnit | null> {
  const run = await lockRun(tx, id);
  if (run?.status !== 'calculating') return null;
  if (run.startedAt === null) return { type: 'plan', others: await findOtherParts(tx) };
  const { planned, calculated, isTaxed, next } = await findProgress(tx, tx.orgId, id);
  if (next === null) return { type: (await hasUncalculated(tx, id)) ? 'reverse' : 'sum' };
  if (planned > 0) return { type: 'calculate', bucket: next };
  if (!isTaxed) return { type: 'allocate' };
  return calculated > 0 ? { type: 'finish', bucket: next } : { type: 'sum' };
}

export type BucketWork = {
  readonly bucket: RunBucket;
  readonly plan: RunPlan;
  /** The matched parts with rows of the bucket's organizations. */
  readonly parts: readonly RunPart[];
};

/**
 * Rules of other organizations are left out. Undefined if the bucket has another status: the worker that recorded it was
 * killed before the engine knew.
 */
export async function readBucketWork(
  tx: Tx,
  id: RunId,
  number: number,
  status: RunBucket['status'],
): Promise<BucketWork | undefined> {
  const [bucket, plan, shares] = await Promise.all([
    findBucket(tx, tx.orgId, id, number),
    findPlan(tx, tx.orgId, id),
    findRunShares(tx, tx.orgId, id),
  ]);
  if (bucket === undefined || plan === undefined)
    throw new TypeError(`${id} has no bucket ${number}`);
  if (bucket.status !== status) return undefined;
  const orgIds = new Set(bucket.statements.map(({ orgId }) => orgId));
  const statementIds = new Set(bucket.statements.map(({ statementId }) => statementId));
  const needed = new Set(
    shares
      .filter(({ orgId }) => orgIds.has(orgId))
      .map(({ reportId, partNumber }) => `${reportId} ${partNumber}`),
  );
  return {
    bucket,
    plan: {
      ...plan,
      feeRules: plan.feeRules.filter(({ orgId }) => orgIds.has(orgId)),
      withholding: plan.withholding.filter(({ statementId }) => statementIds.has(statementId)),
    },
    parts: plan.parts.filter(
      ({ kind, reportId, number: part }) => kind === 'matched' && needed.has(`${reportId} ${part}`),
    ),
  };
}

export function continueRun(tx: Tx, id: RunId): void {
  touchRun(tx, id);
  enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, id, 'calculate'));
}

/** A run that was canceled or discarded meanwhile keeps nothing. */
export async function isCalculating(tx: Tx, id: RunId): Promise<boolean> {
  return (await lockRun(tx, id))?.status === 'calculating';
}

/** A run that cannot be calculated goes to review at once. */
export async function continueAfterPlan(tx: Tx, id: RunId): Promise<void> {
  if (!(await isCalculating(tx, id))) return;
  const problems = (await findPlan(tx, tx.orgId, id))?.problems ?? [];
  if (problems.length === 0) continueRun(tx, id);
  else updateRun(tx, id, { status: 'review', review: blockedReview(problems) });
}

export async function recordCalculated(
  tx: Tx,
  id: RunId,
  bucket: number,
  stored: StoredBucket,
): Promise<void> {
  if (!(await isCalculating(tx, id))) return;
  writeCalculated(tx, id, bucket, stored);
  continueRun(tx, id);
}

export async function recordTaxes(tx: Tx, id: RunId): Promise<void> {
  if (!(await isCalculating(tx, id))) return;
  const [buckets, plan] = await Promise.all([
    findBuckets(tx, tx.orgId, id),
    findPlan(tx, tx.orgId, id),
  ]);
  if (plan === undefined) throw new TypeError(`${id} has no plan`);
  const parts = buckets.flatMap(({ calculated }) => calculated?.parts ?? []);
  const { parts: taxed } = allocateTaxes(parts, plan.sourceTaxes, plan.withholding);
  const taxes = new Map(taxed.map((each) => [`${each.statementId} ${each.part}`, each]));
  for (const { number, statements } of buckets) {
    const ofBucket = statements.flatMap(
      ({ statementId, part }) => taxes.get(`${statementId} ${part}`) ?? [],
    );
    writeTaxes(tx, id, number, ofBucket);
  }
  continueRun(tx, id);
}

export async function recordFinished(
  tx: Tx,
  id: RunId,
  bucket: number,
  {
    parts,
    totals,
  }: { readonly parts: readonly FinishedPart[]; readonly totals: TotalsOf<BucketTotal> },
): Promise<void> {
  if (!(await isCalculating(tx, id))) return;
  replaceBucketTotals(tx, id, bucket, totals);
  writeFinished(tx, id, bucket, parts);
  continueRun(tx, id);
}
