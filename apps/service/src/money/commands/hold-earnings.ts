import { enforce, invalidField } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  type EarningHold,
  type EarningHoldContent,
  entriesOfHold,
  refuseHold,
} from '../domain/earning-hold.ts';
import { earningsMoved } from '../events.ts';
import { insertEarningHold } from '../store/earning-holds.ts';
import { post } from '../store/ledger.ts';

/** The earnings may have been paid already: then what is available becomes negative. */
export async function holdEarnings(tx: Tx, content: EarningHoldContent): Promise<EarningHold> {
  enforce(refuseHold(content));
  const { storeId } = content;
  if (storeId !== null && (await findStore(tx, storeId)) === undefined) {
    enforce(invalidField('store_id', 'must be the id of a store of GET /v1/stores'));
  }
  const hold: EarningHold = {
    ...content,
    id: tx.newId('hld'),
    status: 'held',
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  insertEarningHold(tx, hold);
  post(tx, [{ key: `earnings.held:${hold.id}`, entries: entriesOfHold(hold) }]);
  appendEvent(tx, earningsMoved(hold));
  return hold;
}
