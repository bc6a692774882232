/** Runs the rules and says which complaint is which. */
import type { Complaint, Rule } from './rule.ts';
import { ruleList, type RuleId, rules } from './rules.ts';
import type { Fix, PreflightInput, PreflightTrack } from './preflight-input.ts';

export type Found = { readonly id: string; readonly rule: RuleId; readonly complaint: Complaint };

type Look<Scope extends 'release' | 'track'> = readonly [RuleId, NonNullable<Rule[Scope]>];

const looksOf = <Scope extends 'release' | 'track'>(scope: Scope): Look<Scope>[] =>
  ruleList.flatMap((id) => {
    const look: Rule[Scope] = rules[id][scope];
    return look === undefined ? [] : [[id, look]];
  });

const releaseLooks = looksOf('release');
const trackLooks = looksOf('track');

const foundBy = (rule: RuleId, complaints: readonly Complaint[]): Found[] =>
  complaints.map((complaint) => ({
    id: `${rule}:${complaint.track?.id ?? 'release'}:${complaint.field}`,
    rule,
    complaint,
  }));

const ofRelease = (input: PreflightInput, looks: readonly Look<'release'>[]): Found[] =>
  looks.flatMap(([rule, look]) => foundBy(rule, look(input)));

const ofTracks = (
  tracks: readonly PreflightTrack[],
  input: PreflightInput,
  looks: readonly Look<'track'>[],
): Found[] =>
  tracks.flatMap((track) => looks.flatMap(([rule, look]) => foundBy(rule, look(track, input))));

export const inspect = (input: PreflightInput): Found[] => [
  ...ofRelease(input, releaseLooks),
  ...ofTracks(input.tracks, input, trackLooks),
];

const looksAt =
  (fields: ReadonlySet<string>) =>
  ([rule]: readonly [RuleId, unknown]): boolean =>
    rules[rule].looksAt.some((field) => fields.has(field));

/**
 * Only what a fix can have changed: the rules that look at what it touches, and of the tracks those it
 * touches, and all of them by rules that also read what it changes of the release. A hostile album of a hundred
 * tracks took a minute when every fix was verified by every rule of the release.
 */
export function inspectAgain(fixed: PreflightInput, { release = {}, tracks = {} }: Fix): Found[] {
  const ofTrack = new Set(Object.values(tracks).flatMap((edit) => Object.keys(edit)));
  const all = new Set([...Object.keys(release), ...ofTrack]);
  const inherits = ([rule]: readonly [RuleId, unknown]): boolean =>
    rules[rule].tracksInherit?.some((field) => field in release) === true;
  const inheriting = trackLooks.filter(inherits);
  const touched = fixed.tracks.filter(({ id }) => id in tracks);
  const touching = trackLooks.filter((look) => !inherits(look) && looksAt(ofTrack)(look));
  return [
    ...ofRelease(fixed, releaseLooks.filter(looksAt(all))),
    ...ofTracks(inheriting.length === 0 ? [] : fixed.tracks, fixed, inheriting),
    ...ofTracks(touched, fixed, touching),
  ];
}
