/** The last transactions of a run, in the organization that owns it. */

import type { Currency } from '../../kernel/currency.ts';
import { type Micros, toMicros } from '../../kernel/money.ts';
import type { Month } from '../../kernel/month.ts';
import { findBalance, lockLedger, post, type Entry } from '../../money/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { OtherAmount } from '../domain/other-amount.ts';
import type { RunId, Supersession } from '../domain/run-plan.ts';
import { formatSourceAmount, sourceToMicros, sourceUnits } from '../domain/source-amount.ts';
import { wakeRun } from '../messages.ts';
import { releaseReports, sumSuspense } from '../store/run-inputs.ts';
import { removeReversals } from '../store/run-reversals.ts';
import { removeRunRows } from '../store/run-totals.ts';
import { findPlan, lockRun, updateRun } from '../store/runs.ts';
import { supersedeReversed } from './supersede-reversed.ts';

/** The month to close; null if the run is not being closed. */
export async function findClosingMonth(tx: Tx, id: RunId): Promise<Month | null> {
  const run = await lockRun(tx, id);
  return run?.status === 'approved' && run.closingAt !== null ? run.statementMonth : null;
}

/** After all statements are published. Their documents are made afterwards. */
export async function completeRun(tx: Tx, id: RunId): Promise<void> {
  const run = await lockRun(tx, id);
  if (run?.status !== 'approved') return;
  const plan = await findPlan(tx, tx.orgId, id);
  if (plan === undefined) throw new TypeError(`${id} has no plan`);
  await supersedeReversed(tx, plan.supersessions);
  await postUnowned(tx, id, [...plan.others, ...(await reversedOthers(tx, plan.supersessions))]);
  updateRun(tx, id, { status: 'closed', closedAt: tx.now });
  enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, id, 'document'));
}

/**
 * What no partner owns is in the ledger of the run's owner: `suspense` contains the unmatched amounts of all included
 * reports, also after some of them were matched later. Fines and income that name no partner are the owner's own.
 */
async function postUnowned(tx: Tx, id: RunId, others: readonly Unowned[]): Promise<void> {
  lockLedger(tx);
  const own = new Map<Currency, bigint>();
  for (const { orgId, currency, amount } of others) {
    if (orgId === null) own.set(currency, (own.get(currency) ?? 0n) + sourceUnits(amount));
  }
  const suspense = new Map<Currency, Micros>();
  for (const { currency, amount } of await sumSuspense(tx, tx.orgId)) {
    const booked = await findBalance(tx, tx.orgId, currency, 'suspense');
    suspense.set(currency, toMicros(sourceToMicros(sourceUnits(amount)) - booked));
  }
  const currencies = new Set([...own.keys(), ...suspense.keys()]);
  const entries = [...currencies].flatMap((currency) =>
    entriesOf(
      currency,
      suspense.get(currency) ?? toMicros(0n),
      sourceToMicros(own.get(currency) ?? 0n),
    ),
  );
  // One posting for each currency: a posting has few entries.
  for (const [currency, ofCurrency] of Map.groupBy(entries, (entry) => entry.currency)) {
    post(tx, [{ key: `run.closed:${id}:${currency}`, entries: ofCurrency }]);
  }
}

type Unowned = Pick<OtherAmount, 'orgId' | 'currency' | 'amount'>;

/** Of superseded reports, with their signs changed. */
async function reversedOthers(
  tx: Tx,
  supersessions: readonly Supersession[],
): Promise<readonly Unowned[]> {
  const reportIds = new Set(supersessions.map(({ reportId }) => reportId));
  const runIds = new Set(supersessions.flatMap((each) => each.runIds));
  const reversed: Unowned[] = [];
  for (const runId of runIds) {
    const paid = await findPlan(tx, tx.orgId, runId);
    for (const { reportId, orgId, currency, amount } of paid?.others ?? []) {
      if (!reportIds.has(reportId)) continue;
      reversed.push({ orgId, currency, amount: formatSourceAmount(0n - sourceUnits(amount)) });
    }
  }
  return reversed;
}

const entriesOf = (currency: Currency, suspense: Micros, own: Micros): readonly Entry[] =>
  (
    [
      ['store_receivable', toMicros(0n - suspense - own)],
      ['suspense', suspense],
      ['fee_income', own],
    ] as const
  )
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, currency, amount }));

/** Whether something of a discarded run is left to remove. */
export async function isDiscarded(tx: Tx, id: RunId): Promise<boolean> {
  const run = await lockRun(tx, id);
  return run?.status === 'discarded' && run.removedAt === null;
}

/** A bounded number of rows; true when none is left. Then its reports are free for another run. */
export async function removeSomeRows(tx: Tx, id: RunId): Promise<boolean> {
  if (!(await isDiscarded(tx, id))) return true;
  if (!(await removeRunRows(tx, id))) return false;
  releaseReports(tx, id);
  removeReversals(tx, id);
  updateRun(tx, id, { removedAt: tx.realNow });
  return true;
}
