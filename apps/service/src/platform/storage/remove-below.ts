import { concurrently } from '../../kernel/concurrently.ts';
import type { Storage } from './storage.ts';

const removedPerCall = 1_000;
const removedAtOnce = 8;

/** The first files below a prefix that ends with a slash. Returns whether there may be more. Safe to repeat. */
export async function removeFirstBelow(storage: Storage, prefix: string): Promise<boolean> {
  const keys = await storage.listBelow(prefix, removedPerCall);
  await concurrently(keys, removedAtOnce, (key) => storage.remove(key));
  return keys.length > 0;
}
