import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Store } from '../domain/store.ts';
import { allStores, putStore } from '../store/stores.ts';

/**
 * Inserts the store. The same store again changes nothing, also if it was connected or resumed since, but
 * not if its genres were set. Returns whether it is new.
 */
export async function createStore(tx: Tx, store: Store): Promise<boolean> {
  const known = await allStores(tx);
  const same = known.find(({ storeId }) => storeId === store.storeId);
  if (same !== undefined) {
    refuseDifference(same, store);
    return false;
  }
  const namesake = known.find(({ name }) => name === store.name);
  if (namesake !== undefined)
    throw new Problem(
      'invalid_state',
      `${namesake.storeId} has the name ${store.name}. Partners choose stores by their names: give the new store another one.`,
    );
  putStore(tx, store);
  return true;
}

function refuseDifference(known: Store, wanted: Store): void {
  const described = ['name', 'territoryCodes', 'rulePack', 'genres', 'maxConcurrentSends'] as const;
  const capabilities = Object.keys(wanted.capabilities) as (keyof Store['capabilities'])[];
  const differences = [
    ...described.filter((field) => !isDeepStrictEqual(known[field], wanted[field])),
    ...capabilities.filter(
      (field) => !isDeepStrictEqual(known.capabilities[field], wanted.capabilities[field]),
    ),
  ];
  if (differences.length > 0)
    throw new Problem(
      'invalid_state',
      `There is a store ${known.storeId} already, and it differs in ${differences.map(toSnakeCase).join(', ')}. Choose another store_id.`,
    );
}

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
