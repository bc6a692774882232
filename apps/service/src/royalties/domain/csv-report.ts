/**
 * Reports as one table with a header line. What differs between stores is a description: the names of the columns, how
 * dates and uses are written, and whether totals follow. Columns that the description does not name are kept in suspense
 * and otherwise not read.
 */

import { type CalendarDate, isCalendarDate } from '../../kernel/calendar-date.ts';
import { isCurrency } from '../../kernel/currency.ts';
import { isTerritoryCode } from '../../kernel/territory.ts';
import type { UseType } from '../../kernel/use-type.ts';
import { isMonth, middleMonth } from './calendar.ts';
import { checkDeclaredTotals, declaredTotalsOf } from './csv-totals.ts';
import {
  monthOf,
  type OpenReport,
  type OtherIncomeType,
  rejection,
  type ReportLayout,
  type ReportReader,
  type RowContext,
  type RowGroup,
  type RowRejection,
  type ScannedFile,
} from './report-layout.ts';

export type CsvDescription = {
  readonly delimiter: '\t' | ',';
  readonly isQuoted: boolean;
  readonly cells: ReportLayout['cells'];
  readonly start: string;
  readonly end: string;
  /** Null: the month of the last day. */
  readonly accountingMonth: string | null;
  readonly territory: string;
  readonly use: string;
  readonly currency: string;
  readonly uses: Readonly<Record<string, UseType>>;
  readonly otherUses: Readonly<Record<string, OtherIncomeType>>;
  readonly dates: 'YYYY-MM-DD' | 'MM/DD/YYYY';
  /** The line that begins the totals; null: no totals follow. */
  readonly totals: string | null;
};

export function csvReader(description: CsvDescription): ReportReader {
  const { cells, start, end, territory, use, currency, accountingMonth, totals } = description;
  const contextColumns = [start, end, territory, use, currency];
  const layout: ReportLayout = {
    delimiter: description.delimiter,
    isQuoted: description.isQuoted,
    isEscaped: false,
    cells,
    contextColumns:
      accountingMonth === null ? contextColumns : [...contextColumns, accountingMonth],
    ...(totals !== null && { endPrefix: totals }),
  };
  return {
    layout,
    columnsOf: (head) => columnsOf(layout, head),
    open: (files) => openCsv(description, files),
  };
}

function openCsv(description: CsvDescription, files: readonly ScannedFile[]): OpenReport {
  const declared =
    description.totals === null ? [] : files.map(declaredTotalsOf(description.totals));
  return {
    messageId: null,
    period: null,
    contextOf: (group) => contextOfRow(description, group),
    fees: [],
    declared: new Map(
      declared
        .flatMap(({ amounts }) => [...amounts])
        .map(([code]) => [
          code,
          declared.reduce((sum, each) => sum + (each.amounts.get(code) ?? 0n), 0n),
        ]),
    ),
    checkTotals: (groups) => checkDeclaredTotals(declared, groups, description.cells.amount),
    scopes: [],
  };
}

function columnsOf(
  { cells, contextColumns, delimiter, isQuoted }: ReportLayout,
  { name, others }: Pick<ScannedFile, 'name' | 'others'>,
): readonly string[] {
  const [header] = others;
  if (header === undefined) {
    throw rejection('unreadable_file', 'The file is empty. Send the complete file again.', name);
  }
  const columns = header.text
    .split(delimiter)
    .map((cell) => (isQuoted ? cell.replace(/^"(.*)"$/, '$1') : cell).trim());
  const missing = [...Object.values(cells), ...contextColumns].filter(
    (column) => !columns.includes(column),
  );
  if (missing.length > 0) {
    throw rejection(
      'unreadable_file',
      `The header line has no column ${missing.map((column) => `"${column}"`).join(', ')}. Choose the format of the file, or ask the store for a corrected one.`,
      name,
      header.line,
    );
  }
  if (new Set(columns).size < columns.length) {
    throw rejection(
      'unreadable_file',
      'Two columns have the same name. Ask the store for a corrected file.',
      name,
      header.line,
    );
  }
  return columns;
}

function contextOfRow(description: CsvDescription, group: RowGroup): RowContext {
  const [startText = '', endText = '', territory = '', use = '', currency = '', fiscalMonth] =
    group.values;
  if (!isCurrency(currency)) {
    throw rejection(
      'unknown_currency',
      `The currency is "${currency.slice(0, 20)}", which is none of ISO 4217. Ask the store for a corrected file.`,
      group.file,
      group.line,
    );
  }
  const [start, end] = [dateOf(description, startText), dateOf(description, endText)];
  const isPeriod = start !== undefined && end !== undefined && start <= end;
  const period = isPeriod ? { start, end } : { start: nowhere, end: nowhere };
  const useType = Object.hasOwn(description.uses, use) ? description.uses[use] : undefined;
  const otherType = Object.hasOwn(description.otherUses, use)
    ? description.otherUses[use]
    : undefined;
  const isReadable = isPeriod && (fiscalMonth === undefined || isMonth(fiscalMonth));
  return {
    currency,
    rejection: rejectionOf({
      territory,
      isKnownUse: useType !== undefined || otherType !== undefined,
      isReadable,
    }),
    territory,
    useType: useType ?? null,
    usageMonth: middleMonth(period.start, period.end),
    accountingMonth:
      fiscalMonth !== undefined && isMonth(fiscalMonth) ? fiscalMonth : monthOf(period.end),
    periodStart: period.start,
    periodEnd: period.end,
    usageStart: period.start,
    usageEnd: period.end,
    otherType: otherType ?? null,
    otherReason: otherType === undefined ? null : use,
    service: '',
    commercialModel: '',
    scopeUseType: use,
  };
}

/** For rows whose dates cannot be read, which are rejected. */
const nowhere: CalendarDate = '1900-01-01';

function rejectionOf({
  territory,
  isKnownUse,
  isReadable,
}: {
  readonly territory: string;
  readonly isKnownUse: boolean;
  readonly isReadable: boolean;
}): RowRejection | null {
  if (!isReadable) return 'unreadable_date';
  if (!isTerritoryCode(territory)) return 'unknown_territory';
  return isKnownUse ? null : 'unknown_use_type';
}

function dateOf({ dates }: CsvDescription, text: string): CalendarDate | undefined {
  const iso =
    dates === 'YYYY-MM-DD' ? text : text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$1-$2');
  return isCalendarDate(iso) ? iso : undefined;
}
