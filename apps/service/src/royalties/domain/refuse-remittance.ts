/** What an operator cannot record or decide, and why. */

import { isWholeMinorUnits, realizedRate, toMicros } from '../../kernel/money.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';
import type { Remittance, RemittanceContent, RemittanceDecision } from './remittance.ts';
import type { ReportId, ReportStatus } from './report.ts';

const referenceMax = 200;
const reportsOfRemittanceMax = 1_000;

export function refuseContent(content: RemittanceContent): Refusal | undefined {
  const { amount, sourceTax, reference } = content;
  if (reference.length > referenceMax) {
    return invalidField('reference', `must have at most ${referenceMax} characters`);
  }
  if (amount <= 0n) return invalidField('amount', 'must be above zero');
  if (sourceTax < 0n || sourceTax > amount) {
    return invalidField('source_tax', 'must be zero or more, and at most amount');
  }
  return refuseSettled(content) ?? refuseBankFee(content);
}

function refuseSettled(content: RemittanceContent): Refusal | undefined {
  const { amount, sourceTax, currency, settledAmount, settledCurrency } = content;
  const paid = toMicros(amount - sourceTax);
  if (settledAmount < 0n || !isWholeMinorUnits(settledAmount, settledCurrency)) {
    return invalidField(
      'settled_amount',
      `must be a whole number of minor units of ${settledCurrency}, as the bank transferred it`,
    );
  }
  if (currency === settledCurrency && settledAmount !== paid) {
    return invalidField(
      'settled_amount',
      'must be amount - source_tax, because both are in the same currency; if the store paid less, lower amount',
    );
  }
  if ((paid === 0n) !== (settledAmount === 0n)) {
    return invalidField(
      'settled_amount',
      'must be zero if, and only if, the store withheld everything',
    );
  }
  return paid === 0n || realizedRate(settledAmount, paid) !== undefined
    ? undefined
    : invalidField('settled_amount', 'must give a rate between 0.0000000001 and 9999999999');
}

function refuseBankFee({ bankFee, settledAmount, settledCurrency }: RemittanceContent) {
  return bankFee >= 0n && bankFee <= settledAmount && isWholeMinorUnits(bankFee, settledCurrency)
    ? undefined
    : invalidField(
        'bank_fee',
        `must be a whole number of minor units of ${settledCurrency}, at most settled_amount`,
      );
}

type NamedReport = {
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly status: ReportStatus;
  readonly remittanceId: string | null;
  readonly due: string | null;
};

const payableStatuses: ReadonlySet<ReportStatus> = new Set(['validated', 'matched', 'included']);

/** `reports`: those of `reportIds` that were found. */
export function refuseReports(
  { storeId, currency }: RemittanceContent,
  reportIds: readonly ReportId[],
  reports: readonly NamedReport[],
): Refusal | undefined {
  if (reportIds.length === 0 || reportIds.length > reportsOfRemittanceMax) {
    return invalidField('report_ids', `must be 1 to ${reportsOfRemittanceMax} reports`);
  }
  const missing = reportIds.find((id) => !reports.some(({ reportId }) => reportId === id));
  if (missing !== undefined) {
    return { code: 'resource_not_found', message: `There is no report ${missing}.` };
  }
  return reports.map((report) => refuseReport(report, storeId, currency)).find(isRefusal);
}

const isRefusal = (refusal: Refusal | undefined): refusal is Refusal => refusal !== undefined;

function refuseReport(
  { reportId, storeId, status, remittanceId, due }: NamedReport,
  payer: string,
  currency: string,
): Refusal | undefined {
  if (storeId !== payer) {
    return invalidField('report_ids', `must be reports of ${payer}; ${reportId} is of ${storeId}`);
  }
  if (!payableStatuses.has(status)) {
    return invalidState(`${reportId} is ${status}: it cannot be paid.`);
  }
  if (due === null) {
    return invalidField('report_ids', `must have amounts in ${currency}; ${reportId} has none`);
  }
  return remittanceId === null
    ? undefined
    : invalidState(
        `${reportId} has the remittance ${remittanceId} in ${currency}. If this payment completes it, send --completes ${remittanceId} instead of --reports.`,
      );
}

/** A realized rate needs one settled currency; reports and payer are those of the first payment. */
export function refuseCompletion(
  { storeId, currency, settledCurrency }: RemittanceContent,
  first: Remittance,
): Refusal | undefined {
  if (first.completes !== null) {
    return invalidField('completes', `must be ${first.completes}, which ${first.id} completes`);
  }
  if (first.storeId !== storeId || first.currency !== currency) {
    return invalidField(
      'completes',
      `must be a remittance of ${storeId} in ${currency}; ${first.id} is of ${first.storeId} in ${first.currency}`,
    );
  }
  return first.settledCurrency === settledCurrency
    ? undefined
    : invalidField(
        'settled_currency',
        `must be ${first.settledCurrency}, as of the remittance that this one completes`,
      );
}

export function refuseDecision(
  { id, completes, status, decision: before }: Remittance,
  decision: RemittanceDecision,
  isInRun: boolean,
): Refusal | undefined {
  if (completes !== null) {
    return invalidState(`${id} completes ${completes}. Decide about ${completes}.`);
  }
  if (status === 'paid') return invalidState(`${id} is paid in full: there is nothing to decide.`);
  if (isInRun && before !== null)
    return invalidState(`A run has taken a report of ${id}: the decision is final.`);
  return status === 'over' && decision === 'prorate'
    ? invalidState(`${id} is over: only a shortfall can be prorated. Decide wait or accept.`)
    : undefined;
}

const invalidState = (message: string): Refusal => ({ code: 'invalid_state', message });

const comparedFields = [
  'currency',
  'amount',
  'sourceTax',
  'settledCurrency',
  'settledAmount',
  'bankFee',
  'valueDate',
] as const satisfies readonly (keyof RemittanceContent)[];

/** Whether a reference is used again for another payment. */
export const isSameContent = (a: RemittanceContent, b: RemittanceContent): boolean =>
  comparedFields.every((field) => a[field] === b[field]);
