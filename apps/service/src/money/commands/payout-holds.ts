/**
 * Holds of a payout (ADR 0036). A hold is a row, and no handler waits for it: whatever may close a hold runs these
 * commands, which decide by the rows. In all of them the caller has locked the payout.
 */

import type { Changed } from '../../kernel/changed.ts';
import { addMs } from '../../kernel/duration.ts';
import { Problem } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably, setTimer } from '../../platform/engine/timers.ts';
import { nextCutOff } from '../domain/cut-off.ts';
import { isClosedByCheck, isOver, type NewHold } from '../domain/payout-check.ts';
import type { HoldReason, Payout, PayoutHold } from '../domain/payout.ts';
import type { PayoutWithHolds } from '../domain/present-payout.ts';
import { wakePayout } from '../messages.ts';
import { findOpenHolds, insertHolds, resolveHold } from '../store/payout-holds.ts';
import { updatePayout } from '../store/payouts.ts';
import { findDemandedHolds } from './check-payout.ts';
import { type Move, movePayout, writeMove } from './move-payout.ts';

/** Moves a pending payout to on_hold. No hold of these reasons is open. */
export async function openHolds(
  tx: Tx,
  payout: Payout,
  holds: readonly NewHold[],
): Promise<PayoutWithHolds> {
  insertNewHolds(tx, [{ payout, holds }]);
  return payout.status === 'pending'
    ? movePayout(tx, payout, holdOpened)
    : updateChanged(tx, payout);
}

const holdOpened: Move = { to: 'on_hold', cause: 'hold_opened' };

type HoldsToOpen = { readonly payout: Payout; readonly holds: readonly NewHold[] };

/** Of any number of pending payouts, without a round trip for each. */
export const openHoldsOfPending = (
  tx: Tx,
  opened: readonly HoldsToOpen[],
): readonly Changed<PayoutWithHolds>[] =>
  insertNewHolds(tx, opened).map(({ payout, holds }) => ({
    before: { payout, holds: [] },
    after: writeMove(tx, payout, holds, holdOpened),
  }));

function insertNewHolds(tx: Tx, opened: readonly HoldsToOpen[]): readonly PayoutWithHolds[] {
  const withHolds = opened.map(({ payout, holds }) => ({
    payout,
    holds: holds.map((hold) => ({ ...hold, id: tx.newId('phl'), since: tx.now })),
  }));
  insertHolds(
    tx,
    withHolds.flatMap(({ payout, holds }) => holds.map((hold) => ({ payoutId: payout.id, hold }))),
  );
  for (const { payout, holds } of withHolds) {
    for (const hold of holds) scheduleCheck(tx, payout, hold);
  }
  return withHolds;
}

export const openHold = (tx: Tx, payout: Payout, hold: NewHold): Promise<PayoutWithHolds> =>
  openHolds(tx, payout, [hold]);

/**
 * The cause may have gone in a transaction that committed before this one and did not see the hold. The check that is
 * enqueued here runs after this commit, so it sees both.
 */
function scheduleCheck(tx: Tx, payout: Payout, hold: NewHold): void {
  if (!isClosedByCheck(hold)) return;
  const check = wakePayout(tx.orgId, payout.id, 'checkHolds');
  if (hold.dueBy !== null && hold.dueBy < payout.expiresAt) setTimer(tx, hold.dueBy, check);
  else enqueueDurably(tx, check);
}

/**
 * Closes the open hold of this reason and runs all checks again. A hold whose cause is still there opens again. Without
 * an open hold the payout is pending, with a new cut-off.
 */
export async function releaseHold(
  tx: Tx,
  payout: Payout,
  reason: HoldReason,
): Promise<PayoutWithHolds> {
  const hold = await requireOpenHold(tx, payout, reason);
  resolveHold(tx, payout.id, reason, 'released');
  return recheckHolds(tx, resumeExpiry(tx, payout, hold), true);
}

/** The payout is canceled. */
export async function rejectHold(
  tx: Tx,
  payout: Payout,
  reason: HoldReason,
): Promise<PayoutWithHolds> {
  await requireOpenHold(tx, payout, reason);
  resolveHold(tx, payout.id, reason, 'rejected');
  return cancelHeld(tx, payout, 'hold_rejected');
}

/** Closes the holds that are still open, then cancels the payout. */
export async function cancelHeld(
  tx: Tx,
  payout: Payout,
  cause: 'canceled' | 'hold_rejected' | 'expired',
): Promise<PayoutWithHolds> {
  for (const { reason } of await openHoldsOf(tx, payout)) {
    resolveHold(tx, payout.id, reason, 'canceled');
  }
  return movePayout(tx, payout, { to: 'canceled', cause });
}

/**
 * Closes holds whose cause is gone and opens those whose cause is new. `isChanged`: the caller has changed the payout,
 * so its row is written in any case.
 */
export async function recheckHolds(
  tx: Tx,
  payout: Payout,
  isChanged: boolean,
): Promise<PayoutWithHolds> {
  const demanded = await findDemandedHolds(tx, payout);
  const open = await openHoldsOf(tx, payout);
  const gone = open.filter((hold) => isOver(hold, demanded, tx.now));
  for (const { reason } of gone) resolveHold(tx, payout.id, reason, 'released');
  const added = demanded.filter(({ reason }) => !open.some((hold) => hold.reason === reason));
  if (added.length > 0) return openHolds(tx, payout, added);
  if (!isChanged && gone.length === 0) return { payout, holds: open };
  if (payout.status !== 'on_hold' || gone.length < open.length) return updateChanged(tx, payout);
  const cutOffAt = nextCutOff(tx.now);
  setTimer(tx, cutOffAt, wakePayout(tx.orgId, payout.id, 'cutOff'));
  return movePayout(tx, payout, { to: 'pending', cause: 'holds_released', changes: { cutOffAt } });
}

/** The 30 days did not run while the compliance review was open. */
function resumeExpiry(tx: Tx, payout: Payout, { reason, since }: PayoutHold): Payout {
  if (reason !== 'compliance_review') return payout;
  const expiresAt = addMs(payout.expiresAt, tx.now.getTime() - since.getTime());
  setTimer(tx, expiresAt, wakePayout(tx.orgId, payout.id, 'expire'));
  return { ...payout, expiresAt };
}

const openHoldsOf = async (tx: Tx, { id }: Payout): Promise<readonly PayoutHold[]> =>
  (await findOpenHolds(tx, tx.orgId, [id])).get(id) ?? [];

async function requireOpenHold(tx: Tx, payout: Payout, reason: HoldReason): Promise<PayoutHold> {
  const hold = (await openHoldsOf(tx, payout)).find((open) => open.reason === reason);
  if (hold === undefined) {
    throw new Problem('invalid_state', `The payout has no open hold with the reason ${reason}.`);
  }
  return hold;
}

/** The status is the same, the holds or the expiry are not. */
async function updateChanged(tx: Tx, payout: Payout): Promise<PayoutWithHolds> {
  const changed = { ...payout, updatedAt: nextUpdatedAt(payout, tx.now) };
  updatePayout(tx, changed);
  return { payout: changed, holds: await openHoldsOf(tx, changed) };
}
