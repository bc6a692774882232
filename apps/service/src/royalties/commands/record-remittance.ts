import type { Currency } from '../../kernel/currency.ts';
import { negate, toMicros } from '../../kernel/money.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import { type Posting, post } from '../../money/face.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  isSameContent,
  refuseCompletion,
  refuseContent,
  refuseReports,
} from '../domain/refuse-remittance.ts';
import {
  type Remittance,
  type RemittanceContent,
  type RemittanceId,
  remittanceStatus,
  type RemittanceWithReports,
} from '../domain/remittance.ts';
import type { ReportId } from '../domain/report.ts';
import { formatSourceAmount, sourceUnits, sourceUnitsPerMicro } from '../domain/source-amount.ts';
import { readCarriedPayments } from '../store/carried-payments.ts';
import {
  findByReference,
  findSettling,
  insertRemittance,
  lockRemittance,
  lockReports,
  type RemittedReport,
  updateRemittance,
} from '../store/remittances.ts';
import { remittanceNotFound } from './decide-remittance.ts';

export type NewRemittance =
  | (RemittanceContent & { readonly reportIds: readonly ReportId[] })
  | (RemittanceContent & { readonly completes: RemittanceId });

/** The same payment again, by the bank's reference, changes nothing and returns the first record. */
export async function recordRemittance(
  tx: Tx,
  payment: NewRemittance,
): Promise<RemittanceWithReports> {
  enforce(refuseContent(payment));
  if ((await findStore(tx, payment.storeId)) === undefined) {
    throw new Problem('resource_not_found', `No store has the store_id ${payment.storeId}.`);
  }
  const recorded = await findByReference(tx, payment.storeId, payment.reference);
  if (recorded !== undefined) return sameOrRefused(recorded, payment);
  const remittance =
    'completes' in payment ? await complete(tx, payment) : await recordFirst(tx, payment);
  insertRemittance(tx, remittance);
  if (remittance.settledAmount > 0n) post(tx, [postingOf(remittance)]);
  return remittance;
}

function sameOrRefused(
  recorded: RemittanceWithReports,
  payment: NewRemittance,
): RemittanceWithReports {
  const isOfSameReports =
    'completes' in payment
      ? recorded.completes === payment.completes
      : recorded.completes === null &&
        JSON.stringify(recorded.reportIds) === JSON.stringify(uniqueIds(payment.reportIds));
  if (isOfSameReports && isSameContent(recorded, payment)) return recorded;
  throw new Problem(
    'invalid_state',
    `The reference ${payment.reference} of ${payment.storeId} is recorded with other content, as ${recorded.id}.`,
  );
}

/** In the order in which the database returns them. */
const uniqueIds = (ids: readonly ReportId[]): readonly ReportId[] => [...new Set(ids)].toSorted();

async function recordFirst(
  tx: Tx,
  payment: RemittanceContent & { readonly reportIds: readonly ReportId[] },
): Promise<RemittanceWithReports> {
  const reportIds = uniqueIds(payment.reportIds);
  const reports = await lockReports(tx, reportIds, payment.currency);
  enforce(refuseReports(payment, reportIds, reports));
  const dueAmount = formatSourceAmount(
    reports.reduce((sum, { due }) => sum + sourceUnits(due ?? '0'), 0n) -
      (await carriedUnits(tx, reportIds, payment.currency)),
  );
  return {
    ...contentOf(payment),
    ...newRow(tx),
    completes: null,
    reportIds,
    dueAmount,
    status: remittanceStatus(dueAmount, [payment.amount], payment.currency),
  };
}

/** What the store has paid for reports that these replace. */
async function carriedUnits(
  tx: Tx,
  reportIds: readonly ReportId[],
  currency: Currency,
): Promise<bigint> {
  const carried = await readCarriedPayments(tx, tx.orgId, reportIds);
  return carried
    .filter((each) => each.currency === currency)
    .reduce((sum, { amount }) => sum + amount * sourceUnitsPerMicro, 0n);
}

async function complete(
  tx: Tx,
  payment: RemittanceContent & { readonly completes: RemittanceId },
): Promise<RemittanceWithReports> {
  const first = await lockRemittance(tx, payment.completes);
  if (first === undefined) throw remittanceNotFound(payment.completes);
  enforce(refuseCompletion(payment, first));
  const reports = await lockReports(tx, first.reportIds, first.currency);
  const before = await findSettling(tx, tx.orgId, [first.id]);
  updateRemittance(tx, completed(first, [...before, payment], reports));
  return {
    ...contentOf(payment),
    ...newRow(tx),
    completes: first.id,
    reportIds: first.reportIds,
    dueAmount: null,
    status: null,
  };
}

/** A decision was about another difference, unless a run has acted on it. */
function completed(
  first: Remittance,
  all: readonly RemittanceContent[],
  reports: readonly RemittedReport[],
): Remittance {
  const amounts = all.map(({ amount }) => amount);
  const status = remittanceStatus(first.dueAmount ?? '0', amounts, first.currency);
  const isFinal = reports.some(({ isInRun }) => isInRun) && status === first.status;
  return { ...first, status, decision: isFinal ? first.decision : null };
}

const newRow = (tx: Tx) => ({
  id: tx.newId('rmt'),
  decision: null,
  createdAt: tx.now,
  updatedAt: tx.now,
});

const contentOf = (payment: RemittanceContent): RemittanceContent => ({
  storeId: payment.storeId,
  reference: payment.reference,
  currency: payment.currency,
  amount: payment.amount,
  sourceTax: payment.sourceTax,
  settledCurrency: payment.settledCurrency,
  settledAmount: payment.settledAmount,
  bankFee: payment.bankFee,
  valueDate: payment.valueDate,
});

/** The store owes us less by what was settled; the bank's fee is missing in our cash, and is the house's. */
function postingOf(remittance: Remittance): Posting {
  const { id, settledAmount, bankFee, settledCurrency: currency } = remittance;
  const entries = [
    { account: 'store_receivable', currency, amount: settledAmount },
    { account: 'cash', currency, amount: toMicros(bankFee - settledAmount) },
    { account: 'bank_fees', currency, amount: negate(bankFee) },
  ] as const;
  return {
    key: `remittance.recorded:${id}`,
    entries: entries.filter(({ amount }) => amount !== 0n),
  };
}
