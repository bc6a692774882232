/** What a run takes back, as a person reads it before the approval: one line for each superseded report and currency. */

import type { Currency } from '../../kernel/currency.ts';
import { formatMicros, type Micros, sumMicros, toMicros } from '../../kernel/money.ts';
import type { ReportId } from './report.ts';
import type { Reversal } from './reversal.ts';

/** Amounts that were paid, and are taken back. */
export type ReviewedReversal = {
  readonly reportId: ReportId;
  readonly supersededBy: ReportId;
  readonly storeId: string;
  readonly currency: Currency;
  readonly statementCount: number;
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly taxAmount: string;
  readonly netAmount: string;
};

export const summarizeReversals = (reversals: readonly Reversal[]): readonly ReviewedReversal[] =>
  [...Map.groupBy(reversals, ({ reportId, currency }) => `${reportId} ${currency}`).values()]
    .flatMap(summarize)
    .toSorted((a, b) => (a.reportId + a.currency < b.reportId + b.currency ? -1 : 1));

function summarize(ofReport: readonly Reversal[]): readonly ReviewedReversal[] {
  const [first] = ofReport;
  if (first === undefined) return [];
  const { reportId, supersededBy, storeId, currency } = first;
  const gross = sum(ofReport, (each) => each.grossAmount + each.otherGrossAmount);
  const fee = sum(ofReport, (each) => (each.feeAmount ?? 0n) + each.otherFeeAmount);
  const tax = sum(ofReport, (each) => each.sourceTaxAmount + (each.payeeTaxAmount ?? 0n));
  return [
    {
      reportId,
      supersededBy,
      storeId,
      currency,
      statementCount: ofReport.length,
      grossAmount: formatMicros(gross),
      feeAmount: formatMicros(fee),
      taxAmount: formatMicros(tax),
      netAmount: formatMicros(toMicros(gross - fee - tax)),
    },
  ];
}

const sum = (reversals: readonly Reversal[], amountOf: (reversal: Reversal) => bigint): Micros =>
  sumMicros(reversals.map((reversal) => toMicros(amountOf(reversal))));

export const reversalLine = (each: ReviewedReversal): string =>
  `${each.reportId}  ${each.storeId}  replaced by ${each.supersededBy}  gross ${each.grossAmount}  fee ${each.feeAmount}  tax ${each.taxAmount}  net ${each.netAmount} ${each.currency}  (${each.statementCount} statements)`;
