/**
 * Matches the rows of a report that are in suspense again, with what stores hold by now:
 *
 *   suspense part → codes (a process) → holdings (PostgreSQL) → match (a process) → further parts
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';
import { runTask } from '../../platform/process/child-task.ts';
import { download } from '../../platform/storage/transfer.ts';
import type { Rematch, ReportToRematch } from '../domain/rematch.ts';
import { defaultThreads, findOwners, matchMemoryMb, type ReadReportDeps } from './read-report.ts';
import type { RematchInput, RematchResult } from './rematch-task.ts';
import { currencyOf, sharesOf, uploadParts } from './report-parts.ts';
import type { SuspenseCodes, SuspenseCodesInput } from './suspense-codes-task.ts';

const timeoutMs = hourMs;
const codesTask = new URL('./suspense-codes-task.ts', import.meta.url);
const rematchTask = new URL('./rematch-task.ts', import.meta.url);

/** Safe to repeat: writes the same parts under the same keys. Null if every row stays in suspense. */
export async function rematchReport(
  deps: ReadReportDeps,
  report: ReportToRematch,
  signal: AbortSignal,
): Promise<Rematch | null> {
  const folder = await mkdtemp(join(deps.scratchFolder, 'rematch-'));
  try {
    const options = { signal, timeoutMs };
    const path = join(folder, 'before.parquet');
    await download(deps.storage, report.objectKey, path, signal);
    const { threads = defaultThreads } = deps;
    const limits = { folder, threads, memoryMb: matchMemoryMb };
    const codesInput: SuspenseCodesInput = { ...limits, path };
    const codes = await runTask<SuspenseCodes>(codesTask, codesInput, options);
    const holdings = await findOwners(deps, report, folder, codes, signal);
    const input: RematchInput = { ...limits, ...holdings, path };
    const result = await runTask<RematchResult>(rematchTask, input, options);
    if (result.rowsSuspense === result.rowsRead) return null;
    const { reportId, partNumber } = report;
    return {
      partNumber,
      rowsMatched: result.rowsRead - result.rowsSuspense,
      parts: await uploadParts(deps.storage, reportId, partNumber, result.parts, signal),
      totals: result.totals.map(({ currency, matched, other }) => ({
        currency: currencyOf(currency),
        matchedAmount: matched,
        otherAmount: other,
      })),
      shares: sharesOf(result.shares, partNumber),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
