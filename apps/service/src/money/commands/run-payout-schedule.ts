import type { Currency } from '../../kernel/currency.ts';
import { floorToMinorUnits, type Micros } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type { Screening } from '../connectors/screening.ts';
import type { PayoutMethod } from '../domain/payout-method.ts';
import { minimumOf } from '../domain/payout-minimum.ts';
import { nextMonthlyPayout, type PayoutSettings } from '../domain/payout-settings.ts';
import { presentPayout } from '../domain/present-payout.ts';
import { runPayoutSchedule as runAgain } from '../messages.ts';
import { findFxRate } from '../store/fx-rates.ts';
import { findBalances, lockLedger } from '../store/ledger.ts';
import { findActiveMethods } from '../store/payout-methods.ts';
import { lockPayoutSettings, writeNextPayout } from '../store/payout-settings.ts';
import { createPayout } from './create-payout.ts';

/**
 * Creates the payouts of the month and sets the timer of the next month. A second run of the same month finds the next
 * one in the row, and does nothing.
 */
export async function runPayoutSchedule(tx: Tx, screen: Screening): Promise<void> {
  const { settings } = await lockPayoutSettings(tx);
  const { nextPayoutAt } = settings;
  if (nextPayoutAt === null || nextPayoutAt > tx.now) return;
  const next = nextMonthlyPayout(tx.now);
  writeNextPayout(tx, next, setTimer(tx, next, runAgain(tx.orgId)));
  for (const due of await findDuePayouts(tx, settings)) await payOut(tx, due, screen);
}

type DuePayout = {
  readonly currency: Currency;
  readonly amount: Micros;
  readonly method: PayoutMethod;
};

/** The whole balance of each currency that reaches its minimum and has a method. */
async function findDuePayouts(tx: Tx, settings: PayoutSettings): Promise<readonly DuePayout[]> {
  lockLedger(tx);
  const methods = await findActiveMethods(tx, tx.orgId);
  const due: DuePayout[] = [];
  for (const { currency, account, balance } of await findBalances(tx, tx.orgId)) {
    const amount = floorToMinorUnits(balance, currency);
    if (account !== 'payable' || amount < minimumOf(settings, currency)) continue;
    const method = await findMethodFor(tx, currency, methods);
    if (method !== undefined) due.push({ currency, amount, method });
  }
  return due;
}

/** The newest of the currency, or else the newest of a currency that there is a rate for. */
async function findMethodFor(
  tx: Tx,
  currency: Currency,
  methods: readonly PayoutMethod[],
): Promise<PayoutMethod | undefined> {
  const same = methods.find((method) => method.currency === currency);
  if (same !== undefined) return same;
  for (const method of methods) {
    if ((await findFxRate(tx, currency, method.currency)) !== undefined) return method;
  }
  return undefined;
}

/** A refusal, such as a missing tax profile, is no error: the balance waits for the next month. */
async function payOut(
  tx: Tx,
  { amount, currency, method }: DuePayout,
  screen: Screening,
): Promise<void> {
  try {
    const created = await createPayout(
      tx,
      { amount, currency, payoutMethodId: method.id },
      { screen },
    );
    const after = presentPayout(created);
    const action = 'payout.create';
    appendAudit(tx, { action, auditedId: created.payout.id, before: undefined, after });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
