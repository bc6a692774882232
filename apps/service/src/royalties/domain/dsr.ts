/**
 * DDEX Digital Sales Reporting, profile "Financial Reporting to Record Companies": a header, summary records (SY10) with
 * what the store owes for one territory and one use, sales rows (SR08) that each belong to a summary record, and a footer
 * that counts the lines. A message may have several files.
 */

import type { Currency } from '../../kernel/currency.ts';
import { isTerritoryCode } from '../../kernel/territory.ts';
import { type DsrRecord, readDsrRecord, recordTypeOf } from './dsr-record.ts';
import { dsrRecords } from './dsr-records.ts';
import { contextOfRow, periodOfRecord, type Summary, toSummary } from './dsr-summary.ts';
import {
  type OpenReport,
  rejection,
  type ReportReader,
  type RowGroup,
  type ScannedFile,
} from './report-layout.ts';
import type { ReportScope } from './report.ts';
import { formatSourceAmount, isDeclaredAs, parseSourceAmount } from './source-amount.ts';

type DsrFile = {
  readonly name: string;
  readonly header: DsrRecord;
  readonly summaries: readonly DsrRecord[];
};

const columns = dsrRecords.SR08.map(({ name }) => name);
const readTypes = new Set(['HEAD', 'SRHE', 'SY10', 'SRFO', 'DE01']);

export const dsrReader: ReportReader = {
  layout: {
    delimiter: '\t',
    isQuoted: false,
    dataPrefix: 'SR08\t',
    commentPrefix: '#',
    isEscaped: true,
    cells: {
      isrc: 'ResourceISRC',
      productCode: 'ReleaseICPN',
      resourceId: 'DspResourceId',
      title: 'ResourceTitle',
      units: 'NetUsage',
      totalUnits: 'TotalUsages',
      returnedUnits: 'Returns',
      amount: 'AllocatedNetRevenueInCurrencyOfAccounting',
    },
    contextColumns: ['SummaryRecordId', 'SalesTransactionDate'],
  },
  columnsOf: () => columns,
  open: openDsr,
};

function openDsr(scanned: readonly ScannedFile[]): OpenReport {
  const files = scanned.map(readDsrFile);
  const header = checkSet(files);
  const summaries = summariesOf(files);
  const period = periodOfRecord(
    header.value('UsageStartDate'),
    header.value('UsageEndDate'),
    header,
  );
  return {
    messageId: header.value('MessageId'),
    period,
    contextOf: (group) => contextOfRow(summaryOf(summaries, group), group, period.end),
    fees: [...summaries.values()].flatMap(({ fees }) => fees),
    declared: declaredTotals(summaries),
    checkTotals: (groups) => checkTotals(summaries, groups),
    scopes: [...summaries.values()].flatMap((summary) => scopesOf(summary, header)),
  };
}

function readDsrFile(file: ScannedFile): DsrFile {
  const { name, others } = file;
  const [first] = others;
  const last = others.at(-1);
  if (first === undefined || !['HEAD', 'SRHE'].includes(recordTypeOf(first))) {
    throw rejection(
      'unreadable_file',
      'The file does not begin with a HEAD record. Send a DSR file.',
      name,
      1,
    );
  }
  if (last === undefined || recordTypeOf(last) !== 'SRFO' || last.line !== file.lastLine) {
    throw rejection(
      'wrong_footer',
      'The last record is not SRFO: the file is incomplete. Send it again.',
      name,
      file.lastLine,
    );
  }
  const unknown = others.find((other) => !readTypes.has(recordTypeOf(other)));
  if (unknown !== undefined) {
    throw rejection(
      'unreadable_file',
      `The record type "${recordTypeOf(unknown).slice(0, 20)}" is unknown. Only the profile FinancialReportingToRecordCompanies is read.`,
      name,
      unknown.line,
    );
  }
  const summaries = others
    .filter((other) => recordTypeOf(other) === 'SY10')
    .map((other) => readDsrRecord('SY10', other, name));
  checkFooter(readDsrRecord('SRFO', last, name), file, summaries.length);
  return { name, header: readDsrRecord('SRHE', first, name), summaries };
}

/** Stores disagree on whether comments and empty lines count: both counts are accepted. */
function checkFooter(footer: DsrRecord, file: ScannedFile, summaryCount: number): void {
  const records = file.others.length + file.dataLines;
  const lines = Number(footer.value('NumberOfLinesInReport'));
  if (lines !== records && lines !== records + file.skippedLines) {
    throw rejection(
      'wrong_footer',
      `The footer declares ${lines} lines, but the file has ${records}. Ask the store for the complete file.`,
      file.name,
      footer.line,
    );
  }
  const summaries = Number(footer.value('NumberOfSummaryRecords'));
  if (summaries !== summaryCount) {
    throw rejection(
      'wrong_footer',
      `The footer declares ${summaries} summary records, but the file has ${summaryCount}. Ask the store for the complete file.`,
      file.name,
      footer.line,
    );
  }
}

/** All files of the message, each once. */
function checkSet(files: readonly DsrFile[]): DsrRecord {
  const [first] = files;
  if (first === undefined) throw rejection('files_missing', 'The report has no files.');
  const { header } = first;
  const shared = ['MessageId', 'NumberOfFiles', 'UsageStartDate', 'UsageEndDate'];
  for (const { name, header: other } of files) {
    const different = shared.find((cell) => other.value(cell) !== header.value(cell));
    if (different !== undefined) {
      throw rejection(
        'files_missing',
        `${different} differs from that of ${first.name}: the files belong to different messages. Register each message as a report of its own.`,
        name,
        other.line,
      );
    }
  }
  const declared = Number(header.value('NumberOfFiles'));
  const numbers = new Set(files.map((file) => Number(file.header.value('FileNumber'))));
  const isComplete =
    numbers.size === files.length && Array.from(numbers).every((n) => n >= 1 && n <= declared);
  if (declared !== files.length || !isComplete) {
    throw rejection(
      'files_missing',
      `The message has ${declared} files, but these are the files ${[...numbers].toSorted((a, b) => a - b).join(', ')}. Send every file of the message once.`,
      first.name,
      header.line,
    );
  }
  return header;
}

/** A summary record may be repeated in each file, but not changed. */
function summariesOf(files: readonly DsrFile[]): ReadonlyMap<string, Summary> {
  const summaries = new Map<string, Summary>();
  for (const record of files.flatMap((file) => file.summaries)) {
    const summary = toSummary(record);
    const known = summaries.get(summary.id);
    if (known !== undefined && known.record.text !== record.text) {
      throw rejection(
        'unreadable_file',
        `Two summary records have the id ${summary.id}. Ask the store for a corrected file.`,
        record.file,
        record.line,
      );
    }
    summaries.set(summary.id, known ?? summary);
  }
  return summaries;
}

function summaryOf(summaries: ReadonlyMap<string, Summary>, group: RowGroup): Summary {
  const [id = ''] = group.values;
  const summary = summaries.get(id);
  if (summary === undefined) {
    throw rejection(
      'unreadable_file',
      `The row names the summary record "${id.slice(0, 100)}", which the report does not have. Ask the store for a corrected file.`,
      group.file,
      group.line,
    );
  }
  return summary;
}

function declaredTotals(summaries: ReadonlyMap<string, Summary>): ReadonlyMap<Currency, bigint> {
  const totals = new Map<Currency, bigint>();
  for (const { currency, finalTotal } of summaries.values()) {
    totals.set(currency, (totals.get(currency) ?? 0n) + (parseSourceAmount(finalTotal) ?? 0n));
  }
  return totals;
}

function checkTotals(summaries: ReadonlyMap<string, Summary>, groups: readonly RowGroup[]): void {
  const sums = new Map<string, bigint>();
  for (const { values, amount } of groups) {
    const [id = ''] = values;
    sums.set(id, (sums.get(id) ?? 0n) + amount);
  }
  for (const { id, record, fees, finalTotal, currency } of summaries.values()) {
    const sum = fees.reduce((total, fee) => total + fee.amount, sums.get(id) ?? 0n);
    if (isDeclaredAs(sum, finalTotal)) continue;
    throw rejection(
      'wrong_total',
      `Summary record ${id} declares ${finalTotal} ${currency}, but its rows and fees add up to ${formatSourceAmount(sum)}. Ask the store for a corrected report.`,
      record.file,
      record.line,
    );
  }
}

function scopesOf(summary: Summary, header: DsrRecord): readonly ReportScope[] {
  const { record, territory, period } = summary;
  if (!isTerritoryCode(territory)) return [];
  return [
    {
      service: summary.service === '' ? header.value('ServiceDescription') : summary.service,
      territory,
      commercialModel: record.value('CommercialModel'),
      useType: summary.scopeUseType,
      periodStart: period.start,
      periodEnd: period.end,
    },
  ];
}
