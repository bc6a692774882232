/**
 * The report of a store: what was used, by whom it is owned, and what the store owes for it. A report is not money: a
 * remittance says what was paid.
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { Id, OrgId } from '../../kernel/ids.ts';

export type ReportId = Id<'rpt'>;

/** dsr: DDEX, Financial Reporting to Record Companies. fiscal_csv: as Apple's, in fiscal months. plain_csv: one header line. */
export const reportFormats = ['dsr', 'fiscal_csv', 'plain_csv'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * received: its files are being read. validated: it overlaps with another report, and waits for the operator's decision.
 * matched: a run may take it. included: a run has. superseded: another report replaces it.
 */
export const reportStatuses = [
  'received',
  'validated',
  'rejected',
  'matched',
  'included',
  'superseded',
] as const;
export type ReportStatus = (typeof reportStatuses)[number];

const rejectionCodes = [
  'unreadable_file',
  'files_missing',
  'wrong_footer',
  'wrong_total',
  'unknown_currency',
  'duplicate_message_id',
  'rejected_by_operator',
] as const;

export type ReportRejection = {
  readonly code: (typeof rejectionCodes)[number];
  /** Names the cause and the cure. */
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
};

/** A decimal with at most ten decimals, as text: source amounts are finer than micros. */
export type SourceAmount = string;

export type ReportTotal = {
  readonly currency: Currency;
  readonly declaredAmount: SourceAmount | null;
  readonly matchedAmount: SourceAmount;
  readonly suspenseAmount: SourceAmount;
  readonly rejectedAmount: SourceAmount;
  readonly otherAmount: SourceAmount;
};

export type ReportScope = {
  readonly service: string;
  readonly territory: string;
  readonly commercialModel: string;
  readonly useType: string;
  readonly periodStart: CalendarDate;
  readonly periodEnd: CalendarDate;
};

export const partKinds = ['matched', 'other', 'suspense', 'rejected'] as const;
export type PartKind = (typeof partKinds)[number];

/** A Parquet file with rows of the report. */
export type ReportPart = {
  readonly kind: PartKind;
  readonly number: number;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly rowCount: number;
};

export type ReportShare = {
  /** Of the matched part. */
  readonly partNumber: number;
  readonly orgId: OrgId;
  readonly currency: Currency;
  readonly rowCount: number;
  readonly amount: SourceAmount;
};

/** What reading a report has found. Σ rows = matched + suspense + rejected; rows of fines and fees count as matched. */
export type ReportReading = {
  readonly messageId: string | null;
  readonly periodStart: CalendarDate;
  readonly periodEnd: CalendarDate;
  readonly rowsRead: number;
  readonly rowsMatched: number;
  readonly rowsSuspense: number;
  readonly rowsRejected: number;
  readonly totals: readonly ReportTotal[];
  readonly scopes: readonly ReportScope[];
  readonly parts: readonly ReportPart[];
  readonly shares: readonly ReportShare[];
};
