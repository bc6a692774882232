/** Runs preflight in a thread when the release is large: the largest takes hundreds of milliseconds. */

import type { OrgId } from '../../kernel/ids.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import { type CombinedFix, combineFixes } from '../domain/preflight/combine-fixes.ts';
import type { PreflightReport } from '../domain/preflight/finding.ts';
import type { PreflightInput } from '../domain/preflight/preflight-input.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import { presentReport } from '../domain/preflight/present-report.ts';
import { contentBytesOf } from '../domain/release-size.ts';

const inThread = createThreads(new URL('./preflight-thread.ts', import.meta.url));

/** Preflight of this many bytes takes up to 10 ms, so a thread is not worth its overhead. */
const inlineBytesMax = 32 * 1024;

/** Without fixes, which take most of the time of a report. */
export async function runPreflight(orgId: OrgId, input: PreflightInput): Promise<PreflightReport> {
  if (isSmall(input)) return preflight(input, () => false);
  // preflight-thread.ts exports a function of this name, with this type.
  return (await inThread(orgId, 'runPreflight', input)) as PreflightReport;
}

/** With fixes, as JSON text, because a report may be larger than its release. */
export async function buildReportJson(orgId: OrgId, input: PreflightInput): Promise<string> {
  if (isSmall(input)) return JSON.stringify(presentReport(input, preflight(input)));
  return (await inThread(orgId, 'buildReportJson', input)) as string;
}

export async function combineFindingFixes(
  orgId: OrgId,
  input: PreflightInput,
  findingIds: readonly string[],
): Promise<CombinedFix> {
  if (isSmall(input)) return combineFixes(input, findingIds);
  return (await inThread(orgId, 'combineFindingFixes', { input, findingIds })) as CombinedFix;
}

function isSmall({ release, tracks }: PreflightInput): boolean {
  let bytes = contentBytesOf(release);
  return tracks.every((track) => (bytes += contentBytesOf(track)) <= inlineBytesMax);
}
