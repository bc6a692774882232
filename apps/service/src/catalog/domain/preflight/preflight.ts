/**
 * Preflight reports what stores would reject a release for, before it is submitted. It is pure, so it can be repeated
 * at no cost to the partner. Every fix it offers is verified (verify-fix.ts).
 */

import type { Finding, PreflightReport } from './finding.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { readinessOf } from './readiness.ts';
import { ruleList, rules } from './rules.ts';
import { type IdentifiedFinding, runRules } from './run-rules.ts';
import { findVerifiedFix } from './verify-fix.ts';

/** Bounded, because people read a report. */
const findingsMax = 1_000;
/** Verifying takes most of the time of a report. After these are fixed, the next report has the others. */
const fixesMax = 200;

/** `wantsFix` chooses the findings that a fix is computed for; all by default. */
export const preflight = (
  input: PreflightInput,
  wantsFix?: (id: string) => boolean,
): PreflightReport => buildReport(input, wantsFix).report;

/** `known` has the ids of all findings, also of those beyond `findingsMax`. */
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
  const { severity, unit, source, prevents } = rules[rule];
  const { field, message, measured, limit, stores } = raw;
  return {
    id,
    rule,
    severity,
    appliesTo: stores === undefined || stores.length === input.stores.length ? 'all' : stores,
    pointer: trackIndex === -1 ? `/${field}` : `/tracks/${trackIndex}/${field}`,
    message,
    measured,
    limit,
    unit,
    source,
    prevents,
    fix,
  };
}
