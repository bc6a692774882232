/**
 * What a store really paid. The first remittance of some reports says, in one currency, whether they are paid; others may
 * complete it. The states of the first one, by what all of them paid and withheld, and what the reports say:
 *
 *   paid    equal, or less than one minor unit of the currency apart: banks do not transfer less
 *   short   less: the reports wait, until the operator decides or another remittance completes it
 *   over    more: as short
 *
 * Decisions: `wait` (as without one), `accept` (credited in full; the house bears the difference), and for a short one
 * `prorate` (credited in full, but the shortfall is held until the dispute with the store ends). A remittance that leaves
 * another difference asks for a new decision. A decision is final when a run has taken one of the reports.
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Micros, minorUnitOf, sumMicros, toMicros } from '../../kernel/money.ts';
import type { ReportId, ReportTotal, SourceAmount } from './report.ts';
import { formatSourceAmount, sourceUnits, sourceUnitsPerMicro } from './source-amount.ts';

export type RemittanceId = Id<'rmt'>;

export type RemittanceStatus = 'paid' | 'short' | 'over';

export const remittanceDecisions = ['wait', 'accept', 'prorate'] as const;
export type RemittanceDecision = (typeof remittanceDecisions)[number];

export type RemittanceContent = {
  readonly storeId: string;
  /** The bank's; one payment of a store has one. */
  readonly reference: string;
  readonly currency: Currency;
  /** Gross: what the store paid and what it withheld. */
  readonly amount: Micros;
  /** Of `amount`, what the store withheld as tax. */
  readonly sourceTax: Micros;
  readonly settledCurrency: Currency;
  /** What the bank made of `amount` - `sourceTax`, before its fee. */
  readonly settledAmount: Micros;
  /** In the settled currency. The house bears it. */
  readonly bankFee: Micros;
  readonly valueDate: CalendarDate;
};

/** `completes`: null for the first of its reports, which has the state. */
export type Remittance = RemittanceContent & {
  readonly id: RemittanceId;
  readonly completes: RemittanceId | null;
  readonly dueAmount: SourceAmount | null;
  readonly status: RemittanceStatus | null;
  readonly decision: RemittanceDecision | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What was exchanged: all remittances of a report in one currency. */
export type RealizedPayment = {
  readonly settledCurrency: Currency;
  readonly settled: Micros;
  /** Without the tax that was withheld. */
  readonly paid: Micros;
};

/** What a store owes for a report: every row, also those that have no owner yet or cannot be read. */
export const dueUnitsOf = (total: Omit<ReportTotal, 'currency' | 'declaredAmount'>): bigint =>
  sourceUnits(total.matchedAmount) +
  sourceUnits(total.suspenseAmount) +
  sourceUnits(total.rejectedAmount) +
  sourceUnits(total.otherAmount);

/** Less than one minor unit is never transferred. */
export function isNothing(units: bigint, currency: Currency): boolean {
  const unit = minorUnitOf(currency) * sourceUnitsPerMicro;
  return -unit < units && units < unit;
}

/** `amounts`: of the first remittance and of those that complete it. */
export function remittanceStatus(
  due: SourceAmount,
  amounts: readonly Micros[],
  currency: Currency,
): RemittanceStatus {
  const difference = sumMicros(amounts) * sourceUnitsPerMicro - sourceUnits(due);
  if (isNothing(difference, currency)) return 'paid';
  return difference < 0n ? 'short' : 'over';
}

/** Whether a run may take the reports, as far as this remittance goes. */
export const isSettled = ({ status, decision }: Pick<Remittance, 'status' | 'decision'>): boolean =>
  status === 'paid' || decision === 'accept' || decision === 'prorate';

/** Zero, unless the operator decided to hold it. */
export function heldShortfall(
  { status, decision, dueAmount, currency }: Remittance,
  amounts: readonly Micros[],
): SourceAmount {
  const isHeld = status === 'short' && decision === 'prorate' && dueAmount !== null;
  if (!isHeld) return formatSourceAmount(0n);
  const short = sourceUnits(dueAmount) - sumMicros(amounts) * sourceUnitsPerMicro;
  // A fraction of a minor unit is the store's rounding, which the bank could not transfer.
  const unit = minorUnitOf(currency) * sourceUnitsPerMicro;
  return formatSourceAmount(short - (short % unit));
}

/** Null if everything was withheld: then no money was exchanged. */
export function realizedPayment(
  remittances: readonly Pick<
    Remittance,
    'amount' | 'sourceTax' | 'settledAmount' | 'settledCurrency'
  >[],
): RealizedPayment | null {
  const [first] = remittances;
  const paid = sumMicros(remittances.map(({ amount, sourceTax }) => toMicros(amount - sourceTax)));
  if (first === undefined || paid === 0n) return null;
  const settled = sumMicros(remittances.map(({ settledAmount }) => settledAmount));
  return { settledCurrency: first.settledCurrency, settled, paid };
}

export type RemittanceWithReports = Remittance & { readonly reportIds: readonly ReportId[] };

/** The part of a remittance that belongs to replaced reports. `reportId` is the successor. */
export type CarriedPayment = Pick<
  Remittance,
  'currency' | 'amount' | 'sourceTax' | 'settledAmount' | 'settledCurrency'
> & { readonly reportId: ReportId };
