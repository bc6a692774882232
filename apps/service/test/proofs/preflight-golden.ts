/** The shape of golden fixtures: for each rule one that passes, one that fails and one on the edge. */
import type { FindingValue } from '../../src/catalog/domain/preflight/rule.ts';
import type { RuleId } from '../../src/catalog/domain/preflight/rules.ts';
import type { Fix, PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';

type Told = {
  readonly pointer: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  readonly fix: Fix | undefined;
  /** Undefined: all of them. */
  readonly stores: readonly string[] | undefined;
};

/** A subject, and all that the rule tells about it. */
export type Case = { readonly subject: PreflightInput; readonly told: readonly Told[] };

export type Golden = {
  readonly severity: 'error' | 'warning';
  readonly pass: Case;
  readonly fail: Case;
  readonly edge: Case;
  readonly more?: readonly Case[];
};

export type GoldenRules = Partial<Record<RuleId, Golden>>;

export const silent = (subject: PreflightInput): Case => ({ subject, told: [] });

export const told = (
  subject: PreflightInput,
  pointer: string,
  [measured, limit]: readonly [FindingValue, FindingValue],
  { fix, stores }: { readonly fix?: Fix; readonly stores?: readonly string[] } = {},
): Case => ({ subject, told: [{ pointer, measured, limit, fix, stores }] });
