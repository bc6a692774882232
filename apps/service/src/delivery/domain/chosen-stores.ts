/** The stores a request names: each once, each known. */

import type { Refusal, Violation } from '../../kernel/problem.ts';

export function refuseStores(
  named: readonly string[],
  known: readonly string[],
  unknownIssue: string,
): Refusal | undefined {
  const knownOnes = new Set(known);
  const seen = new Set<string>();
  const details = named.flatMap((storeId, i): Violation[] => {
    const isRepeated = seen.has(storeId);
    seen.add(storeId);
    if (isRepeated) return [{ field: `stores[${i}]`, issue: 'is listed twice' }];
    return knownOnes.has(storeId) ? [] : [{ field: `stores[${i}]`, issue: unknownIssue }];
  });
  if (details.length === 0) return undefined;
  return { code: 'invalid_field', message: 'Some of the stores cannot be chosen.', details };
}
