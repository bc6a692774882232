/**
 * Reads the files of a report: checks them, finds the owner of each row, and writes the rows as Parquet parts.
 *
 *   files → parse (a process) → codes → holdings (PostgreSQL) → match (a process) → parts
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HoldingsQuery, StoreHolding } from '../../delivery/face.ts';
import { hourMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { TaskOptions } from '../../platform/process/child-task.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { download } from '../../platform/storage/transfer.ts';
import { periodOfReport, scopesOfReport } from '../domain/report-scopes.ts';
import type {
  ReportFormat,
  ReportId,
  ReportPart,
  ReportReading,
  ReportTotal,
} from '../domain/report.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import type { CurrencySums } from './match-summary.ts';
import type { MatchInput, MatchResult } from './match-task.ts';
import type { ParsedReport, ParseInput } from './parse-task.ts';
import { currencyOf, sharesOf, uploadParts } from './report-parts.ts';
import { runReportTask } from './report-task.ts';
import { writeHoldings } from './write-holdings.ts';

export type ReadReportDeps = {
  readonly storage: Storage;
  /** An existing folder that only this process uses. */
  readonly scratchFolder: string;
  /** `findStoreHoldings` of the delivery slice. */
  readonly findHoldings: (query: HoldingsQuery) => Promise<readonly StoreHolding[]>;
  readonly threads?: number;
};

export type ReportToRead = {
  readonly reportId: ReportId;
  /** The owner of the report: the system organization, or the partner itself in the sandbox. */
  readonly orgId: OrgId;
  readonly storeId: string;
  readonly format: ReportFormat;
  readonly files: readonly {
    readonly number: number;
    readonly name: string;
    readonly objectKey: string;
  }[];
};

/** The process needs about 300 MB beside it. */
export const matchMemoryMb = 1_400;
export const defaultThreads = 2;
/** 50 million rows take about five minutes on two processors. */
const timeoutMs = 2 * hourMs;
const parseTask = new URL('./parse-task.ts', import.meta.url);
const matchTask = new URL('./match-task.ts', import.meta.url);
/** A later match adds others. */
const firstPart = 1;

/** Safe to repeat: writes the same parts under the same keys. Throws `ReportRejected` for wrong content. */
export async function readReport(
  deps: ReadReportDeps,
  input: ReportToRead,
  signal: AbortSignal,
  onProgress: (progress: unknown) => void,
): Promise<ReportReading> {
  const folder = await mkdtemp(join(deps.scratchFolder, 'report-'));
  try {
    const options = { signal, timeoutMs, onProgress };
    const { threads = defaultThreads } = deps;
    const { format } = input;
    const files = await downloadFiles(deps, input, folder, options);
    const parseInput: ParseInput = { folder, format, files };
    const report = await runReportTask<ParsedReport>(parseTask, parseInput, options);
    const period = periodOfReport(report);
    const holdings = await findOwners(deps, input, folder, report, signal);
    const matchInput: MatchInput = {
      folder,
      threads,
      memoryMb: matchMemoryMb,
      format,
      report,
      ...holdings,
    };
    const result = await runReportTask<MatchResult>(matchTask, matchInput, options);
    const parts = await uploadParts(deps.storage, input.reportId, firstPart, result.parts, signal);
    return toReading(report, period, result, parts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function downloadFiles(
  { storage }: ReadReportDeps,
  { files }: ReportToRead,
  folder: string,
  { signal, onProgress }: Pick<TaskOptions, 'signal' | 'onProgress'>,
): Promise<ParseInput['files']> {
  const local = [];
  for (const { number, name, objectKey } of files.toSorted((a, b) => a.number - b.number)) {
    const path = join(folder, `file-${number}`);
    await download(storage, objectKey, path, signal);
    local.push({ name, path });
    onProgress?.({ stage: 'download files', done: local.length, total: files.length });
  }
  return local;
}

/** In live, rows belong to every organization; in the sandbox, to the one that made the report. */
export const findOwners = (
  { findHoldings }: Pick<ReadReportDeps, 'findHoldings'>,
  { orgId, storeId }: Pick<ReportToRead, 'orgId' | 'storeId'>,
  folder: string,
  { codesPath, albumCodesPath }: Pick<ParsedReport, 'codesPath' | 'albumCodesPath'>,
  signal: AbortSignal,
) =>
  writeHoldings(
    {
      folder,
      storeId,
      orgId: orgId === systemOrgId ? null : orgId,
      codesPath,
      albumCodesPath,
      findHoldings,
    },
    signal,
  );

function toReading(
  report: ParsedReport,
  period: { readonly start: string; readonly end: string },
  result: MatchResult,
  parts: readonly ReportPart[],
): ReportReading {
  const { rowsRead, rowsSuspense, rowsRejected } = result;
  return {
    messageId: report.messageId,
    periodStart: period.start,
    periodEnd: period.end,
    rowsRead,
    rowsMatched: rowsRead - rowsSuspense - rowsRejected,
    rowsSuspense,
    rowsRejected,
    totals: totalsOf(report, result.totals),
    scopes: scopesOfReport(report),
    parts,
    shares: sharesOf(result.shares, firstPart),
  };
}

function totalsOf({ declared }: ParsedReport, sums: readonly CurrencySums[]): ReportTotal[] {
  const declaredOf = new Map(declared);
  const zero = formatSourceAmount(0n);
  const currencies = new Set([...declaredOf.keys(), ...sums.map(({ currency }) => currency)]);
  return [...currencies].toSorted().map((currency) => {
    const sum = sums.find((each) => each.currency === currency);
    const amount = declaredOf.get(currency);
    return {
      currency: currencyOf(currency),
      declaredAmount: amount === undefined ? null : formatSourceAmount(BigInt(amount)),
      matchedAmount: sum?.matched ?? zero,
      suspenseAmount: sum?.suspense ?? zero,
      rejectedAmount: sum?.rejected ?? zero,
      otherAmount: sum?.other ?? zero,
    };
  });
}
