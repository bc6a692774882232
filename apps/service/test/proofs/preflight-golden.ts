/** Types of the golden fixtures: for each rule one that passes, one that fails and one at the limit. */

import type { Fix, PreflightInput } from '../../src/catalog/domain/preflight/preflight-input.ts';
import type { FindingValue } from '../../src/catalog/domain/preflight/rule.ts';
import type { RuleId } from '../../src/catalog/domain/preflight/rules.ts';

type ExpectedFinding = {
  readonly pointer: string;
  readonly measured: FindingValue;
  readonly limit: FindingValue;
  readonly fix: Fix | undefined;
  /** Undefined means all stores. */
  readonly stores: readonly string[] | undefined;
};

/** An input, and all findings of the rule about it. */
export type GoldenCase = {
  readonly input: PreflightInput;
  readonly expectedFindings: readonly ExpectedFinding[];
};

export type Golden = {
  readonly severity: 'error' | 'warning';
  readonly pass: GoldenCase;
  readonly fail: GoldenCase;
  readonly edge: GoldenCase;
  readonly more?: readonly GoldenCase[];
};

export type GoldenRules = Partial<Record<RuleId, Golden>>;

export const expectNothing = (input: PreflightInput): GoldenCase => ({
  input,
  expectedFindings: [],
});

export const expectFinding = (
  input: PreflightInput,
  pointer: string,
  [measured, limit]: readonly [FindingValue, FindingValue],
  { fix, stores }: { readonly fix?: Fix; readonly stores?: readonly string[] } = {},
): GoldenCase => ({ input, expectedFindings: [{ pointer, measured, limit, fix, stores }] });
