/**
 * How the files of a format are read. Data lines are read by a database engine; every other line (headers, summaries,
 * totals) and each distinct combination of context cells is judged by the rules of the format, which are pure. A new
 * format is a layout and a few rules.
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { UseType } from '../../kernel/use-type.ts';
import { ReportRejected } from './report-rejected.ts';
import type { ReportRejection, ReportScope } from './report.ts';

export type ReportLayout = {
  readonly delimiter: '\t' | ',';
  /** Whether cells may be quoted as in RFC 4180. */
  readonly isQuoted: boolean;
  /** Data lines begin with this text; without it, the first line names the columns and others are data. */
  readonly dataPrefix?: string;
  /** A line that begins with this text ends the data. */
  readonly endPrefix?: string;
  /** Lines that begin with it are neither data nor read. */
  readonly commentPrefix?: string;
  /** Whether `\` escapes `|` and `\` in a title. */
  readonly isEscaped: boolean;
  /** Names of columns. */
  readonly cells: {
    readonly isrc: string;
    readonly productCode: string;
    /** The store's own id of the recording: a row that has one is not about a whole release. */
    readonly resourceId?: string;
    readonly title: string;
    /** Net of returns; negative for returns. */
    readonly units: string;
    readonly totalUnits?: string;
    readonly returnedUnits?: string;
    readonly amount: string;
  };
  /** The columns that say where, when, how and in which currency. Few combinations of their values occur. */
  readonly contextColumns: readonly string[];
};

/** A line that is not data. */
export type OtherLine = { readonly line: number; readonly text: string };

export type ScannedFile = {
  readonly name: string;
  readonly others: readonly OtherLine[];
  readonly dataLines: number;
  /** Lines that are empty or comments. */
  readonly skippedLines: number;
  /** The last line that is neither empty nor a comment. */
  readonly lastLine: number;
};

/** The rows of one file with the same context cells. */
export type RowGroup = {
  readonly file: string;
  /** Of the first row. */
  readonly line: number;
  readonly values: readonly string[];
  readonly rows: number;
  /** In units of 10^-10. */
  readonly amount: bigint;
};

export type OtherIncomeType = 'penalty' | 'non_track_income' | 'chargeback';

export type RowRejection =
  | 'unknown_use_type'
  | 'unknown_territory'
  | 'unreadable_date'
  | 'date_out_of_period'
  | 'unreadable_count';

export type RowContext = {
  readonly currency: Currency;
  /** Null if the rows are accepted. */
  readonly rejection: RowRejection | null;
  readonly territory: string;
  readonly useType: UseType | null;
  readonly usageMonth: string;
  readonly accountingMonth: string;
  readonly periodStart: CalendarDate;
  readonly periodEnd: CalendarDate;
  /** The days of the usage: the store must have held the recording on one of them. */
  readonly usageStart: CalendarDate;
  readonly usageEnd: CalendarDate;
  /** Not null: the rows are fines or chargebacks, which are not usage. */
  readonly otherType: OtherIncomeType | null;
  readonly otherReason: string | null;
  readonly service: string;
  readonly commercialModel: string;
  readonly scopeUseType: string;
};

/** Income that no row explains. */
export type UsageIndependentFee = {
  readonly type: OtherIncomeType;
  readonly territory: string;
  readonly usageMonth: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly reason: string;
};

/** What the lines that are not data say. */
export type OpenReport = {
  readonly messageId: string | null;
  /** Null: the days of the rows. */
  readonly period: { readonly start: CalendarDate; readonly end: CalendarDate } | null;
  /** Throws `ReportRejected` if the amount of the rows would be lost. */
  readonly contextOf: (group: RowGroup) => RowContext;
  readonly fees: readonly UsageIndependentFee[];
  /** By currency, in units of 10^-10; empty if the format declares none. */
  readonly declared: ReadonlyMap<Currency, bigint>;
  /** Throws `ReportRejected` if the rows are not those that the report declares. */
  readonly checkTotals: (groups: readonly RowGroup[]) => void;
  /** Scopes beside those of the rows. */
  readonly scopes: readonly ReportScope[];
};

export type ReportReader = {
  readonly layout: ReportLayout;
  /** The columns of data lines, from the lines before them. Throws `ReportRejected` if the header line is wrong. */
  readonly columnsOf: (head: Pick<ScannedFile, 'name' | 'others'>) => readonly string[];
  readonly open: (files: readonly ScannedFile[]) => OpenReport;
};

export const rejection = (
  code: ReportRejection['code'],
  message: string,
  file: string | null = null,
  line: number | null = null,
): ReportRejected => new ReportRejected({ code, message, file, line });

export const monthOf = (date: CalendarDate): string => date.slice(0, 7);
