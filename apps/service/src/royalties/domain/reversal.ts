/**
 * What a run takes back of a report that earlier runs have paid and that another report replaces.
 *
 * The reversal of a report in a statement is what the statement paid, less what the same rates, fees and taxes give for
 * its line items without those of the report. So rounding cannot leave anything behind: when every report of a statement
 * is reversed, in any order, nothing is left of it. Reports that were reversed before count as not there.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import {
  formatMicros,
  type Micros,
  negate,
  takeBasisPoints,
  toMicros,
} from '../../kernel/money.ts';
import type { FeeRule, IncomeType, StatementId, WithholdingRate } from './calculation.ts';
import type { ReportId } from './report.ts';
import type { RunId } from './run-plan.ts';

/** Amounts are those that were paid, not their negatives. */
export type Reversal = {
  readonly paidStatementId: StatementId;
  readonly reportId: ReportId;
  readonly supersededBy: ReportId;
  readonly storeId: string;
  readonly paidRunId: RunId;
  readonly partnerOrgId: OrgId;
  readonly currency: Currency;
  readonly grossAmount: Micros;
  readonly sourceTaxAmount: Micros;
  /** Of fines, chargebacks and income without a track. */
  readonly otherGrossAmount: Micros;
  readonly otherFeeAmount: Micros;
  /** Null until the line items are read. */
  readonly feeAmount: Micros | null;
  readonly payeeTaxAmount: Micros | null;
  /** A sentence, if the line items and the statement differ. */
  readonly problem: string | null;
};

/** What some line items of a statement add up to. Whole micros, as texts. */
export type LineTotals = {
  readonly gross: string;
  readonly fee: string;
  readonly bases: readonly (Readonly<Record<IncomeType, string>> & {
    readonly territory: string;
  })[];
};

export type PaidAmounts = {
  readonly grossAmount: Micros;
  readonly feeAmount: Micros;
  readonly payeeTaxAmount: Micros;
};

/** As `allocateTaxes` computes it: once per territory and income type, of a base above zero. */
export function paidFor(totals: LineTotals, withholding: readonly WithholdingRate[]): PaidAmounts {
  const taxes = withholding.map(({ territory, incomeType, basisPoints }) => {
    const base = BigInt(
      totals.bases.find((each) => each.territory === territory)?.[incomeType] ?? 0,
    );
    return takeBasisPoints(toMicros(base > 0n ? base : 0n), basisPoints);
  });
  return {
    grossAmount: toMicros(BigInt(totals.gross)),
    feeAmount: toMicros(BigInt(totals.fee)),
    payeeTaxAmount: toMicros(taxes.reduce((sum, tax) => sum + tax, 0n)),
  };
}

export const minus = (a: PaidAmounts, b: PaidAmounts): PaidAmounts => ({
  grossAmount: toMicros(a.grossAmount - b.grossAmount),
  feeAmount: toMicros(a.feeAmount - b.feeAmount),
  payeeTaxAmount: toMicros(a.payeeTaxAmount - b.payeeTaxAmount),
});

/** What is left to calculate of a statement, from the files that it was published with. */
export type PaidStatement = {
  readonly statementId: StatementId;
  readonly items: readonly { readonly objectKey: string; readonly sha256: string }[];
  readonly feeRules: readonly FeeRule[];
  readonly withholding: readonly WithholdingRate[];
  readonly reversedBefore: readonly ReportId[];
  /** In the order in which they leave the statement. */
  readonly reversals: readonly Reversal[];
  /** What the statement paid for its line items, without those that were reversed before. */
  readonly expected: PaidAmounts;
};

export type CalculatedReversal = Pick<
  Reversal,
  'paidStatementId' | 'reportId' | 'feeAmount' | 'payeeTaxAmount' | 'problem'
>;

/**
 * `reports` leave one after the other; `paid[0]` is with all of them, `paid[i]` without the first i. `expected` is what
 * the statement still pays before the first one leaves.
 */
export function reversalsOf(
  statementId: StatementId,
  reports: readonly Pick<Reversal, 'reportId' | 'grossAmount'>[],
  paid: readonly PaidAmounts[],
  expected: PaidAmounts,
): readonly CalculatedReversal[] {
  const [all] = paid;
  const isWhole =
    all !== undefined &&
    all.grossAmount === expected.grossAmount &&
    all.feeAmount === expected.feeAmount &&
    all.payeeTaxAmount === expected.payeeTaxAmount;
  return reports.map(({ reportId, grossAmount }, i) => {
    const [before, after] = [paid[i], paid[i + 1]];
    if (before === undefined || after === undefined)
      throw new TypeError(`no totals of ${reportId}`);
    const reversed = minus(before, after);
    const problem =
      isWhole && reversed.grossAmount === grossAmount
        ? null
        : `The line items of statement ${statementId} do not add up to what it paid: ${reportId} cannot be reversed.`;
    const { feeAmount, payeeTaxAmount } = reversed;
    return { paidStatementId: statementId, reportId, feeAmount, payeeTaxAmount, problem };
  });
}

/** An adjustment in the statement that follows. Amounts are negatives of what was paid. */
export type Correction = {
  readonly type: 'correction';
  readonly reportId: ReportId;
  readonly paidStatementId: StatementId;
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly sourceTaxAmount: string;
  readonly payeeTaxAmount: string;
  readonly reason: string;
};

const negative = (...amounts: readonly Micros[]): string =>
  formatMicros(negate(toMicros(amounts.reduce((sum, amount) => sum + amount, 0n))));

export function correctionOf(reversal: Reversal): Correction {
  const { reportId, paidStatementId, storeId, feeAmount, payeeTaxAmount } = reversal;
  if (feeAmount === null || payeeTaxAmount === null) {
    throw new TypeError(`${reportId} in ${paidStatementId} is not calculated`);
  }
  const { grossAmount, otherGrossAmount, otherFeeAmount, sourceTaxAmount } = reversal;
  return {
    type: 'correction',
    reportId,
    paidStatementId,
    grossAmount: negative(grossAmount, otherGrossAmount),
    feeAmount: negative(feeAmount, otherFeeAmount),
    sourceTaxAmount: negative(sourceTaxAmount),
    payeeTaxAmount: negative(payeeTaxAmount),
    reason: `The store ${storeId} replaced its report ${reportId}. This takes back what statement ${paidStatementId} paid for it; the lines of the new report are in the statement of this adjustment.`,
  };
}
