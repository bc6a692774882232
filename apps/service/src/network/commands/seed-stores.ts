import type { Tx } from '../../platform/db/database.ts';
import { fictionalStores } from '../domain/fictional-stores.ts';
import type { Store } from '../domain/store.ts';
import { putStore } from '../store/stores.ts';

/** Inserts or updates the sandbox's stores. Safe to repeat. */
export function seedFictionalStores(tx: Tx): readonly Store[] {
  for (const store of fictionalStores) putStore(tx, store);
  return fictionalStores;
}
