/**
 * First step of reading a report, in a process of its own: uncompresses the files, checks them against what they declare,
 * and writes their rows as numbers, with the texts that the numbers stand for and the codes whose owners must be found.
 */

import type { Task } from '../../platform/process/child-task.ts';
import type { OpenReport, ReportReader, RowContext, RowGroup } from '../domain/report-layout.ts';
import { reportReaders } from '../domain/report-readers.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportFormat } from '../domain/report.ts';
import { createRowReader, type FileRows, type RowFiles, type RowReader } from './read-rows.ts';
import { refuseReport } from './report-task.ts';
import { lineOfRow, type Run, type ScanResult, scanLines } from './scan-lines.ts';
import { uncompress } from './uncompress.ts';

export type ParseInput = {
  readonly folder: string;
  readonly format: ReportFormat;
  readonly files: readonly { readonly name: string; readonly path: string }[];
};

export type ParsedFile = {
  readonly name: string;
  readonly path: string;
  readonly columns: readonly string[];
  /** Of all files before this one. */
  readonly firstRow: number;
  readonly rows: number;
  readonly runs: readonly Run[];
};

/** Its number is its position. */
export type ParsedContext = {
  readonly context: RowContext;
  /** Of all its rows, in units of 10^-10. */
  readonly amount: string;
};

export type ParsedReport = RowFiles & {
  readonly messageId: string | null;
  readonly period: OpenReport['period'];
  readonly files: readonly ParsedFile[];
  readonly contexts: readonly ParsedContext[];
  readonly fees: readonly (Omit<OpenReport['fees'][number], 'amount'> & {
    readonly amount: string;
  })[];
  /** Currency and amount in units of 10^-10. */
  readonly declared: readonly (readonly [string, string])[];
  readonly scopes: OpenReport['scopes'];
};

type Report = (progress: unknown) => void;

export const run: Task<ParseInput, ParsedReport> = async (input, report) => {
  try {
    return await parse(input, report);
  } catch (error) {
    throw error instanceof ReportRejected ? refuseReport(error.rejection) : error;
  }
};

async function parse(input: ParseInput, report: Report): Promise<ParsedReport> {
  const reader = reportReaders[input.format];
  const rows = createRowReader(input.folder, reader.layout);
  try {
    const files = await readFiles(input, reader, rows, report);
    const opened = reader.open(files.map(({ scan }) => scan));
    for (const file of files) checkCells(file);
    for (const file of files) checkAmounts(file, reader.layout.cells.amount);
    const groups = files.flatMap((file) => groupsOf(file, rows.contexts.values));
    const contexts = contextsOf(opened, groups);
    opened.checkTotals(groups);
    return { ...plainData(opened), ...rows.finish(), files: files.map(plainFile), contexts };
  } finally {
    rows.close();
  }
}

const plainData = ({ messageId, period, scopes, fees, declared }: OpenReport) => ({
  messageId,
  period,
  scopes,
  fees: fees.map((fee) => ({ ...fee, amount: String(fee.amount) })),
  declared: [...declared].map(([currency, amount]) => [currency, String(amount)] as const),
});

type ReadFile = {
  readonly path: string;
  readonly columns: readonly string[];
  readonly scan: ScanResult;
  readonly rows: FileRows;
};

const plainFile = ({ path, columns, scan, rows }: ReadFile): ParsedFile => ({
  name: scan.name,
  path,
  columns,
  firstRow: rows.firstRow,
  rows: scan.dataLines,
  runs: scan.runs,
});

async function readFiles(
  { files }: ParseInput,
  { layout, columnsOf }: ReportReader,
  rows: RowReader,
  report: Report,
): Promise<readonly ReadFile[]> {
  const read: ReadFile[] = [];
  for (const [i, { name, path }] of files.entries()) {
    const file = rows.openFile(name);
    const scan = await scanLines(uncompress(path, name), name, layout, (head) =>
      file.addRowsOf(columnsOf(head)),
    );
    read.push({ path, columns: columnsOf(scan), scan, rows: file.finish() });
    report({ stage: 'read files', done: i + 1, total: files.length });
  }
  return read;
}

function checkCells({ columns, scan, rows }: ReadFile): void {
  if (rows.malformedRow === undefined) return;
  throw refuseReport({
    code: 'unreadable_file',
    message: `The line does not have ${columns.length} cells. Ask the store for a corrected file.`,
    file: scan.name,
    line: lineOfRow(scan.runs, rows.malformedRow),
  });
}

function checkAmounts({ scan, rows }: ReadFile, amountColumn: string): void {
  if (rows.unreadableRow === undefined) return;
  throw refuseReport({
    code: 'unreadable_file',
    message: `${amountColumn} is not a plain decimal with at most 18 digits before the point and ten after it. Ask the store for a corrected file.`,
    file: scan.name,
    line: lineOfRow(scan.runs, rows.unreadableRow),
  });
}

type NumberedGroup = RowGroup & { readonly contextId: number };

const groupsOf = (
  { scan, rows }: ReadFile,
  values: readonly (readonly string[])[],
): readonly NumberedGroup[] =>
  rows.groups.map(({ contextId, firstRow, rows: count, amount }) => ({
    contextId,
    file: scan.name,
    line: lineOfRow(scan.runs, firstRow),
    values: values[contextId] ?? [],
    rows: count,
    amount,
  }));

/** In the order of the numbers of contexts, which is that of their first rows. */
function contextsOf(
  opened: OpenReport,
  groups: readonly NumberedGroup[],
): readonly ParsedContext[] {
  const contexts: { readonly context: RowContext; readonly amount: bigint }[] = [];
  for (const group of groups) {
    const known = contexts[group.contextId];
    const context = known?.context ?? opened.contextOf(group);
    contexts[group.contextId] = { context, amount: (known?.amount ?? 0n) + group.amount };
  }
  return contexts.map(({ context, amount }) => ({ context, amount: String(amount) }));
}
