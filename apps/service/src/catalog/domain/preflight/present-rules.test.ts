/** What the public list says about a rule is what the rule does, for the golden fixtures of every rule. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goldens } from '../../../../test/proofs/preflight-fixtures.ts';
import type { Finding } from './finding.ts';
import { type PreflightInput, type RulePack, rulePacks } from './preflight-input.ts';
import { preflight } from './preflight.ts';
import { presentRules } from './present-rules.ts';
import { ruleList, type RuleId } from './rules.ts';

const listed = presentRules();

const findingsOf = (rule: RuleId, input: PreflightInput): readonly Finding[] =>
  preflight(input, () => false).findings.filter((finding) => finding.rule === rule);

const failingInput = (rule: RuleId): PreflightInput => {
  const golden = goldens[rule];
  assert.ok(golden, `${rule} has no fixtures`);
  return golden.fail.input;
};

const withPack = (input: PreflightInput, rulePack: RulePack): PreflightInput => ({
  ...input,
  stores: input.stores.map((store) => ({ ...store, rulePack })),
});

describe('the list of rules', () => {
  test('has every rule once, in the order of a report', () => {
    assert.deepEqual(
      listed.map(({ id }) => id),
      ruleList,
    );
  });

  test('has one plain sentence for each, and no two the same', () => {
    for (const { id, description } of listed) {
      assert.match(description, /^\w[^\n]*[^.]\.$/, id);
      assert.ok(description.length <= 200, id);
    }
    assert.equal(new Set(listed.map(({ description }) => description)).size, listed.length);
  });

  for (const pack of rulePacks) {
    test(`names the severity for stores of pack ${pack}, and null where the rule reports nothing`, () => {
      for (const { id, severity } of listed) {
        const [finding] = findingsOf(id, withPack(failingInput(id), pack));
        assert.equal(finding?.severity ?? null, severity[pack], id);
      }
    });
  }

  test('names what the rule checks: the release, each track, or both', () => {
    for (const { id, scope, fields, source } of listed) {
      assert.ok(scope.length > 0 && fields.length > 0, id);
      assert.match(source, /^Modeled on \S.*\.$/);
    }
  });
});

/** A tag of a file format and a year are numbers that count nothing. */
const withoutUnit: ReadonlySet<RuleId> = new Set(['audio_format_tag', 'line_year']);

test('a finding that measures a number names its unit', () => {
  for (const rule of ruleList.filter((each) => !withoutUnit.has(each))) {
    for (const { measured, limit, unit } of findingsOf(rule, failingInput(rule))) {
      const isNumber = typeof measured === 'number' || typeof limit === 'number';
      assert.equal(unit !== undefined, isNumber, `${rule}: ${measured}, ${limit}, ${unit}`);
    }
  }
});
