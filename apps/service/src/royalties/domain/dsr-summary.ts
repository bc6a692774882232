/** Summary records of DSR: what their rows have in common. */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { type Currency, isCurrency } from '../../kernel/currency.ts';
import { isTerritoryCode } from '../../kernel/territory.ts';
import type { UseType } from '../../kernel/use-type.ts';
import { periodOf } from './calendar.ts';
import type { DsrRecord } from './dsr-record.ts';
import { otherTypeOf, useTypeOfDsr } from './dsr-use-type.ts';
import {
  monthOf,
  type OtherIncomeType,
  rejection,
  type RowContext,
  type RowGroup,
  type RowRejection,
  type UsageIndependentFee,
} from './report-layout.ts';
import { parseSourceAmount } from './source-amount.ts';

type Period = { readonly start: CalendarDate; readonly end: CalendarDate };

export type Summary = {
  readonly id: string;
  readonly record: DsrRecord;
  readonly territory: string;
  readonly useType: UseType | undefined;
  readonly otherType: OtherIncomeType | undefined;
  readonly period: Period;
  readonly currency: Currency;
  readonly fees: readonly UsageIndependentFee[];
  readonly finalTotal: string;
  readonly service: string;
  readonly scopeUseType: string;
};

export function toSummary(record: DsrRecord): Summary {
  const currency = record.value('CurrencyOfAccounting');
  if (!isCurrency(currency)) {
    throw rejection(
      'unknown_currency',
      `CurrencyOfAccounting is "${currency.slice(0, 20)}", which is no currency of ISO 4217. Ask the store for a corrected file.`,
      record.file,
      record.line,
    );
  }
  const period = periodOfRecord(
    record.value('ReportingPeriodStartDate'),
    record.value('ReportingPeriodEndDate'),
    record,
  );
  const [useType, offerType] = [record.value('UseType'), record.value('OfferType')];
  return {
    id: record.value('SummaryRecordId'),
    record,
    territory: record.value('Territory'),
    useType: useTypeOfDsr(useType, record.value('CommercialModel')),
    otherType: otherTypeOf(offerType),
    period,
    currency,
    fees: feesOf(record, currency, period),
    finalTotal: record.value('FinalTotalAmountInCurrencyOfAccounting'),
    service: [record.value('DistributionChannelName'), record.value('ServiceDescription')]
      .filter((name) => name !== '')
      .join('/'),
    // A report of fines does not overlap with the report of the usage.
    scopeUseType: offerType === '' ? useType : `${useType}/${offerType}`,
  };
}

export function periodOfRecord(startText: string, endText: string, record: DsrRecord): Period {
  const [start, end] = [periodOf(startText)?.start, periodOf(endText)?.end];
  if (start === undefined || end === undefined || start > end) {
    throw rejection(
      'unreadable_file',
      `The period ${startText} to ${endText} does not exist. Ask the store for a corrected file.`,
      record.file,
      record.line,
    );
  }
  return { start, end };
}

function feesOf(
  record: DsrRecord,
  currency: Currency,
  period: Period,
): readonly UsageIndependentFee[] {
  const types = record.values('UsageIndependentFeeType');
  return record.values('UsageIndependentFeeInCurrencyOfAccounting').flatMap((text, i) => {
    const amount = parseSourceAmount(text) ?? 0n;
    const reason = types[i] ?? '';
    const fee: UsageIndependentFee = {
      type: otherTypeOf(reason) ?? 'non_track_income',
      territory: record.value('Territory'),
      usageMonth: monthOf(period.end),
      currency,
      amount,
      reason: reason === '' ? 'Fee without usage' : reason,
    };
    return amount === 0n ? [] : [fee];
  });
}

/**
 * A row is about one day if its date is inside the period of its summary record. The last day of the period, a month or
 * a year stands for the whole period: most stores write the end of the month on every row.
 */
export function contextOfRow(
  summary: Summary,
  { values }: RowGroup,
  reportEnd: CalendarDate,
): RowContext {
  const { period } = summary;
  const date = values[1] ?? '';
  const day = periodOf(date);
  const isOneDay = day !== undefined && day.start === day.end && day.end !== period.end;
  const usage = isOneDay ? day : period;
  return {
    currency: summary.currency,
    rejection: rejectionOf(summary, day),
    territory: summary.territory,
    useType: summary.useType ?? null,
    usageMonth: monthOf(day === undefined || day.end > period.end ? period.end : day.end),
    accountingMonth: monthOf(reportEnd),
    periodStart: period.start,
    periodEnd: period.end,
    usageStart: usage.start,
    usageEnd: usage.end,
    otherType: summary.otherType ?? null,
    otherReason: summary.otherType === undefined ? null : summary.record.value('OfferType'),
    service: summary.service,
    commercialModel: summary.record.value('CommercialModel'),
    scopeUseType: summary.scopeUseType,
  };
}

function rejectionOf(
  { territory, useType, otherType, period }: Summary,
  day: Period | undefined,
): RowRejection | null {
  if (!isTerritoryCode(territory)) return 'unknown_territory';
  if (useType === undefined && otherType === undefined) return 'unknown_use_type';
  if (day === undefined) return 'unreadable_date';
  return day.end < period.start || day.start > period.end ? 'date_out_of_period' : null;
}
