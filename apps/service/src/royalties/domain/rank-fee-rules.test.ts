import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import type { FeeRule } from './calculation.ts';
import { rankFeeRules } from './rank-fee-rules.ts';

test('the most specific fee rule is the last one, of equals the latest, of those the last listed', () => {
  const orgId = toWire('org', '1'.padStart(32, '0'));
  const rule: FeeRule = {
    orgId,
    storeId: null,
    useType: null,
    basisPoints: 1,
    validFrom: '2026-01',
    validTo: null,
  };
  const rules: readonly FeeRule[] = [
    { ...rule, storeId: 'alpha', useType: 'ugc', basisPoints: 6 },
    { ...rule, storeId: 'alpha', basisPoints: 5 },
    { ...rule, useType: 'ugc', basisPoints: 4 },
    { ...rule, validFrom: '2026-02', basisPoints: 3 },
    { ...rule, basisPoints: 1 },
    { ...rule, basisPoints: 2 },
    { ...rule, orgId: toWire('org', '2'.padStart(32, '0')), basisPoints: 7 },
  ];
  assert.deepEqual(
    rankFeeRules(rules, new Set([orgId])).map(({ basisPoints }) => basisPoints),
    [1, 2, 3, 4, 5, 6],
  );
});
