/** A report as partners read it (contract §4). */
import type { Finding, Report } from './finding.ts';
import { patchOf } from './json-patch.ts';
import { rulesVersion } from './rules.ts';
import type { Subject } from './subject.ts';

export const presentReport = (subject: Subject, report: Report) => ({
  release_id: subject.release.id,
  revision: subject.release.revision,
  rules_version: rulesVersion,
  findings: report.findings.map((finding) => presentFinding(subject, finding)),
  stores: report.stores.map(({ storeId, errors, warnings, latestSafeSubmitAt }) => ({
    store_id: storeId,
    errors,
    warnings,
    latest_safe_submit_at: latestSafeSubmitAt.toISOString(),
  })),
});

const presentFinding = (subject: Subject, { fix, ...finding }: Finding) => ({
  id: finding.id,
  rule: finding.rule,
  severity: finding.severity,
  stores: finding.stores,
  pointer: finding.pointer,
  message: finding.message,
  measured: finding.measured,
  limit: finding.limit,
  source: finding.source,
  prevents: finding.prevents,
  patch: fix === undefined ? null : patchOf(subject, fix),
});
