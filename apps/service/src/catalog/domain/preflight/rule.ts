/** A rule: what it looks at, what a store would say otherwise, and how a machine may mend it. */

import type { ContentField } from '../release.ts';
import type { TrackField } from '../track.ts';
import type { Fix, PreflightInput, PreflightTrack } from './preflight-input.ts';

export type FindingValue = string | number | boolean | null;

/** DDEX's `ErncFileStatus` and `SupplyChainStatus`, as far as a rule prevents them. */
type RejectionCode =
  | 'commercial_release_date_invalid'
  | 'identifier_invalid'
  | 'identifier_syntax_invalid'
  | 'metadata_missing'
  | 'new_release_message_invalid'
  | 'no_deal_for_track_release'
  | 'no_deal_in_new_release_message'
  | 'original_release_date_later_than_release_date'
  | 'release_violates_terms_of_service'
  | 'resource_not_meeting_specifications';

/** At most one for each rule, track and field: its id is made of these. */
export type RawFinding = {
  /** Undefined where the release itself is meant. */
  readonly track?: PreflightTrack | undefined;
  /** As on the wire. */
  readonly field: string;
  readonly message: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  /** Undefined: every store. */
  readonly stores?: readonly string[];
  /** To try, best first. A function, because verifying a fix runs the rules and needs none of these. */
  readonly fixes?: () => readonly Fix[];
};

export type Rule = {
  readonly severity: 'error' | 'warning';
  /** What it reads of release and tracks: a fix is verified by the rules that look at what it touches. */
  readonly readsFields: readonly (ContentField | TrackField)[];
  readonly source: string;
  readonly prevents: RejectionCode;
  /** Looks at the release whole. */
  readonly release?: (input: PreflightInput) => readonly RawFinding[];
  /** What `track` reads of the release: a fix of nothing else leaves each track as it was judged. */
  readonly inheritedFields?: readonly ContentField[];
  /** Looks at one track in its release and never at another track: verifying a fix relies on it. */
  readonly track?: (track: PreflightTrack, input: PreflightInput) => readonly RawFinding[];
};
