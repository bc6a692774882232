/** The stores that a request names: each must be known and listed once. */

import { didYouMean } from '../../kernel/near-name.ts';
import { type Refusal, sentenceOf, type Violation } from '../../kernel/problem.ts';

/** The field of a request that names the store; all stores of the delivery if it names none. */
export const storeField = (named: readonly string[] | undefined, storeId: string): string =>
  named === undefined ? 'stores' : `stores[${named.indexOf(storeId)}]`;

export const unknownStoreIssue = 'is not a store of the network; GET /v1/stores lists the stores';

/** For a list that is not compared with the known stores yet. */
export const refuseRepeatedStores = (
  named: readonly string[],
  field: string,
): Refusal | undefined => refuseStores(named, named, '', field);

export function refuseStores(
  named: readonly string[],
  known: Iterable<string>,
  unknownIssue: string,
  field = 'stores',
): Refusal | undefined {
  const knownIds = new Set(known);
  const listed = new Set<string>();
  const details = named.flatMap((storeId, i): Violation[] => {
    const isRepeated = listed.has(storeId);
    listed.add(storeId);
    if (isRepeated) return [{ field: `${field}[${i}]`, issue: 'is listed twice; list it once' }];
    if (knownIds.has(storeId)) return [];
    const near = () => didYouMean(storeId, knownIds);
    const issue = `has ${JSON.stringify(storeId)}, which ${unknownIssue}`;
    return [{ field: `${field}[${i}]`, issue, near }];
  });
  const [first] = details;
  return first && { code: 'invalid_field', message: sentenceOf(first), details };
}
