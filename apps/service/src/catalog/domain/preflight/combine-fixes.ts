/** Contract §4: the fixes offered for some findings, applied together. */

import type { Refusal } from '../../../kernel/problem.ts';
import { applyFix } from './apply-fix.ts';
import type { Finding } from './finding.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { buildReport } from './preflight.ts';
import { rerunAffectedRules } from './run-rules.ts';

/** Either what stands in the way, one refusal for each finding concerned, or what to change. */
export type CombinedFix = { readonly refusals: readonly Refusal[]; readonly fix: Fix };

/** A title with everything wrong takes six: each round mends one finding of a field, and the next looks again. */
const roundsMax = 8;

export function combineFixes(input: PreflightInput, findingIds: readonly string[]): CombinedFix {
  const wanted = new Set(findingIds);
  const offered = buildReport(input, (id) => wanted.has(id));
  const unknown = findingIds.flatMap((id, i) =>
    refuseUnknownFinding(offered.report.findings, id, i),
  );
  if (unknown.length > 0) return { refusals: unknown, fix: {} };
  const { left, fix } = applyInRounds(input, offered, wanted);
  return { refusals: findingIds.flatMap((id, i) => refuseUnresolved(left, id, i)), fix };
}

const findingRefusal = (i: number, issue: string): Refusal => {
  const field = `finding_ids[${i}]`;
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
};

const refuseUnknownFinding = (findings: readonly Finding[], id: string, i: number): Refusal[] =>
  findings.some((finding) => finding.id === id && finding.fix !== undefined)
    ? []
    : [findingRefusal(i, 'is not a finding of this release with a fix')];

/** All of them or none: what one of them undid for another is said, not passed over. */
const refuseUnresolved = (left: ReadonlySet<string>, id: string, i: number): Refusal[] =>
  left.has(id) ? [findingRefusal(i, 'cannot be mended together with the others')] : [];

/** Round by round, until nothing wanted is left or nothing more can be mended. */
function applyInRounds(
  input: PreflightInput,
  offered: ReturnType<typeof buildReport>,
  wanted: ReadonlySet<string>,
): { readonly left: ReadonlySet<string>; readonly fix: Fix } {
  let current = input;
  let seen = offered;
  let sum: Fix = {};
  for (let round = 0; round < roundsMax; round++) {
    const { findings } = seen.report;
    const fixes = findings.flatMap(({ id, fix }) => (wanted.has(id) && fix ? [fix] : []));
    const sound = selectCompatibleFixes(current, fixes, seen.known);
    if (sound.length === 0) break;
    current = sound.reduce(applyFix, current);
    sum = sound.reduce(mergeFixes, sum);
    seen = buildReport(current, (id) => wanted.has(id));
  }
  return { left: seen.known, fix: sum };
}

/**
 * Each fix was verified alone. Of those that touch different fields, the ones that bring up nothing new on top of the
 * ones before; the others wait for the next round.
 */
function selectCompatibleFixes(
  input: PreflightInput,
  fixes: readonly Fix[],
  known: ReadonlySet<string>,
): readonly Fix[] {
  let current = input;
  const touched = new Set<string>();
  return fixes.filter((fix) => {
    const fields = touchedFields(fix);
    if (fields.some((field) => touched.has(field))) return false;
    const next = applyFix(current, fix);
    if (!rerunAffectedRules(next, fix).every(({ id }) => known.has(id))) return false;
    for (const field of fields) touched.add(field);
    current = next;
    return true;
  });
}

const touchedFields = ({ release = {}, tracks = {} }: Fix): readonly string[] => [
  ...Object.keys(release),
  ...Object.entries(tracks).flatMap(([id, edit]) =>
    Object.keys(edit).map((field) => `${id}/${field}`),
  ),
];

/** Both, the second on top of the first. */
function mergeFixes(first: Fix, second: Fix): Fix {
  const tracks = { ...first.tracks };
  for (const [id, edit] of Object.entries(second.tracks ?? {})) {
    const trackId = id as keyof typeof tracks;
    tracks[trackId] = { ...tracks[trackId], ...edit };
  }
  const release =
    second.release === undefined ? first.release : { ...first.release, ...second.release };
  return { ...(release !== undefined && { release }), tracks };
}
