import { didYouMean } from '../../kernel/near-name.ts';
import { enforce, invalidField } from '../../kernel/problem.ts';
import { listStoreIds } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Refuses a `store_id` that no store has. */
export async function requireStore(tx: Tx, storeId: string): Promise<void> {
  const known = await listStoreIds(tx);
  if (known.includes(storeId)) return;
  const issue = `is not a store of the network; GET /v1/stores lists the stores${didYouMean(storeId, known)}`;
  enforce(invalidField('store_id', issue));
}
