import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  canMove,
  entriesOfMove,
  type Payout,
  type PayoutHold,
  type PayoutStatus,
} from '../domain/payout.ts';
import type { PayoutWithHolds } from '../domain/present-payout.ts';
import { payoutStatusChanged } from '../events.ts';
import { post } from '../store/ledger.ts';
import { findOpenHolds } from '../store/payout-holds.ts';
import { insertTransition, updatePayout } from '../store/payouts.ts';

export type Move = {
  readonly to: PayoutStatus;
  /** Why, as the transitions of the payout show it. */
  readonly cause: string;
  readonly changes?: Partial<
    Pick<Payout, 'failureCode' | 'railReference' | 'arrivesOn' | 'cutOffAt' | 'expiresAt'>
  >;
};

/**
 * The one place where the status of a payout changes: the row, its transition, the posting, the event and nothing else.
 * The caller has locked the payout and decided that the move is right. A move outside the table is a defect, and a move
 * towards money with an open hold too.
 */
export async function movePayout(tx: Tx, payout: Payout, move: Move): Promise<PayoutWithHolds> {
  const holds = (await findOpenHolds(tx, tx.orgId, [payout.id])).get(payout.id) ?? [];
  return writeMove(tx, payout, holds, move);
}

/** `holds`: those that are open now. */
export function writeMove(
  tx: Tx,
  payout: Payout,
  holds: readonly PayoutHold[],
  { to, cause, changes = {} }: Move,
): PayoutWithHolds {
  const from = payout.status;
  if (!canMove(from, to)) throw new Error(`payout ${payout.id} cannot move from ${from} to ${to}`);
  const moved: Payout = {
    ...payout,
    ...changes,
    status: to,
    updatedAt: nextUpdatedAt(payout, tx.now),
  };
  if (holds.length > 0 && (to === 'pending' || to === 'processing')) {
    throw new Error(`payout ${payout.id} has an open hold`);
  }
  updatePayout(tx, moved);
  insertTransition(tx, payout.id, { from, to, cause });
  const entries = entriesOfMove(payout, to);
  if (entries.length > 0) post(tx, [{ key: `payout.${to}:${payout.id}`, entries }]);
  appendEvent(tx, payoutStatusChanged(from, { payout: moved, holds }));
  return { payout: moved, holds };
}
