import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import { nextMonth } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { useTypes } from '../../kernel/use-type.ts';
import type { FeeRule } from './calculation.ts';
import { feeFor, withPlatformRules } from './fee-rules.ts';

const org = toWire('org', '00000000-0000-7000-8000-000000000001');

const months = Array.from({ length: 30 }).reduce<string[]>(
  (all) => [...all, nextMonth(all.at(-1) ?? '')],
  ['2024-11'],
);

const rule = (fields: Partial<FeeRule>): FeeRule => ({
  orgId: org,
  storeId: null,
  useType: null,
  basisPoints: 1500,
  validFrom: '2025-01',
  validTo: null,
  ...fields,
});

const anyRule = (orgId: OrgId, isGeneral: boolean) =>
  fc
    .record({
      storeId: isGeneral ? fc.constant(null) : fc.constantFrom(null, 'one', 'two'),
      useType: isGeneral ? fc.constant(null) : fc.constantFrom(null, ...useTypes.slice(0, 2)),
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
      start: fc.nat({ max: months.length - 1 }),
      length: fc.option(fc.nat({ max: 12 })),
    })
    .map(({ start, length, ...fields }) => ({
      ...fields,
      orgId,
      validFrom: months[start] ?? '',
      validTo: length === null ? null : (months[start + length] ?? null),
    }));

/** As the unique index: one rule about the same begins in a month. */
const startOf = ({ orgId, storeId, useType, validFrom }: FeeRule) =>
  [orgId, storeId, useType, validFrom].join();

const anyRules = fc.uniqueArray(
  fc.oneof(anyRule(org, false), anyRule(org, false), anyRule(systemOrgId, true)),
  { maxLength: 12, selector: startOf },
);

/** One question at a time, in the order of the rules. */
function naiveFee(rules: readonly FeeRule[], storeId: string, useType: string, month: string) {
  const owners = [org, systemOrgId];
  const targets = [
    [storeId, useType],
    [storeId, null],
    [null, useType],
    [null, null],
  ];
  for (const owner of owners) {
    for (const [store, use] of targets) {
      const starts = months.toReversed().filter((start) => start <= month);
      for (const start of starts) {
        const found = rules.find(
          (each) =>
            each.orgId === owner &&
            each.storeId === store &&
            each.useType === use &&
            each.validFrom === start &&
            (each.validTo ?? '9999-12') >= month,
        );
        if (found !== undefined) return found.basisPoints;
      }
    }
  }
  return 0;
}

describe('fees', () => {
  test('equal those of a naive search, also of rules of the platform', () => {
    let fees = 0;
    fc.assert(
      fc.property(anyRules, (rules) => {
        const all = withPlatformRules([org], rules);
        for (const month of months) {
          for (const store of ['one', 'three']) {
            for (const useType of ['ad_supported_stream', 'ugc'] as const) {
              const expected = naiveFee(rules, store, useType, month);
              assert.equal(feeFor(all, store, useType, month), expected, `${store} ${month}`);
              if (expected > 0) fees += 1;
            }
          }
        }
      }),
    );
    assert.ok(fees > 100);
  });

  test('a rule applies from its first to its last usage month', () => {
    const rules = [rule({ validFrom: '2025-02', validTo: '2025-12' })];
    for (const [month, fee] of [
      ['2025-01', 0],
      ['2025-02', 1500],
      ['2025-12', 1500],
      ['2026-01', 0],
    ] as const) {
      assert.equal(feeFor(rules, 'one', 'download', month), fee, month);
    }
  });

  test('store and use type come before store, store before use type, use type before neither', () => {
    const rules = [
      rule({ basisPoints: 1 }),
      rule({ basisPoints: 2, useType: 'ugc' }),
      rule({ basisPoints: 3, storeId: 'one' }),
      rule({ basisPoints: 4, storeId: 'one', useType: 'ugc' }),
    ];
    assert.equal(feeFor(rules, 'one', 'ugc', '2025-01'), 4);
    assert.equal(feeFor(rules, 'one', 'download', '2025-01'), 3);
    assert.equal(feeFor(rules, 'two', 'ugc', '2025-01'), 2);
    assert.equal(feeFor(rules, 'two', 'download', '2025-01'), 1);
  });

  test('of equal rules the one that began last applies, and the earlier one again after its end', () => {
    const rules = [
      rule({ basisPoints: 1 }),
      rule({ basisPoints: 2, validFrom: '2025-03', validTo: '2025-04' }),
    ];
    const fees = ['2025-02', '2025-03', '2025-04', '2025-05'].map((month) =>
      feeFor(rules, 'one', 'ugc', month),
    );
    assert.deepEqual(fees, [1, 2, 2, 1]);
  });

  test('the house pays itself no fee', () => {
    assert.deepEqual(withPlatformRules([systemOrgId], [rule({ orgId: systemOrgId })]), []);
  });
});
