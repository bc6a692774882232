/**
 * First step of reading a report, in a process of its own: uncompresses the files, checks them against what they declare,
 * and writes their rows normalized, one Parquet file each, with the codes whose owners must be found.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Task } from '../../platform/process/child-task.ts';
import type { OpenReport, ReportLayout, RowContext, RowGroup } from '../domain/report-layout.ts';
import { reportReaders } from '../domain/report-readers.ts';
import { ReportRejected } from '../domain/report-rejected.ts';
import type { ReportFormat } from '../domain/report.ts';
import { parseSourceAmount } from '../domain/source-amount.ts';
import { type DuckDb, withConfinedDuckDb, text } from './duckdb.ts';
import { refuseReport } from './report-task.ts';
import { lineOfRow, type Run, type ScanResult, scanLines } from './scan-lines.ts';
import { findMalformedLine, normalizedRows, type SourceFile } from './source-rows.ts';
import { uncompress } from './uncompress.ts';

export type ParseInput = {
  readonly folder: string;
  readonly threads: number;
  readonly memoryMb: number;
  readonly format: ReportFormat;
  readonly files: readonly { readonly name: string; readonly path: string }[];
};

export type ParsedFile = SourceFile & {
  readonly name: string;
  readonly rowsPath: string;
  readonly rows: number;
  readonly runs: readonly Run[];
};

export type ParsedContext = {
  readonly values: readonly string[];
  readonly context: RowContext;
  /** Of all its rows, in units of 10^-10. */
  readonly amount: string;
};

export type ParsedReport = {
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
  /** Codes, one per line: of every row, and of rows about whole releases. */
  readonly codesPath: string;
  readonly albumCodesPath: string;
};

/** Territories × uses × days of one report. */
const contextsMax = 200_000;

export const run: Task<ParseInput, ParsedReport> = async (input, report) => {
  try {
    return await parse(input, report);
  } catch (error) {
    throw error instanceof ReportRejected ? refuseReport(error.rejection) : error;
  }
};

async function parse(
  input: ParseInput,
  report: (progress: unknown) => void,
): Promise<ParsedReport> {
  const reader = reportReaders[input.format];
  const scanned = await scanFiles(input, reader.layout, report);
  const opened = reader.open(scanned);
  return withConfinedDuckDb(input, async (db) => {
    const files: ParsedFile[] = [];
    const total = scanned.reduce((sum, { dataLines }) => sum + dataLines, 0);
    for (const [i, scan] of scanned.entries()) {
      files.push(
        await writeRows(db, input.folder, reader.layout, {
          scan,
          columns: opened.columns[i] ?? [],
          number: i + 1,
        }),
      );
      const done = files.reduce((sum, { rows }) => sum + rows, 0);
      report({ stage: 'parse rows', done, total });
    }
    const groups: RowGroup[] = [];
    for (const file of files) groups.push(...(await groupRows(db, reader.layout, file)));
    const contexts = contextsOf(opened, groups);
    opened.checkTotals(groups);
    const codes = await writeCodes(db, input.folder, files);
    return { ...plainData(opened), files, contexts, ...codes };
  });
}

const plainData = ({ messageId, period, scopes, fees, declared }: OpenReport) => ({
  messageId,
  period,
  scopes,
  fees: fees.map((fee) => ({ ...fee, amount: String(fee.amount) })),
  declared: [...declared].map(([currency, amount]) => [currency, String(amount)] as const),
});

async function scanFiles(
  { folder, files }: ParseInput,
  layout: ReportLayout,
  report: (progress: unknown) => void,
) {
  const scanned: ScanResult[] = [];
  for (const [i, { name, path }] of files.entries()) {
    scanned.push(await scanLines(uncompress(path, name), name, layout, dataPath(folder, i + 1)));
    await rm(path);
    report({ stage: 'scan files', done: i + 1, total: files.length });
  }
  return scanned;
}

const dataPath = (folder: string, number: number) => join(folder, `data-${number}`);

type FileToWrite = {
  readonly scan: ScanResult;
  readonly columns: readonly string[];
  readonly number: number;
};

async function writeRows(
  db: DuckDb,
  folder: string,
  layout: ReportLayout,
  { scan, columns, number }: FileToWrite,
): Promise<ParsedFile> {
  const { name, runs, dataLines } = scan;
  const source: SourceFile = { path: dataPath(folder, number), columns };
  const rowsPath = join(folder, `rows-${number}.parquet`);
  try {
    await db.run(
      `copy (${normalizedRows(source, layout)}) to ${text(rowsPath)} (format parquet, compression uncompressed)`,
    );
  } catch (error) {
    if (!isCsvError(error)) throw error;
    const line = lineOfRow(runs, (await findMalformedLine(db, source, layout)) - 1);
    throw malformed(name, line, columns.length);
  }
  const [counted] = await db.rows(
    `select count(*)::integer as rows from read_parquet(${text(rowsPath)})`,
  );
  if (counted?.['rows'] !== dataLines) throw malformed(name, lineOfRow(runs, 0), columns.length);
  return { ...source, name, rowsPath, rows: dataLines, runs };
}

const isCsvError = (error: unknown) =>
  error instanceof Error && /CSV Error|Invalid Input Error/.test(error.message);

const malformed = (file: string, line: number, columns: number) =>
  refuseReport({
    code: 'unreadable_file',
    message: `The line does not have ${columns} cells. Ask the store for a corrected file.`,
    file,
    line,
  });

async function groupRows(
  db: DuckDb,
  { contextColumns, cells }: ReportLayout,
  file: ParsedFile,
): Promise<RowGroup[]> {
  const keys = contextColumns.map((_, i) => `k${i}`);
  const rows = await db.rows(`
    select ${keys.join(', ')}, count(*)::integer as rows, sum(amount)::varchar as amount, min(file_row_number)::bigint::varchar as first,
           min(case when amount is null then file_row_number end)::bigint::varchar as unreadable
      from read_parquet(${text(file.rowsPath)}, file_row_number = true)
     group by all order by min(file_row_number) limit ${contextsMax + 1}`);
  if (rows.length > contextsMax) {
    throw refuseReport({
      code: 'unreadable_file',
      message: `The file has more than ${contextsMax} combinations of ${contextColumns.join(', ')}. Check its format.`,
      file: file.name,
      line: null,
    });
  }
  const lineOf = (row: unknown) => lineOfRow(file.runs, Number(row));
  const unreadable = rows
    .filter((row) => row['unreadable'] !== null)
    .map((row) => Number(row['unreadable']));
  if (unreadable.length > 0) {
    throw refuseReport({
      code: 'unreadable_file',
      message: `${cells.amount} is not a plain decimal with at most 18 digits before the point and ten after it. Ask the store for a corrected file.`,
      file: file.name,
      line: lineOf(Math.min(...unreadable)),
    });
  }
  return rows.map((row) => ({
    file: file.name,
    line: lineOf(row['first']),
    values: keys.map((key) => String(row[key])),
    rows: Number(row['rows']),
    amount: parseSourceAmount(String(row['amount'])) ?? 0n,
  }));
}

function contextsOf(opened: OpenReport, groups: readonly RowGroup[]): ParsedContext[] {
  const contexts = new Map<string, ParsedContext>();
  for (const group of groups) {
    const key = JSON.stringify(group.values);
    const known = contexts.get(key);
    const context = known?.context ?? opened.contextOf(group);
    const amount = String(BigInt(known?.amount ?? 0) + group.amount);
    contexts.set(key, { values: group.values, context, amount });
  }
  return [...contexts.values()];
}

const isIsrc = `regexp_full_match(isrc, '[A-Z]{2}[A-Z0-9]{3}[0-9]{7}')`;
const isProductCode = `regexp_full_match(product, '[0-9]{8,14}')`;

async function writeCodes(db: DuckDb, folder: string, files: readonly ParsedFile[]) {
  const [codesPath, albumCodesPath] = [join(folder, 'codes'), join(folder, 'album-codes')];
  const all = `read_parquet([${files.map(({ rowsPath }) => text(rowsPath)).join(', ')}])`;
  const csv = `(format csv, header false, quote '', escape '')`;
  await db.run(`
    copy (select isrc from (select distinct isrc from ${all}) where ${isIsrc}
          union all select product from (select distinct product from ${all}) where ${isProductCode}) to ${text(codesPath)} ${csv}`);
  await db.run(
    `copy (select product from (select distinct product from ${all} where isrc = '') where ${isProductCode}) to ${text(albumCodesPath)} ${csv}`,
  );
  return { codesPath, albumCodesPath };
}
