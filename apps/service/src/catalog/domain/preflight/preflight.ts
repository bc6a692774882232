/**
 * Preflight: what stores refuse releases for, told beforehand. It is pure, so asking is free and can be
 * repeated; what it offers as a fix was verified (verify-fix.ts).
 */
import type { Finding, Report } from './finding.ts';
import { type Found, inspect } from './inspect.ts';
import { readinessOf } from './readiness.ts';
import { ruleList, rules } from './rules.ts';
import type { Subject } from './subject.ts';
import { verifiedFix } from './verify-fix.ts';

/** A report is read by people; a thousand findings are one finding: start again. */
const findingsMax = 1_000;

export function preflight(subject: Subject): Report {
  const found = inspect(subject);
  const known = new Set(found.map(({ id }) => id));
  const indexes = new Map(subject.tracks.map(({ id }, index) => [id, index]));
  const indexOf = ({ complaint: { track } }: Found): number =>
    track === undefined ? -1 : (indexes.get(track.id) ?? -1);
  const findings = found
    .toSorted((a, b) => severityOf(a) - severityOf(b) || indexOf(a) - indexOf(b) || byRule(a, b))
    .slice(0, findingsMax)
    .map((each) => findingOf(each, indexOf(each), subject, known));
  return { findings, stores: readinessOf(subject, found) };
}

const severityOf = ({ rule }: Found): number => (rules[rule].severity === 'error' ? 0 : 1);

const orders = new Map(ruleList.map((rule, order) => [rule, order]));
const byRule = (a: Found, b: Found): number =>
  (orders.get(a.rule) ?? 0) - (orders.get(b.rule) ?? 0);

function findingOf(
  found: Found,
  trackIndex: number,
  subject: Subject,
  known: ReadonlySet<string>,
): Finding {
  const { id, rule, complaint } = found;
  const { severity, source, prevents } = rules[rule];
  const { field, message, measured, limit, stores } = complaint;
  return {
    id,
    rule,
    severity,
    stores: stores ?? subject.stores.map(({ storeId }) => storeId),
    pointer: trackIndex === -1 ? `/${field}` : `/tracks/${trackIndex}/${field}`,
    message,
    measured,
    limit,
    source,
    prevents,
    fix: verifiedFix(found, subject, known),
  };
}
