/** Exchange rates of a run: what the bank made of a store's payment, and a set of rates for the rest. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { Id } from '../../kernel/ids.ts';
import { formatFxRate, type FxRate, realizedRate, sameCurrencyRate } from '../../kernel/money.ts';
import type { RunRate } from './calculation.ts';
import type { RealizedPayment } from './remittance.ts';
import type { ReportId } from './report.ts';

export type FxRateSetId = Id<'fxs'>;

/** `EUR/USD`: one euro in dollars. The reverse pair is another rate, and is not derived. */
export type CurrencyPair = `${Currency}/${Currency}`;

export type FxRateSet = {
  readonly id: FxRateSetId;
  readonly name: string;
  readonly asOf: CalendarDate;
  readonly rates: ReadonlyMap<CurrencyPair, FxRate>;
  readonly createdAt: Date;
};

/** The realized payments of a report by source currency. Without one, the store is paid out on its report. */
export type PaidReport = {
  readonly reportId: ReportId;
  readonly payments: ReadonlyMap<Currency, RealizedPayment>;
};

/** A rate, or the pair that the set lacks. */
type RateAnswer = { readonly rate: FxRate } | { readonly missing: CurrencyPair };

export function rateFor(
  payment: RealizedPayment | undefined,
  source: Currency,
  target: Currency,
  set: Pick<FxRateSet, 'rates'>,
): RateAnswer {
  if (source === target) return { rate: sameCurrencyRate };
  if (payment === undefined) return setRate(set, source, target);
  const { settledCurrency, settled, paid } = payment;
  const then =
    settledCurrency === target ? { rate: sameCurrencyRate } : setRate(set, settledCurrency, target);
  if ('missing' in then) return then;
  // A rate with too many digits blocks the run, as a missing one does.
  const rate = realizedRate(settled, paid, then.rate);
  return rate === undefined ? { missing: `${source}/${target}` } : { rate };
}

function setRate({ rates }: Pick<FxRateSet, 'rates'>, from: Currency, to: Currency): RateAnswer {
  const pair: CurrencyPair = `${from}/${to}`;
  const rate = rates.get(pair);
  return rate === undefined ? { missing: pair } : { rate };
}

export type RunRates = {
  readonly rates: readonly RunRate[];
  /** Sorted. Unless it is empty, the run cannot be calculated. */
  readonly missing: readonly CurrencyPair[];
};

/** `needed`: each report and source currency with each currency of a statement that has a share of it. */
export function runRatesOf(
  needed: readonly Omit<RunRate, 'rate'>[],
  reports: readonly PaidReport[],
  set: Pick<FxRateSet, 'rates'>,
): RunRates {
  const payments = new Map(reports.map((report) => [report.reportId, report.payments]));
  const rates: RunRate[] = [];
  const missing = new Set<CurrencyPair>();
  for (const { reportId, sourceCurrency, currency } of needed) {
    const payment = payments.get(reportId)?.get(sourceCurrency);
    const answer = rateFor(payment, sourceCurrency, currency, set);
    if ('missing' in answer) missing.add(answer.missing);
    else rates.push({ reportId, sourceCurrency, currency, rate: formatFxRate(answer.rate) });
  }
  return { rates, missing: [...missing].toSorted() };
}
