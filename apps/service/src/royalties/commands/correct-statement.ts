/** Takes back, in a statement that is being closed, what earlier statements paid for reports that others replace. */

import { type Micros, toMicros } from '../../kernel/money.ts';
import {
  createAdjustment,
  type Entry,
  lockHoldsOfReport,
  post,
  recordAdjustment,
  releaseEarnings,
} from '../../money/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { ReportId } from '../domain/report.ts';
import type { Correction } from '../domain/reversal.ts';
import { microsOf, type RunStatement } from '../domain/run-statement.ts';

type Landing = Pick<RunStatement, 'statementId' | 'currency'>;

/** The transaction has locked the ledger. */
export async function correctStatement(
  tx: Tx,
  statement: Landing,
  corrections: readonly Correction[],
): Promise<void> {
  for (const correction of corrections) correct(tx, statement, correction);
  const reportIds = new Set(corrections.map(({ reportId }) => reportId));
  for (const reportId of reportIds) await endDisputes(tx, statement, reportId);
}

/** The posting of the paid statement, with its signs changed: source tax was never ours to pay. */
function correct(tx: Tx, { statementId, currency }: Landing, correction: Correction): void {
  const { reportId, paidStatementId, reason } = correction;
  const gross = microsOf(correction.grossAmount);
  const fee = microsOf(correction.feeAmount);
  const sourceTax = microsOf(correction.sourceTaxAmount);
  const payeeTax = microsOf(correction.payeeTaxAmount);
  const net = toMicros(gross - fee - sourceTax - payeeTax);
  const amounts: readonly (readonly [Entry['account'], Micros])[] = [
    ['store_receivable', toMicros(sourceTax - gross)],
    ['payable', net],
    ['fee_income', fee],
    ['withholding_payable', payeeTax],
  ];
  const entries = amounts
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, currency, amount }));
  if (entries.length === 0) return;
  const key = `statement.corrected:${statementId}:${paidStatementId}:${reportId}`;
  post(tx, [{ key, entries }]);
  // An adjustment of zero says nothing to a partner.
  if (net === 0n) return;
  const adjustment = recordAdjustment(tx, {
    type: 'correction',
    currency,
    grossAmount: gross,
    feeAmount: fee,
    taxAmount: toMicros(sourceTax + payeeTax),
    reason,
    refersTo: paidStatementId,
  });
  auditCorrection(tx, adjustment);
}

function auditCorrection(
  tx: Tx,
  { id, type, currency, amount }: ReturnType<typeof recordAdjustment>,
): void {
  appendAudit(tx, {
    action: 'adjustment.create',
    auditedId: id,
    before: undefined,
    after: { id, type, currency, amount: String(amount) },
  });
}

/**
 * What a store did not pay of the superseded report is reversed with the rest of it. So what is held of it is payable
 * again, and what was forfeited must not be taken a second time.
 */
async function endDisputes(tx: Tx, { currency }: Landing, reportId: ReportId): Promise<void> {
  for (const hold of await lockHoldsOfReport(tx, reportId, currency)) {
    if (hold.status === 'held') {
      await releaseEarnings(tx, hold.id);
      appendAudit(tx, {
        action: 'earnings.release',
        auditedId: hold.id,
        before: { status: 'held' },
        after: { status: 'released' },
      });
    }
    if (hold.status === 'forfeited') {
      const returned = createAdjustment(tx, {
        type: 'correction',
        currency,
        grossAmount: hold.amount,
        feeAmount: toMicros(0n),
        taxAmount: toMicros(0n),
        reason: `The store replaced report ${reportId}: what you forfeited of it is taken back with the whole report, and is returned here.`,
        refersTo: hold.id,
      });
      auditCorrection(tx, returned);
    }
  }
}
