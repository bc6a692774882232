import { type Confirmation, findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';

export type Confirmations = ReadonlyMap<string, Confirmation>;

/** What each of the stores says about a release it was sent. */
export async function findConfirmations(
  tx: Tx,
  storeIds: readonly string[],
): Promise<Confirmations> {
  const stores = await findStoreSettings(tx, storeIds);
  return new Map(stores.map(({ storeId, capabilities }) => [storeId, capabilities.confirmation]));
}
