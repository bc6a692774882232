/** A report as partners see it (contract §4). */

import type { Finding, PreflightReport } from './finding.ts';
import { toJsonPatch } from './json-patch.ts';
import type { PreflightInput } from './preflight-input.ts';
import { describeSource } from './present-rules.ts';
import { rulesVersion } from './rules.ts';

export const presentReport = (input: PreflightInput, report: PreflightReport) => ({
  release_id: input.release.id,
  revision: input.release.revision,
  rules_version: rulesVersion,
  findings: report.findings.map((finding) => presentFinding(input, finding)),
  stores: report.stores.map(({ storeId, errors, warnings, latestSafeSubmitAt }) => ({
    store_id: storeId,
    errors,
    warnings,
    latest_safe_submit_at: latestSafeSubmitAt.toISOString(),
  })),
});

const presentFinding = (input: PreflightInput, { fix, ...finding }: Finding) => ({
  id: finding.id,
  rule: finding.rule,
  severity: finding.severity,
  applies_to: finding.appliesTo,
  pointer: finding.pointer,
  message: finding.message,
  measured: finding.measured,
  limit: finding.limit,
  unit: finding.unit ?? null,
  source: describeSource(finding),
  prevents: finding.prevents,
  patch: fix === undefined ? null : toJsonPatch(input, fix),
});
