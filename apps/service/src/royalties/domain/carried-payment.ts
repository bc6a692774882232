/**
 * A store that replaces a report which it has paid transfers the difference only. What it paid and withheld for the
 * replaced report counts as paid and withheld for its successor.
 */

import { allocate, type Micros, sumMicros } from '../../kernel/money.ts';
import type { Settlement, ShareOfReport, TotalOfReport } from './payable-report.ts';
import { type CarriedPayment, dueUnitsOf } from './remittance.ts';
import type { ReportId } from './report.ts';
import { sourceUnits } from './source-amount.ts';

/** Also of a report that was replaced by one which is replaced in turn. */
export type Replacement = { readonly reportId: ReportId; readonly supersededBy: ReportId };

type CarriedInput = {
  readonly replacements: readonly Replacement[];
  /** Of the replaced reports. */
  readonly settlements: readonly Settlement[];
  /** Of all reports of the settlements. */
  readonly totals: readonly TotalOfReport[];
  readonly shares: readonly ShareOfReport[];
};

export const carriedPayments = (input: CarriedInput): readonly CarriedPayment[] =>
  input.replacements.flatMap(({ reportId, supersededBy }) =>
    input.settlements
      .filter(({ reportIds }) => reportIds.includes(reportId))
      .flatMap((settlement) => {
        const partOf = partReader(input, settlement, reportId);
        return settlement.all.map((remittance) => ({
          reportId: supersededBy,
          currency: remittance.currency,
          amount: partOf(remittance.amount),
          sourceTax: partOf(remittance.sourceTax),
          settledAmount: partOf(remittance.settledAmount),
          settledCurrency: remittance.settledCurrency,
        }));
      }),
  );

/** Divided as `payableReports` divides a tax: over the amounts above zero of partners and of the house. */
function partReader(
  { totals, shares }: CarriedInput,
  { first, reportIds }: Settlement,
  reportId: ReportId,
): (amount: Micros) => Micros {
  if (reportIds.length === 1) return (amount) => amount;
  const weights = reportIds.flatMap((id) => {
    const isOfReport = (each: ShareOfReport | TotalOfReport): boolean =>
      each.reportId === id && each.currency === first.currency;
    const owned = shares.filter(isOfReport).map(({ amount }) => sourceUnits(amount));
    const unowned = totals
      .filter(isOfReport)
      .map((total) => dueUnitsOf(total) - sourceUnits(total.matchedAmount));
    return [...owned, ...unowned].map((units) => ({ id, weight: units > 0n ? units : 0n }));
  });
  return (amount) => {
    if (amount === 0n || weights.every(({ weight }) => weight === 0n)) return sumMicros([]);
    const parts = allocate(
      amount,
      weights.map(({ weight }) => weight),
    );
    return sumMicros(parts.filter((_, i) => weights[i]?.id === reportId));
  };
}
