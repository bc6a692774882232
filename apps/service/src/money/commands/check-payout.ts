import { findVerification } from '../../identity/face.ts';
import { addMs, hourMs } from '../../kernel/duration.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Screening } from '../connectors/screening.ts';
import { complianceReview, holdsDemandedBy, type NewHold } from '../domain/payout-check.ts';
import type { Payout } from '../domain/payout.ts';
import type { ScreeningStage } from '../domain/screening.ts';
import { findLastRelease, findOpenHolds } from '../store/payout-holds.ts';
import { findPayoutMethods } from '../store/payout-methods.ts';
import { findTaxProfile } from '../store/tax-profiles.ts';
import { screenPayout } from './screen-payout.ts';

/** At creation and at the cut-off, payee and destination are screened too. */
export type ScreeningAt = { readonly stage: ScreeningStage; readonly screen: Screening };

/**
 * The holds that verification, tax form, method and screening demand now and that are not open. The row of the payout
 * exists, and is locked.
 */
export async function findHoldsToOpen(
  tx: Tx,
  payout: Payout,
  screening: ScreeningAt,
): Promise<readonly NewHold[]> {
  const demanded = await findDemandedHolds(tx, payout);
  const isReviewNeeded = await needsReview(tx, payout, screening);
  const open = (await findOpenHolds(tx, tx.orgId, [payout.id])).get(payout.id) ?? [];
  return [...demanded, ...(isReviewNeeded ? [complianceReview] : [])].filter(
    ({ reason }) => !open.some((hold) => hold.reason === reason),
  );
}

/** Without screening. */
export const findDemandedHolds = async (tx: Tx, payout: Payout): Promise<readonly NewHold[]> =>
  (await readHoldCauses(tx, [payout]))(payout);

/** What demands holds, read once for any number of payouts. The function returns the demanded holds of each. */
export async function readHoldCauses(
  tx: Tx,
  payouts: readonly Payout[],
): Promise<(payout: Payout) => readonly NewHold[]> {
  const methodIds = [...new Set(payouts.map(({ payoutMethodId }) => payoutMethodId))];
  const [verification, taxProfile, methods] = await Promise.all([
    findVerification(tx),
    findTaxProfile(tx, tx.orgId),
    findPayoutMethods(tx, tx.orgId, methodIds),
  ]);
  return (payout) => {
    const method = methods.get(payout.payoutMethodId);
    if (verification === undefined || method === undefined) {
      throw new Error(`payout ${payout.id} has no organization or no payout method`);
    }
    return holdsDemandedBy({ payout, verification, taxProfile, method, now: tx.now });
  };
}

/** At least as long as the time between two cut-offs, those over a weekend included. */
const reviewValidMs = 72 * hourMs;

/** A review that an operator released answers the screening at the cut-off that follows, and no later one. */
async function needsReview(
  tx: Tx,
  payout: Payout,
  { stage, screen }: ScreeningAt,
): Promise<boolean> {
  if ((await screenPayout(tx, screen, payout, stage)) === 'clear') return false;
  const releasedAt = await findLastRelease(tx, payout.id, 'compliance_review');
  return releasedAt === undefined || addMs(releasedAt, reviewValidMs) < tx.now;
}
