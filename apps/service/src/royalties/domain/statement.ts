/**
 * The statement of one organization, currency and month. Published, it never changes:
 *
 *   opening_balance + net_amount + adjustment_amount − payout_amount = closing_balance
 *
 * to the micro. It opens with the balance at which the statement before closed, and closes with what is payable, reserved
 * and held at the last entries of those accounts (`closingVersions`); the next one starts after them.
 */

import type { Currency } from '../../kernel/currency.ts';
import { formatMicros, type Micros, toMicros } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import type { OwnAccount } from '../../money/face.ts';
import type { StatementId } from './calculation.ts';
import type { RunId } from './run-plan.ts';

export const statementStatuses = ['open', 'published'] as const;
export type StatementStatus = (typeof statementStatuses)[number];

/** How many entries each account had. */
export type AccountVersions = Readonly<Record<OwnAccount, string>>;
export const noVersions: AccountVersions = { payable: '0', payout_reserved: '0', held: '0' };

/** What a run has calculated. */
export type StatementAmounts = {
  readonly grossAmount: Micros;
  readonly feeAmount: Micros;
  readonly sourceTaxAmount: Micros;
  readonly payeeTaxAmount: Micros;
  readonly netAmount: Micros;
};

export type Statement = StatementAmounts & {
  readonly id: StatementId;
  readonly status: StatementStatus;
  readonly currency: Currency;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly openingBalance: Micros;
  readonly adjustmentAmount: Micros;
  readonly payoutAmount: Micros;
  readonly closingBalance: Micros;
  readonly availableAmount: Micros;
  readonly reservedAmount: Micros;
  readonly heldAmount: Micros;
  readonly lineItemCount: number;
  readonly openingVersions: AccountVersions;
  readonly closingVersions: AccountVersions | null;
  readonly runId: RunId | null;
  readonly publishedAt: Date | null;
  readonly createdAt: Date;
};

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const statementNotFound = (): Problem =>
  new Problem('resource_not_found', 'No statement of your organization has this id.');

/** Throws: a statement that cannot be reconciled is a defect, and is not published. */
export function requireReconciled(statement: Statement): void {
  const { openingBalance, netAmount, adjustmentAmount, payoutAmount, closingBalance } = statement;
  const expected = openingBalance + netAmount + adjustmentAmount - payoutAmount;
  const { availableAmount, reservedAmount, heldAmount } = statement;
  const inAccounts = availableAmount + reservedAmount + heldAmount;
  if (expected !== closingBalance || inAccounts !== closingBalance) {
    throw new RangeError(
      `statement ${statement.id} does not reconcile: ${expected} expected, ${closingBalance} closing, ${inAccounts} in accounts`,
    );
  }
}

/** As partners read it (contract §2). */
export const presentStatement = (statement: Statement) => ({
  id: statement.id,
  period_start: statement.periodStart,
  period_end: statement.periodEnd,
  status: statement.status,
  currency: statement.currency,
  opening_balance: formatMicros(statement.openingBalance),
  gross_amount: formatMicros(statement.grossAmount),
  fee_amount: formatMicros(statement.feeAmount),
  source_tax_amount: formatMicros(statement.sourceTaxAmount),
  payee_tax_amount: formatMicros(statement.payeeTaxAmount),
  tax_amount: formatMicros(toMicros(statement.sourceTaxAmount + statement.payeeTaxAmount)),
  adjustment_amount: formatMicros(statement.adjustmentAmount),
  net_amount: formatMicros(statement.netAmount),
  payout_amount: formatMicros(statement.payoutAmount),
  closing_balance: formatMicros(statement.closingBalance),
  available_amount: formatMicros(statement.availableAmount),
  reserved_amount: formatMicros(statement.reservedAmount),
  held_amount: formatMicros(statement.heldAmount),
  line_item_count: statement.lineItemCount,
  published_at: statement.publishedAt?.toISOString() ?? null,
});
