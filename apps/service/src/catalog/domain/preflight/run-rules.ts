/** Runs the rules and gives each finding its id. */

import type { Fix, PreflightInput, PreflightTrack } from './preflight-input.ts';
import type { RawFinding, Rule } from './rule.ts';
import { ruleList, type RuleId, rules } from './rules.ts';

export type IdentifiedFinding = {
  readonly id: string;
  readonly rule: RuleId;
  readonly raw: RawFinding;
};

type RuleCheck<Scope extends 'release' | 'track'> = readonly [RuleId, NonNullable<Rule[Scope]>];

const checksOf = <Scope extends 'release' | 'track'>(scope: Scope): RuleCheck<Scope>[] =>
  ruleList.flatMap((id) => {
    const check: Rule[Scope] = rules[id][scope];
    return check === undefined ? [] : [[id, check]];
  });

const releaseChecks = checksOf('release');
const trackChecks = checksOf('track');

/** The checks of the release that must find nothing new after a fix. */
const releaseChecksOfFix = releaseChecks.filter(([rule]) => rules[rule].mayFollowFix !== true);

const identifyFindings = (rule: RuleId, rawFindings: readonly RawFinding[]): IdentifiedFinding[] =>
  rawFindings.map((raw) => ({
    id: `${rule}:${raw.track?.id ?? 'release'}:${raw.field}`,
    rule,
    raw,
  }));

const runReleaseChecks = (
  input: PreflightInput,
  checks: readonly RuleCheck<'release'>[],
): IdentifiedFinding[] => checks.flatMap(([rule, check]) => identifyFindings(rule, check(input)));

const runTrackChecks = (
  tracks: readonly PreflightTrack[],
  input: PreflightInput,
  checks: readonly RuleCheck<'track'>[],
): IdentifiedFinding[] =>
  tracks.flatMap((track) =>
    checks.flatMap(([rule, check]) => identifyFindings(rule, check(track, input))),
  );

export const runRules = (input: PreflightInput): IdentifiedFinding[] => [
  ...runReleaseChecks(input, releaseChecks),
  ...runTrackChecks(input.tracks, input, trackChecks),
];

const readsAnyOf =
  (fields: ReadonlySet<string>) =>
  ([rule]: readonly [RuleId, unknown]): boolean =>
    rules[rule].readsFields.some((field) => fields.has(field));

/**
 * Runs only what a fix can affect: the rules that read its fields, on the tracks it changes; on all tracks where a track
 * rule reads a changed field of the release. A hostile album of a hundred tracks took a minute when every rule ran for
 * every fix.
 */
export function rerunAffectedRules(
  fixed: PreflightInput,
  { release = {}, tracks = {} }: Fix,
): IdentifiedFinding[] {
  const ofTrack = new Set(Object.values(tracks).flatMap((edit) => Object.keys(edit)));
  const all = new Set([...Object.keys(release), ...ofTrack]);
  const inherits = ([rule]: readonly [RuleId, unknown]): boolean =>
    rules[rule].inheritedFields?.some((field) => field in release) === true;
  const inheriting = trackChecks.filter(inherits);
  const touched = fixed.tracks.filter(({ id }) => id in tracks);
  const touching = trackChecks.filter((check) => !inherits(check) && readsAnyOf(ofTrack)(check));
  return [
    ...runReleaseChecks(fixed, releaseChecksOfFix.filter(readsAnyOf(all))),
    ...runTrackChecks(inheriting.length === 0 ? [] : fixed.tracks, fixed, inheriting),
    ...runTrackChecks(touched, fixed, touching),
  ];
}
