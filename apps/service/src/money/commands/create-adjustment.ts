import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  type Adjustment,
  type AdjustmentContent,
  entriesOfAdjustment,
  netAmount,
  refuseAdjustment,
} from '../domain/adjustment.ts';
import { adjustmentCreated } from '../events.ts';
import { insertAdjustment } from '../store/adjustments.ts';
import { post } from '../store/ledger.ts';

/** Changes the balance at once. */
export function createAdjustment(tx: Tx, content: AdjustmentContent): Adjustment {
  const adjustment = recordAdjustment(tx, content);
  const entries = entriesOfAdjustment(adjustment);
  post(tx, [{ key: `adjustment.created:${adjustment.id}`, entries }]);
  return adjustment;
}

/** Without a posting: for money that another posting has moved. */
export function recordAdjustment(tx: Tx, content: AdjustmentContent): Adjustment {
  enforce(refuseAdjustment(content));
  const adjustment: Adjustment = {
    ...content,
    id: tx.newId('adj'),
    amount: netAmount(content),
    createdAt: tx.now,
  };
  insertAdjustment(tx, adjustment);
  appendEvent(tx, adjustmentCreated(adjustment));
  return adjustment;
}
