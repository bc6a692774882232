/**
 * Preflight: what stores refuse releases for, told beforehand. It is pure, so asking is free and can be
 * repeated; what it offers as a fix was verified (verify-fix.ts).
 */

import type { Finding, PreflightReport } from './finding.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { readinessOf } from './readiness.ts';
import { ruleList, rules } from './rules.ts';
import { type IdentifiedFinding, runRules } from './run-rules.ts';
import { findVerifiedFix } from './verify-fix.ts';

/** A report is read by people; a thousand findings are one finding: start again. */
const findingsMax = 1_000;
/** Verifying takes most of a report's time; who has more to mend mends these first. */
const fixesMax = 200;

/** `mayMend` says for which findings a fix is looked for: all, unless somebody wants only some. */
export const preflight = (
  input: PreflightInput,
  wantsFix?: (id: string) => boolean,
): PreflightReport => buildReport(input, wantsFix).report;

/** With the ids of all that was found, also of what the report has no room for. */
export function buildReport(
  input: PreflightInput,
  wantsFix: (id: string) => boolean = () => true,
): { readonly report: PreflightReport; readonly known: ReadonlySet<string> } {
  const found = runRules(input);
  const known = new Set(found.map(({ id }) => id));
  const indexes = new Map(input.tracks.map(({ id }, index) => [id, index]));
  const indexOf = ({ raw: { track } }: IdentifiedFinding): number =>
    track === undefined ? -1 : (indexes.get(track.id) ?? -1);
  let verified = 0;
  const fixOf = (each: IdentifiedFinding): Fix | undefined => {
    if (each.raw.fixes === undefined || !wantsFix(each.id) || verified === fixesMax)
      return undefined;
    verified++;
    return findVerifiedFix(each, input, known);
  };
  const findings = found
    .toSorted(
      (a, b) => severityRank(a) - severityRank(b) || indexOf(a) - indexOf(b) || compareByRule(a, b),
    )
    .slice(0, findingsMax)
    .map((each) => toFinding(each, indexOf(each), input, fixOf(each)));
  return { report: { findings, stores: readinessOf(input, found) }, known };
}

const severityRank = ({ rule }: IdentifiedFinding): number =>
  rules[rule].severity === 'error' ? 0 : 1;

const ruleOrder = new Map(ruleList.map((rule, order) => [rule, order]));
const compareByRule = (a: IdentifiedFinding, b: IdentifiedFinding): number =>
  (ruleOrder.get(a.rule) ?? 0) - (ruleOrder.get(b.rule) ?? 0);

function toFinding(
  found: IdentifiedFinding,
  trackIndex: number,
  input: PreflightInput,
  fix: Fix | undefined,
): Finding {
  const { id, rule, raw } = found;
  const { severity, source, prevents } = rules[rule];
  const { field, message, measured, limit, stores } = raw;
  return {
    id,
    rule,
    severity,
    stores: stores ?? input.stores.map(({ storeId }) => storeId),
    pointer: trackIndex === -1 ? `/${field}` : `/tracks/${trackIndex}/${field}`,
    message,
    measured,
    limit,
    source,
    prevents,
    fix,
  };
}
