/** Runs in the threads that run-preflight.ts starts. */

import { lowerThreadPriority } from '../../platform/threads/low-priority.ts';
import { combineFixes, type CombinedFix } from '../domain/preflight/combine-fixes.ts';
import type { PreflightReport } from '../domain/preflight/finding.ts';
import type { PreflightInput } from '../domain/preflight/preflight-input.ts';
import { preflight } from '../domain/preflight/preflight.ts';
import { presentReport } from '../domain/preflight/present-report.ts';

lowerThreadPriority();

export const runPreflight = (input: PreflightInput): PreflightReport =>
  preflight(input, () => false);

export const buildReportJson = (input: PreflightInput): string =>
  JSON.stringify(presentReport(input, preflight(input)));

export const combineFindingFixes = (request: {
  input: PreflightInput;
  findingIds: readonly string[];
}): CombinedFix => combineFixes(request.input, request.findingIds);
