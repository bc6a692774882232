/** The reports that a run may take, with what was withheld from them and what is disputed. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { allocate, type Micros, sumMicros } from '../../kernel/money.ts';
import type { SourceTax } from './calculation.ts';
import {
  type CarriedPayment,
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
  sourceUnitsPerMicro,
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
  /** For these reports. */
  readonly carried: readonly CarriedPayment[];
};

/** A report whose currencies are not all paid or decided. */
export type UnpaidReport = Pick<OpenReport, 'reportId' | 'storeId'> & {
  readonly unpaid: readonly { readonly currency: Currency; readonly due: SourceAmount }[];
};

const keyOf = (reportId: ReportId, currency: Currency): string => `${reportId} ${currency}`;

type OpenReports = Omit<PayableInput, 'shares'>;

/** Those whose currencies are all paid or decided, with the currencies; and the others. */
function divideReports({ reports, totals, settlements, carried }: OpenReports) {
  const totalsByReport = Map.groupBy(totals, ({ reportId }) => reportId);
  const settlementOf = settlementFinder(settlements);
  const carriedByKey = groupCarried(carried);
  const dueOf = (total: TotalOfReport): bigint =>
    dueAfterCarried(total, carriedByKey.get(keyOf(total.reportId, total.currency)) ?? []);
  const paid: { readonly report: OpenReport; readonly currencies: readonly Currency[] }[] = [];
  const unpaid: UnpaidReport[] = [];
  for (const report of reports) {
    const { reportId, storeId } = report;
    const ofReport = totalsByReport.get(reportId) ?? [];
    const waiting = ofReport.filter(
      (total) => !isPayable(report, total, dueOf(total), settlementOf(reportId, total.currency)),
    );
    if (waiting.length > 0) {
      const amounts = waiting.map((total) => ({
        currency: total.currency,
        due: formatSourceAmount(dueOf(total)),
      }));
      unpaid.push({ reportId, storeId, unpaid: amounts });
    } else paid.push({ report, currencies: ofReport.map(({ currency }) => currency) });
  }
  return { paid, unpaid };
}

const groupCarried = (carried: readonly CarriedPayment[]) =>
  Map.groupBy(carried, ({ reportId, currency }) => keyOf(reportId, currency));

function settlementFinder(settlements: readonly Settlement[]) {
  const byKey = new Map(
    settlements.flatMap((settlement) =>
      settlement.reportIds.map((id) => [keyOf(id, settlement.first.currency), settlement]),
    ),
  );
  return (id: ReportId, currency: Currency): Settlement | undefined =>
    byKey.get(keyOf(id, currency));
}

export const unpaidReports = (open: OpenReports): readonly UnpaidReport[] =>
  divideReports(open).unpaid;

export function payableReports(input: PayableInput): {
  readonly payable: readonly PayableReport[];
  readonly unpaid: readonly UnpaidReport[];
} {
  const { paid, unpaid } = divideReports(input);
  const settlementOf = settlementFinder(input.settlements);
  const currencyOf = currencyReader(input, groupCarried(input.carried));
  const payable = paid.map(({ report, currencies }) => ({
    reportId: report.reportId,
    storeId: report.storeId,
    partNumbers: report.partNumbers,
    currencies: currencies.map((currency) =>
      currencyOf(report, currency, settlementOf(report.reportId, currency)),
    ),
  }));
  return { payable, unpaid };
}

/** An amount that no bank transfers needs no remittance. */
const isPayable = (
  { isPaidOnReport }: OpenReport,
  { currency }: TotalOfReport,
  due: bigint,
  settlement: Settlement | undefined,
): boolean =>
  isPaidOnReport ||
  isNothing(due, currency) ||
  (settlement !== undefined && isSettled(settlement.first));

/** What a store still owes for a report: it has paid for those that the report replaces. */
const dueAfterCarried = (total: TotalOfReport, carried: readonly CarriedPayment[]): bigint =>
  dueUnitsOf(total) - sumMicros(carried.map(({ amount }) => amount)) * sourceUnitsPerMicro;

function currencyReader(
  { shares, totals }: PayableInput,
  carriedByKey: ReadonlyMap<string, readonly CarriedPayment[]>,
) {
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
    const ofReport = byKey.get(keyOf(reportId, currency)) ?? [];
    const open = ofReport.filter(isOpen);
    const amount = open.reduce((sum, share) => sum + sourceUnits(share.amount), 0n);
    const carried = carriedByKey.get(keyOf(reportId, currency)) ?? [];
    const house = [unownedUnits(totalByKey.get(keyOf(reportId, currency)))];
    const carriedTax = carriedTaxOf(ofReport, house, carried, isOpen);
    const payment = realizedPayment(settledTogether(settlement?.all ?? [], carried));
    if (settlement === undefined) {
      const rest = { sourceTax: microsToSource(carriedTax), payment, disputed: [] };
      return { currency, amount: formatSourceAmount(amount), ...rest };
    }
    const allocations = allocationsOf(settlement);
    const own = allocations.shares.flatMap((share, i) => (isOpen(share) ? [{ share, i }] : []));
    const tax = sumMicros([carriedTax, ...own.map(({ i }) => at(allocations.tax, i))]);
    return {
      currency,
      amount: formatSourceAmount(amount),
      sourceTax: microsToSource(tax),
      payment,
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

/** What was withheld from replaced reports, as far as it belongs to the open parts of their successor. */
function carriedTaxOf(
  ofReport: readonly ShareOfReport[],
  house: readonly bigint[],
  carried: readonly CarriedPayment[],
  isOpen: (share: ShareOfReport) => boolean,
): Micros {
  const tax = sumMicros(carried.map(({ sourceTax }) => sourceTax));
  const parts = allocateOver(tax, ofReport, house);
  return sumMicros(ofReport.flatMap((share, i) => (isOpen(share) ? [at(parts, i)] : [])));
}

/** Money that was exchanged into another currency than the report's own payments gives no rate together with them. */
function settledTogether<Payment extends { readonly settledCurrency: Currency }>(
  own: readonly Payment[],
  carried: readonly CarriedPayment[],
): readonly (Payment | CarriedPayment)[] {
  const all = [...own, ...carried];
  return all.filter(({ settledCurrency }) => settledCurrency === all[0]?.settledCurrency);
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
