/** Writes DSR files: every cell has a value that a test may replace. */

import { dsrRecords } from '../src/royalties/domain/dsr-records.ts';

type Cells = Readonly<Record<string, string>>;

const defaults = {
  SRHE: {
    RecordType: 'HEAD',
    MessageVersion: 'dsrf/1.0/1.0/1.0',
    Profile: 'FinancialReportingToRecordCompaniesProfileSRB',
    ProfileVersion: '1.0',
    MessageId: 'message-1',
    MessageCreatedDateTime: '2026-08-10T09:00:00Z',
    FileNumber: '1',
    NumberOfFiles: '1',
    UsageStartDate: '2026-07-01',
    UsageEndDate: '2026-07-31',
    SenderPartyId: 'PADPIDA2026020202Y',
    SenderName: 'Fictional Store',
  },
  SY10: {
    RecordType: 'SY10',
    SummaryRecordId: '1',
    CommercialModel: 'SubscriptionModel',
    UseType: 'OnDemandStream',
    ReportingPeriodStartDate: '2026-07-01',
    ReportingPeriodEndDate: '2026-07-31',
    Territory: 'DE',
    CurrencyOfTransaction: 'EUR',
    CurrencyOfAccounting: 'EUR',
  },
  SR08: {
    RecordType: 'SR08',
    SalesTransactionId: '1',
    DspReleaseId: 'r',
    ResourceISRC: 'QZAAA2600001',
    DspResourceId: 't',
    ResourceTitle: 'Title',
    SummaryRecordId: '1',
    SalesTransactionDate: '2026-07-31',
    TotalUsages: '10',
    Returns: '0',
    NetUsage: '10',
    RightSharePercentage: '100',
    CopyrightObligationWithDSP: 'true',
  },
};

function record(type: keyof typeof defaults, cells: Cells): string {
  const values: Cells = { ...defaults[type], ...cells };
  return dsrRecords[type]
    .map(
      ({ name, isRequired, type: kind }) =>
        values[name] ?? (isRequired && kind === 'number' ? '0' : ''),
    )
    .join('\t');
}

export const header = (cells: Cells = {}): string => record('SRHE', cells);
export const summary = (total: string, cells: Cells = {}): string =>
  record('SY10', { FinalTotalAmountInCurrencyOfAccounting: total, ...cells });
export const sale = (amount: string, cells: Cells = {}): string =>
  record('SR08', { AllocatedNetRevenueInCurrencyOfAccounting: amount, ...cells });

/** With a footer that counts the lines. */
export function dsrFile(lines: readonly string[], footer?: string): string {
  const summaries = lines.filter((line) => line.startsWith('SY10')).length;
  return `${[...lines, footer ?? `SRFO\t${lines.length + 1}\t${summaries}`].join('\n')}\n`;
}
