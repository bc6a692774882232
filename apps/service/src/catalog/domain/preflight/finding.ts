/** What preflight tells about a release. */

import type { Fix } from './preflight-input.ts';
import type { FindingValue, Rule } from './rule.ts';
import type { RuleId } from './rules.ts';

export type Finding = {
  /** Made of rule, release or track, and field: the same after other findings were mended. */
  readonly id: string;
  readonly rule: RuleId;
  readonly severity: Rule['severity'];
  readonly stores: readonly string[];
  /** RFC 6901, into the release as on the wire with its `tracks` by disc and position. */
  readonly pointer: string;
  readonly message: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  readonly source: string;
  /** The code a store would refuse with. */
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
