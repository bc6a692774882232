/** What preflight reports about a release. */

import type { Fix } from './preflight-input.ts';
import type { FindingValue, Rule } from './rule.ts';
import type { RuleId } from './rules.ts';

/** Every store that was judged, or the ids of some. */
export type AppliesTo = 'all' | readonly string[];

export const appliesToStore = (
  { appliesTo }: { readonly appliesTo: AppliesTo },
  storeId: string,
): boolean => appliesTo === 'all' || appliesTo.includes(storeId);

export type Finding = {
  /** Rule, release or track, and field: it stays the same when other findings are fixed. */
  readonly id: string;
  readonly rule: RuleId;
  readonly severity: Rule['severity'];
  readonly appliesTo: AppliesTo;
  /** RFC 6901, into the release as on the wire with its `tracks` by disc and position. */
  readonly pointer: string;
  readonly message: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  readonly unit: Rule['unit'];
  readonly source: string;
  /** The code with which a store would reject the release. */
  readonly prevents: Rule['prevents'];
  /** Verified: it removes this finding and adds none. */
  readonly fix: Fix | undefined;
};

export type StoreReadiness = {
  readonly storeId: string;
  readonly errors: number;
  readonly warnings: number;
  readonly latestSafeSubmitAt: Date;
};

export type PreflightReport = {
  readonly findings: readonly Finding[];
  readonly stores: readonly StoreReadiness[];
};
