import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { HoldReason, PayoutId } from '../domain/payout.ts';
import { wakePayout } from '../messages.ts';
import { findHeldPayouts } from '../store/payout-holds.ts';

const payoutsAtOnce = 200;

/** The causes that a change of the organization removes: its verification, its tax profile. */
const reasons: readonly HoldReason[] = ['identity_verification', 'tax_form_missing'];

/**
 * Enqueues the check of payouts that wait for the organization, one batch. Returns the last payout of the batch, after
 * which the next one starts; null if it was the last batch.
 */
export async function enqueueHoldChecks(tx: Tx, after: PayoutId | null): Promise<PayoutId | null> {
  const ids = await findHeldPayouts(tx, reasons, after, payoutsAtOnce);
  for (const id of ids) enqueueDurably(tx, wakePayout(tx.orgId, id, 'checkHolds'));
  return ids.length < payoutsAtOnce ? null : (ids.at(-1) ?? null);
}
