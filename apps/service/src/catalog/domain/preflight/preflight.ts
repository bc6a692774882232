/**
 * Preflight: what stores refuse releases for, told beforehand. It is pure, so asking is free and can be
 * repeated; what it offers as a fix was verified (verify-fix.ts).
 */
import type { Finding, Report } from './finding.ts';
import { type Found, inspect } from './inspect.ts';
import { readinessOf } from './readiness.ts';
import { ruleList, rules } from './rules.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { findVerifiedFix } from './verify-fix.ts';

/** A report is read by people; a thousand findings are one finding: start again. */
const findingsMax = 1_000;
/** Verifying takes most of a report's time; who has more to mend mends these first. */
const fixesMax = 200;

/** `mayMend` says for which findings a fix is looked for: all, unless somebody wants only some. */
export const preflight = (input: PreflightInput, wantsFix?: (id: string) => boolean): Report =>
  examine(input, wantsFix).report;

/** With the ids of all that was found, also of what the report has no room for. */
export function examine(
  input: PreflightInput,
  wantsFix: (id: string) => boolean = () => true,
): { readonly report: Report; readonly known: ReadonlySet<string> } {
  const found = inspect(input);
  const known = new Set(found.map(({ id }) => id));
  const indexes = new Map(input.tracks.map(({ id }, index) => [id, index]));
  const indexOf = ({ complaint: { track } }: Found): number =>
    track === undefined ? -1 : (indexes.get(track.id) ?? -1);
  let verified = 0;
  const fixOf = (each: Found): Fix | undefined => {
    if (each.complaint.fixes === undefined || !wantsFix(each.id) || verified === fixesMax)
      return undefined;
    verified++;
    return findVerifiedFix(each, input, known);
  };
  const findings = found
    .toSorted((a, b) => severityOf(a) - severityOf(b) || indexOf(a) - indexOf(b) || byRule(a, b))
    .slice(0, findingsMax)
    .map((each) => findingOf(each, indexOf(each), input, fixOf(each)));
  return { report: { findings, stores: readinessOf(input, found) }, known };
}

const severityOf = ({ rule }: Found): number => (rules[rule].severity === 'error' ? 0 : 1);

const orders = new Map(ruleList.map((rule, order) => [rule, order]));
const byRule = (a: Found, b: Found): number =>
  (orders.get(a.rule) ?? 0) - (orders.get(b.rule) ?? 0);

function findingOf(
  found: Found,
  trackIndex: number,
  input: PreflightInput,
  fix: Fix | undefined,
): Finding {
  const { id, rule, complaint } = found;
  const { severity, source, prevents } = rules[rule];
  const { field, message, measured, limit, stores } = complaint;
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
