import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toMicros } from '../../kernel/money.ts';
import { type Adjustment, entriesOfAdjustment, netAmount, refuseAdjustment } from './adjustment.ts';
import { requireBalanced } from './ledger.ts';

const micros = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(toMicros);
const small = fc.bigInt({ min: -2n, max: 2n }).map(toMicros);

test('every adjustment that is not refused posts a balanced transaction without entries of zero', () => {
  const amounts = fc.record({ grossAmount: micros, feeAmount: micros, taxAmount: micros });
  const smallAmounts = fc.record({ grossAmount: small, feeAmount: small, taxAmount: small });
  let posted = 0;
  fc.assert(
    fc.property(fc.oneof(amounts, smallAmounts), (each) => {
      const content = {
        ...each,
        type: 'manual',
        currency: 'EUR',
        reason: 'Test',
        refersTo: null,
      } as const;
      const isRefused = refuseAdjustment(content) !== undefined;
      assert.equal(isRefused, netAmount(each) === 0n);
      if (isRefused) return;
      const adjustment: Adjustment = {
        ...content,
        id: 'adj_01h455vb4pex5vsknk084sn02q',
        amount: netAmount(each),
        createdAt: new Date(0),
      };
      const entries = entriesOfAdjustment(adjustment);
      requireBalanced({ key: 'test', entries });
      assert.ok(entries.every(({ amount }) => amount !== 0n));
      const payable = entries.find(({ account }) => account === 'payable');
      assert.equal(payable?.amount, adjustment.amount);
      posted += 1;
    }),
  );
  assert.ok(posted > 50);
});
