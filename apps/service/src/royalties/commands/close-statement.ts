/**
 * Closes the statement of one organization and currency, in one transaction: its posting, its adjustments, the published
 * statement with its files and totals, and the next open statement. Nothing of it happens if the statement does not
 * reconcile. Safe to repeat.
 */

import type { Currency } from '../../kernel/currency.ts';
import { type Micros, sumMicros, toMicros } from '../../kernel/money.ts';
import { firstDayOf, lastDayOf, type Month, nextMonth } from '../../kernel/month.ts';
import {
  assignAdjustments,
  createAdjustment,
  deletePendingNet,
  type Entry,
  findBalances,
  holdEarnings,
  lockLedger,
  type OwnAccount,
  post,
  sumPayouts,
} from '../../money/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import type { OtherAdjustment } from '../domain/other-amount.ts';
import type { Correction } from '../domain/reversal.ts';
import type { RunId } from '../domain/run-plan.ts';
import { microsOf, type RunStatement, type StatementHold } from '../domain/run-statement.ts';
import {
  type AccountVersions,
  noVersions,
  presentStatement,
  requireReconciled,
  type Statement,
} from '../domain/statement.ts';
import { requireTotals, type Total, type TotalsOf } from '../domain/totals.ts';
import { statementPublished } from '../events.ts';
import { insertSections } from '../store/royalty-sections.ts';
import { insertRoyaltyTotals } from '../store/run-totals.ts';
import {
  findLastStatement,
  findStatement,
  insertArtifacts,
  insertStatement,
  publishStatement,
} from '../store/statements.ts';
import { correctStatement } from './correct-statement.ts';

export type Closing = {
  readonly runId: RunId;
  readonly month: Month;
  readonly statement: RunStatement;
  readonly totals: TotalsOf<Total>;
};

const zero = toMicros(0n);

export async function closeStatement(tx: Tx, closing: Closing): Promise<void> {
  const { runId, statement: calculated, totals } = closing;
  lockLedger(tx);
  const open = await findStatement(tx, tx.orgId, calculated.statementId);
  if (open?.status === 'published') return;
  requireTotals(calculated, totals);
  const last = await findLastStatement(tx, calculated.currency);
  postStatement(tx, calculated);
  await adjust(tx, calculated);
  for (const hold of calculated.holds) await holdDisputed(tx, calculated, hold);
  const published = await reconcile(tx, closing, last, open);
  if (open === undefined) insertStatement(tx, published);
  else publishStatement(tx, published);
  insertArtifacts(tx, published.id, calculated.artifacts);
  insertSections(tx, published.id, calculated.artifacts);
  insertRoyaltyTotals(tx, published, totals);
  deletePendingNet(tx, runId, calculated.currency);
  openNextStatement(tx, published);
  appendEvent(tx, statementPublished(published));
  appendAudit(tx, {
    action: 'statement.publish',
    auditedId: published.id,
    before: undefined,
    after: presentStatement(published),
  });
}

/** One posting, however many lines the statement has. */
function postStatement(tx: Tx, statement: RunStatement): void {
  const { statementId, currency, grossAmount, sourceTaxAmount } = statement;
  const amounts: readonly (readonly [Entry['account'], Micros])[] = [
    ['store_receivable', toMicros(sourceTaxAmount - grossAmount)],
    ['payable', statement.netAmount],
    ['fee_income', statement.feeAmount],
    ['withholding_payable', statement.payeeTaxAmount],
  ];
  const entries = amounts
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, currency, amount }));
  if (entries.length > 0) post(tx, [{ key: `statement.published:${statementId}`, entries }]);
}

async function adjust(tx: Tx, statement: RunStatement): Promise<void> {
  const corrections: Correction[] = [];
  for (const adjustment of statement.adjustments) {
    if (adjustment.type === 'correction') corrections.push(adjustment);
    else adjustForOther(tx, statement, adjustment);
  }
  await correctStatement(tx, statement, corrections);
}

function adjustForOther(
  tx: Tx,
  { currency }: Pick<RunStatement, 'currency'>,
  { type, grossAmount, feeAmount, reason }: OtherAdjustment,
): void {
  const adjustment = createAdjustment(tx, {
    type,
    currency,
    grossAmount: microsOf(grossAmount),
    feeAmount: microsOf(feeAmount),
    taxAmount: zero,
    reason,
    refersTo: null,
  });
  appendAudit(tx, {
    action: 'adjustment.create',
    auditedId: adjustment.id,
    before: undefined,
    after: { id: adjustment.id, type, currency, amount: String(adjustment.amount) },
  });
}

/** The store has not paid this part: it is credited, and held until the dispute ends. */
async function holdDisputed(
  tx: Tx,
  { currency }: Pick<RunStatement, 'currency'>,
  { storeId, reportId, amount }: StatementHold,
): Promise<void> {
  const hold = await holdEarnings(tx, {
    reason: 'store_dispute',
    currency,
    amount: microsOf(amount),
    storeId,
    isrc: null,
    periodStart: null,
    periodEnd: null,
    evidence: `The store has not paid report ${reportId} in full.`,
    reportId,
    reviewBy: null,
  });
  appendAudit(tx, {
    action: 'earnings.hold',
    auditedId: hold.id,
    before: undefined,
    after: { id: hold.id, currency, amount },
  });
}

async function reconcile(
  tx: Tx,
  { runId, month, statement: calculated }: Closing,
  last: Statement | undefined,
  open: Statement | undefined,
): Promise<Statement> {
  const { currency, statementId } = calculated;
  const openingVersions = last?.closingVersions ?? noVersions;
  const payoutAmount = await sumPayouts(tx, currency, openingVersions);
  const adjustmentAmount = await assignAdjustments(tx, currency, statementId);
  const balances = await ownBalances(tx, currency);
  const statement: Statement = {
    id: statementId,
    status: 'published',
    currency,
    periodStart: open?.periodStart ?? firstDayOf(month),
    periodEnd: lastDayOf(month),
    openingBalance: last?.closingBalance ?? zero,
    grossAmount: calculated.grossAmount,
    feeAmount: calculated.feeAmount,
    sourceTaxAmount: calculated.sourceTaxAmount,
    payeeTaxAmount: calculated.payeeTaxAmount,
    netAmount: calculated.netAmount,
    adjustmentAmount,
    payoutAmount,
    closingBalance: sumMicros(Object.values(balances.amounts)),
    availableAmount: balances.amounts.payable,
    reservedAmount: balances.amounts.payout_reserved,
    heldAmount: balances.amounts.held,
    lineItemCount: calculated.lineItemCount,
    openingVersions,
    closingVersions: balances.versions,
    runId,
    publishedAt: tx.now,
    createdAt: open?.createdAt ?? tx.now,
  };
  requireReconciled(statement);
  return statement;
}

type OwnBalances = {
  readonly amounts: Readonly<Record<OwnAccount, Micros>>;
  readonly versions: AccountVersions;
};

async function ownBalances(tx: Tx, currency: Currency): Promise<OwnBalances> {
  const balances = await findBalances(tx, tx.orgId);
  const of = (account: OwnAccount) =>
    balances.find((each) => each.currency === currency && each.account === account);
  const amountOf = (account: OwnAccount) => of(account)?.balance ?? zero;
  const versionOf = (account: OwnAccount) => String(of(account)?.version ?? 0n);
  return {
    amounts: {
      payable: amountOf('payable'),
      payout_reserved: amountOf('payout_reserved'),
      held: amountOf('held'),
    },
    versions: {
      payable: versionOf('payable'),
      payout_reserved: versionOf('payout_reserved'),
      held: versionOf('held'),
    },
  };
}

/** Its amounts stay zero until it is published; its period may become longer if a month has no run. */
function openNextStatement(
  tx: Tx,
  { currency, periodEnd, closingBalance, closingVersions }: Statement,
): void {
  const month = nextMonth(periodEnd.slice(0, 'YYYY-MM'.length));
  insertStatement(tx, {
    id: tx.newId('stm'),
    status: 'open',
    currency,
    periodStart: firstDayOf(month),
    periodEnd: lastDayOf(month),
    openingBalance: closingBalance,
    grossAmount: zero,
    feeAmount: zero,
    sourceTaxAmount: zero,
    payeeTaxAmount: zero,
    netAmount: zero,
    adjustmentAmount: zero,
    payoutAmount: zero,
    closingBalance,
    availableAmount: zero,
    reservedAmount: zero,
    heldAmount: zero,
    lineItemCount: 0,
    openingVersions: closingVersions ?? noVersions,
    closingVersions: null,
    runId: null,
    publishedAt: null,
    createdAt: tx.now,
  });
}
