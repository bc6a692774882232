/** A rule: the fields it reads, the rejection it prevents, its checks and their fixes. */

import type { ContentField } from '../release.ts';
import type { TrackField } from '../track.ts';
import type { Fix, PreflightInput, PreflightTrack, RulePack } from './preflight-input.ts';

export type FindingValue = string | number | boolean | null;

/** Of a measured number and its limit. */
export const units = ['ms', 'px', 'hz', 'bits', 'channels', 'artists', 'tracks'] as const;
type Unit = (typeof units)[number];

/** DDEX's `ErncFileStatus` and `SupplyChainStatus`, as far as a rule prevents them. */
export const preventedCodes = [
  'commercial_release_date_invalid',
  'identifier_invalid',
  'identifier_syntax_invalid',
  'metadata_missing',
  'new_release_message_invalid',
  'no_deal_for_track_release',
  'no_deal_in_new_release_message',
  'original_release_date_later_than_release_date',
  'release_violates_terms_of_service',
  'resource_not_meeting_specifications',
  'rights_conflict',
] as const;
type RejectionCode = (typeof preventedCodes)[number];

/** At most one for each rule, track and field: they make its id. */
export type RawFinding = {
  /** Undefined for the release itself. */
  readonly track?: PreflightTrack | undefined;
  /** As on the wire. */
  readonly field: string;
  readonly message: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  /** Undefined means every store. */
  readonly stores?: readonly string[];
  /** Best first. A function, because the rules also run to verify fixes, which needs no further fixes. */
  readonly fixes?: () => readonly Fix[];
};

export type Rule = {
  readonly severity: 'error' | 'warning';
  /** One sentence for partners: what the rule checks, and why. */
  readonly description: string;
  /** Undefined: it applies to stores of every rule pack. */
  readonly rulePacks?: readonly RulePack[];
  /** Undefined: it measures no number, or one without a unit. */
  readonly unit?: Unit;
  /** The fields of release and tracks that it reads: a fix is verified by the rules that read its fields. */
  readonly readsFields: readonly (ContentField | TrackField | 'upc')[];
  readonly source: string;
  readonly prevents: RejectionCode;
  /** A fix may cause its finding: an artist that a fix moves from a title to `artists` has no profile yet. */
  readonly mayFollowFix?: true;
  /** Checks the release with all its tracks. */
  readonly release?: (input: PreflightInput) => readonly RawFinding[];
  /** The fields of the release that `track` reads: only a fix of these can change its findings on every track. */
  readonly inheritedFields?: readonly ContentField[];
  /** Checks one track and its release. It must not read other tracks: the verification of fixes relies on that. */
  readonly track?: (track: PreflightTrack, input: PreflightInput) => readonly RawFinding[];
};
