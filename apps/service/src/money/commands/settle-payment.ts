/**
 * One exchange with the rail about a payment, between two transactions. The rail is always asked first, by the id of
 * the payout. The payment is sent only if the rail does not know that key and the payout is processing: so nothing is
 * sent under another key, and a worker that was killed during a send does not have to know how far it came.
 */

import type { OrgId } from '../../kernel/ids.ts';
import { formatMinorUnits } from '../../kernel/money.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type {
  AskOutcome,
  PaymentSimulation,
  PayoutRail,
  SendOutcome,
} from '../connectors/payout-rail.ts';
import type { PayoutMethod } from '../domain/payout-method.ts';
import type { Payout, PayoutId } from '../domain/payout.ts';
import { nextAskAt } from '../domain/rail-schedule.ts';
import { wakePayout } from '../messages.ts';
import { countAttempts, insertAttempt } from '../store/payout-attempts.ts';
import { findPayoutMethod } from '../store/payout-methods.ts';
import { findPayout, lockPayout } from '../store/payouts.ts';
import { auditPayout } from './audit-payout.ts';
import { type Move, movePayout } from './move-payout.ts';
import { openDetails } from './open-details.ts';

export type SettleDeps = { readonly rail: PayoutRail; readonly keyring: Keyring };

/** In the memory of the worker only: the side effect has no journal entry of it. */
export type PaymentClaim = {
  readonly orgId: OrgId;
  readonly payout: Payout;
  readonly method: PayoutMethod;
  readonly simulation: PaymentSimulation | undefined;
  readonly now: Date;
};

type RailOutcome = SendOutcome | AskOutcome | { readonly outcome: 'unknown'; readonly why: string };
export type PaymentResult = { readonly action: 'send' | 'ask'; readonly answer: RailOutcome };

const askedStatuses = new Set(['processing', 'in_transit', 'paid']);

/** After the cut-off: the first exchange. Later ones follow by timers, so a repeated cut-off does not begin again. */
export async function claimFirst(
  tx: Tx,
  id: PayoutId,
  deps: SettleDeps,
): Promise<PaymentClaim | undefined> {
  const { attempts } = await countAttempts(tx, id);
  return attempts === 0 ? claimPayment(tx, id, deps) : undefined;
}

/** Undefined if there is nothing to ask about. */
export async function claimPayment(
  tx: Tx,
  id: PayoutId,
  { rail }: SettleDeps,
): Promise<PaymentClaim | undefined> {
  const payout = await findPayout(tx, tx.orgId, id);
  if (payout === undefined || !askedStatuses.has(payout.status)) return undefined;
  const method = await findPayoutMethod(tx, tx.orgId, payout.payoutMethodId);
  if (method === undefined) throw new Error(`payout ${id} has no payout method`);
  const simulation = payout.status === 'processing' ? await rail.simulate?.(tx, payout) : undefined;
  return { orgId: tx.orgId, payout, method, simulation, now: tx.now };
}

/** An error of the rail is an unknown outcome, unless the engine has given this attempt up. */
export async function exchangeWithRail(
  { rail, keyring }: SettleDeps,
  { orgId, payout, method, simulation, now }: PaymentClaim,
  signal: AbortSignal,
): Promise<PaymentResult> {
  let action: PaymentResult['action'] = 'ask';
  try {
    const asked = await rail.ask(payout.id, now, signal);
    if (asked.outcome !== 'not_found' || payout.status !== 'processing') {
      return { action, answer: asked };
    }
    action = 'send';
    const payment = {
      key: payout.id,
      amount: formatMinorUnits(payout.destinationAmount, payout.destinationCurrency),
      currency: payout.destinationCurrency,
      details: openDetails(keyring, orgId, method),
      simulation,
    };
    return { action, answer: await rail.send(payment, signal) };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    return { action, answer: { outcome: 'unknown', why } };
  }
}

/** Records the attempt, moves the payout by the rail's answer and sets the timer of the next exchange. */
export async function recordPayment(
  tx: Tx,
  { payout: { id } }: PaymentClaim,
  { action, answer }: PaymentResult,
): Promise<void> {
  const payout = await lockPayout(tx, id);
  // Settled meanwhile by another exchange about it.
  if (payout === undefined || !askedStatuses.has(payout.status)) return;
  insertAttempt(tx, id, { action, outcome: answer.outcome, detail: detailOf(answer) });
  const settled = await applyOutcome(tx, payout, answer);
  const { unknowns } = await countAttempts(tx, id);
  const next = nextAskAt(settled, unknowns, tx.now);
  if (next !== undefined) setTimer(tx, next, wakePayout(tx.orgId, id, 'ask'));
}

function detailOf(answer: RailOutcome): string | null {
  if (answer.outcome === 'unknown') return answer.why.slice(0, 200);
  return 'code' in answer ? answer.code : null;
}

async function applyOutcome(tx: Tx, payout: Payout, answer: RailOutcome): Promise<Payout> {
  let settled = payout;
  for (const move of movesAfter(payout, answer)) {
    const before = { payout: settled, holds: [] };
    const after = await movePayout(tx, settled, move);
    auditPayout(tx, 'payout.change_status', { before, after });
    settled = after.payout;
  }
  return settled;
}

/** A payment whose outcome was unknown for long may have arrived, or come back, by the time the rail answers. */
function movesAfter({ status }: Payout, answer: RailOutcome): readonly Move[] {
  switch (answer.outcome) {
    case 'accepted':
    case 'in_transit':
      return status === 'processing' ? [leave(answer)] : [];
    case 'confirmed':
      if (status === 'paid') return [];
      return [...(status === 'processing' ? [leave(answer)] : []), arrive];
    case 'bounced':
      return [...(status === 'processing' ? [leave(answer)] : []), comeBack(answer.code)];
    case 'refused':
      return [status === 'processing' ? refuse(answer.code) : comeBack(answer.code)];
    default:
      return [];
  }
}

type Left = { readonly reference: string; readonly arrivesOn: string };

const leave = ({ reference, arrivesOn }: Left): Move => ({
  to: 'in_transit',
  cause: 'rail_accepted',
  changes: { railReference: reference, arrivesOn },
});
const arrive: Move = { to: 'paid', cause: 'rail_confirmed' };
const comeBack = (code: string): Move => ({
  to: 'returned',
  cause: 'rail_bounced',
  changes: { failureCode: code },
});
const refuse = (code: string): Move => ({
  to: 'failed',
  cause: 'rail_refused',
  changes: { failureCode: code },
});
