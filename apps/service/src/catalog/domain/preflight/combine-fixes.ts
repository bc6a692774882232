/** Contract §4: combines the fixes of several findings into one. */

import { type Refusal, invalidField } from '../../../kernel/problem.ts';
import { applyFix } from './apply-fix.ts';
import type { Finding } from './finding.ts';
import type { Fix, PreflightInput } from './preflight-input.ts';
import { buildReport } from './preflight.ts';
import { rerunAffectedRules } from './run-rules.ts';

/** Either one refusal for each finding that cannot be fixed, or the fix. */
export type CombinedFix = { readonly refusals: readonly Refusal[]; readonly fix: Fix };

/** Each round fixes at most one finding of a field. A title with every mistake takes six. */
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
  return invalidField(field, issue);
};

const refuseUnknownFinding = (findings: readonly Finding[], id: string, i: number): Refusal[] =>
  findings.some((finding) => finding.id === id && finding.fix !== undefined)
    ? []
    : [findingRefusal(i, 'is not a finding of this release with a fix')];

/** All or none: a finding that another fix brought back is refused. */
const refuseUnresolved = (left: ReadonlySet<string>, id: string, i: number): Refusal[] =>
  left.has(id)
    ? [
        findingRefusal(
          i,
          'cannot be fixed together with the others; send it in a request of its own',
        ),
      ]
    : [];

/** Ends when no requested finding is left, or no further fix can be applied. */
function applyInRounds(
  input: PreflightInput,
  offered: ReturnType<typeof buildReport>,
  wanted: ReadonlySet<string>,
): { readonly left: ReadonlySet<string>; readonly fix: Fix } {
  let current = input;
  let latest = offered;
  let combined: Fix = {};
  for (let round = 0; round < roundsMax; round++) {
    const { findings } = latest.report;
    const fixes = findings.flatMap(({ id, fix }) => (wanted.has(id) && fix ? [fix] : []));
    const compatible = selectCompatibleFixes(current, fixes, latest.known);
    if (compatible.length === 0) break;
    current = compatible.reduce(applyFix, current);
    combined = compatible.reduce(mergeFixes, combined);
    latest = buildReport(current, (id) => wanted.has(id));
  }
  return { left: latest.known, fix: combined };
}

/**
 * Each fix was verified alone. Selects fixes of different fields that together cause no new finding; the others wait
 * for the next round.
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

/** Where both change a field, the second wins. */
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
