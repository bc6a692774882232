/** The reports that a run may take, with what was withheld from them and what is disputed. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { allocate, type Micros, sumMicros } from '../../kernel/money.ts';
import type { SourceTax } from './calculation.ts';
import {
  dueUnitsOf,
  heldShortfall,
  isNothing,
  isSettled,
  type RealizedPayment,
  realizedPayment,
  type Remittance,
} from './remittance.ts';
import type { ReportId, ReportShare, ReportTotal, SourceAmount } from './report.ts';
import type { PaidReport } from './run-rates.ts';
import {
  formatSourceAmount,
  microsToSource,
  sourceToMicros,
  sourceUnits,
} from './source-amount.ts';

/** A part of a shortfall, which the run credits and holds. */
type DisputedShare = {
  readonly partNumber: number;
  readonly orgId: OrgId;
  readonly amount: SourceAmount;
};

type PayableCurrency = {
  readonly currency: Currency;
  /** Of the matched parts that no run has taken. */
  readonly amount: SourceAmount;
  /** What the store withheld, as far as it belongs to these parts. */
  readonly sourceTax: SourceAmount;
  /** Null: no money was exchanged; the run takes its rate from the set. */
  readonly payment: RealizedPayment | null;
  /** Of these parts. */
  readonly disputed: readonly DisputedShare[];
};

export type PayableReport = {
  readonly reportId: ReportId;
  readonly storeId: string;
  /** Of the matched parts that no run has taken. */
  readonly partNumbers: readonly number[];
  readonly currencies: readonly PayableCurrency[];
};

/** A report with parts that no run has taken. */
export type OpenReport = {
  readonly reportId: ReportId;
  readonly storeId: string;
  /** Whether a run may take it before the store has paid. */
  readonly isPaidOnReport: boolean;
  readonly partNumbers: readonly number[];
};

export type TotalOfReport = ReportTotal & { readonly reportId: ReportId };
export type ShareOfReport = Omit<ReportShare, 'rowCount'> & { readonly reportId: ReportId };

/** Some reports and all that a store paid for them in one currency. */
export type Settlement = {
  readonly first: Remittance;
  readonly all: readonly Remittance[];
  readonly reportIds: readonly ReportId[];
};

export type PayableInput = {
  readonly reports: readonly OpenReport[];
  /** Of these reports, and of all others in their settlements. */
  readonly totals: readonly TotalOfReport[];
  readonly shares: readonly ShareOfReport[];
  readonly settlements: readonly Settlement[];
};

/** A report whose currencies are not all paid or decided. */
export type UnpaidReport = Pick<OpenReport, 'reportId' | 'storeId'> & {
  readonly unpaid: readonly { readonly currency: Currency; readonly due: SourceAmount }[];
};

const keyOf = (reportId: ReportId, currency: Currency): string => `${reportId} ${currency}`;

export function payableReports(input: PayableInput): {
  readonly payable: readonly PayableReport[];
  readonly unpaid: readonly UnpaidReport[];
} {
  const totals = Map.groupBy(input.totals, ({ reportId }) => reportId);
  const settlements = new Map(
    input.settlements.flatMap((settlement) =>
      settlement.reportIds.map((id) => [keyOf(id, settlement.first.currency), settlement]),
    ),
  );
  const currencyOf = currencyReader(input);
  const payable: PayableReport[] = [];
  const unpaid: UnpaidReport[] = [];
  for (const report of input.reports) {
    const { reportId, storeId, partNumbers } = report;
    const ofReport = totals.get(reportId) ?? [];
    const waiting = ofReport.filter(
      (total) => !isPayable(report, total, settlements.get(keyOf(reportId, total.currency))),
    );
    if (waiting.length > 0) {
      const amounts = waiting.map((total) => ({
        currency: total.currency,
        due: formatSourceAmount(dueUnitsOf(total)),
      }));
      unpaid.push({ reportId, storeId, unpaid: amounts });
    } else {
      const currencies = ofReport.map(({ currency }) =>
        currencyOf(report, currency, settlements.get(keyOf(reportId, currency))),
      );
      payable.push({ reportId, storeId, partNumbers, currencies });
    }
  }
  return { payable, unpaid };
}

/** An amount that no bank transfers needs no remittance. */
const isPayable = (
  { isPaidOnReport }: OpenReport,
  total: TotalOfReport,
  settlement: Settlement | undefined,
): boolean =>
  isPaidOnReport ||
  isNothing(dueUnitsOf(total), total.currency) ||
  (settlement !== undefined && isSettled(settlement.first));

function currencyReader({ shares, totals }: PayableInput) {
  const byKey = Map.groupBy(shares, ({ reportId, currency }) => keyOf(reportId, currency));
  const totalByKey = new Map(totals.map((total) => [keyOf(total.reportId, total.currency), total]));
  const sharesOf = (settlement: Settlement): readonly ShareOfReport[] =>
    settlement.reportIds.flatMap((id) => byKey.get(keyOf(id, settlement.first.currency)) ?? []);
  const houseUnits = (settlement: Settlement): readonly bigint[] =>
    settlement.reportIds.map((id) =>
      unownedUnits(totalByKey.get(keyOf(id, settlement.first.currency))),
    );
  const read = (settlement: Settlement) => {
    const ofSettlement = sharesOf(settlement);
    const house = houseUnits(settlement);
    const amounts = settlement.all.map(({ amount }) => amount);
    const short = sourceToMicros(sourceUnits(heldShortfall(settlement.first, amounts)));
    const tax = sumMicros(settlement.all.map(({ sourceTax }) => sourceTax));
    return {
      shares: ofSettlement,
      tax: allocateOver(tax, ofSettlement, house),
      disputed: allocateOver(short, ofSettlement, house),
    };
  };
  const known = new Map<Settlement, ReturnType<typeof read>>();
  const allocationsOf = (settlement: Settlement) => {
    const found = known.get(settlement) ?? read(settlement);
    known.set(settlement, found);
    return found;
  };
  return (
    { reportId, partNumbers }: OpenReport,
    currency: Currency,
    settlement: Settlement | undefined,
  ): PayableCurrency => {
    const isOpen = (share: ShareOfReport): boolean =>
      share.reportId === reportId && partNumbers.includes(share.partNumber);
    const open = (byKey.get(keyOf(reportId, currency)) ?? []).filter(isOpen);
    const amount = open.reduce((sum, share) => sum + sourceUnits(share.amount), 0n);
    if (settlement === undefined) {
      const none = { sourceTax: formatSourceAmount(0n), payment: null, disputed: [] };
      return { currency, amount: formatSourceAmount(amount), ...none };
    }
    const allocations = allocationsOf(settlement);
    const own = allocations.shares.flatMap((share, i) => (isOpen(share) ? [{ share, i }] : []));
    return {
      currency,
      amount: formatSourceAmount(amount),
      sourceTax: microsToSource(sumMicros(own.map(({ i }) => at(allocations.tax, i)))),
      payment: realizedPayment(settlement.all),
      disputed: own
        .filter(({ i }) => at(allocations.disputed, i) > 0n)
        .map(({ share: { partNumber, orgId }, i }) => ({
          partNumber,
          orgId,
          amount: microsToSource(at(allocations.disputed, i)),
        })),
    };
  };
}

const at = (amounts: readonly Micros[], index: number): Micros => amounts[index] ?? noMicros;
const noMicros = sumMicros([]);

/** Rows without an owner, and fines and fees. */
const unownedUnits = (total: TotalOfReport | undefined): bigint =>
  total === undefined ? 0n : dueUnitsOf(total) - sourceUnits(total.matchedAmount);

/** By largest remainder over positive amounts. The house bears the part of what has no owner. */
function allocateOver(
  amount: Micros,
  shares: readonly ShareOfReport[],
  house: readonly bigint[],
): readonly Micros[] {
  if (amount === 0n) return [];
  const units = [...shares.map((share) => sourceUnits(share.amount)), ...house];
  const weights = units.map((each) => (each > 0n ? each : 0n));
  // Every amount is zero or negative, and tax was withheld all the same: the house bears it.
  if (weights.every((weight) => weight === 0n)) return [];
  return allocate(amount, weights).slice(0, shares.length);
}

/** Zero is not listed. */
export const sourceTaxesOf = (reports: readonly PayableReport[]): readonly SourceTax[] =>
  reports.flatMap(({ reportId, currencies }) =>
    currencies
      .filter(({ sourceTax }) => sourceUnits(sourceTax) !== 0n)
      .map(({ currency, sourceTax }) => ({
        reportId,
        sourceCurrency: currency,
        amount: sourceTax,
      })),
  );

/** For `runRatesOf`. */
export const paymentsOf = (reports: readonly PayableReport[]): readonly PaidReport[] =>
  reports.map(({ reportId, currencies }) => ({
    reportId,
    payments: new Map(
      currencies.flatMap(({ currency, payment }) =>
        payment === null ? [] : [[currency, payment]],
      ),
    ),
  }));
