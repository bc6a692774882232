/** The stores that a request names: each must be known and listed once. */

import type { Refusal, Violation } from '../../kernel/problem.ts';

/** The field of a request that names the store; all stores of the delivery if it names none. */
export const storeField = (named: readonly string[] | undefined, storeId: string): string =>
  named === undefined ? 'stores' : `stores[${named.indexOf(storeId)}]`;

export function refuseStores(
  named: readonly string[],
  known: readonly string[],
  unknownIssue: string,
): Refusal | undefined {
  const knownIds = new Set(known);
  const listed = new Set<string>();
  const details = named.flatMap((storeId, i): Violation[] => {
    const isRepeated = listed.has(storeId);
    listed.add(storeId);
    if (isRepeated) return [{ field: `stores[${i}]`, issue: 'is listed twice' }];
    return knownIds.has(storeId) ? [] : [{ field: `stores[${i}]`, issue: unknownIssue }];
  });
  if (details.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: 'Some of the stores are unknown or listed twice.',
    details,
  };
}
