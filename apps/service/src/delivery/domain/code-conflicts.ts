/** The codes that two organizations bring to one store, in a territory of both (ADR 0066). */

import type { SnapshotCodes } from '../../catalog/face.ts';
import { memoize } from '../../kernel/memoize.ts';
import { comparableCode, productCodeOf } from '../../kernel/product-code.ts';
import { type TerritorySet, toTerritorySet } from '../../kernel/territory-set.ts';
import type { HeldCode } from '../../network/face.ts';
import { holdingsOf } from './holdings.ts';
import { type StoreDelivery, targetDeal, targetRevision } from './store-delivery.ts';

/** `territories`: those of both organizations. */
export type CodeConflict = {
  readonly storeId: string;
  readonly code: string;
  readonly territories: TerritorySet;
};

/** By the revision that is sent. */
export type CodesByRevision = ReadonlyMap<number, SnapshotCodes>;

export const conflictKey = ({ storeId, code }: Pick<CodeConflict, 'storeId' | 'code'>): string =>
  `${storeId} ${code}`;

export const codesIn = (codesByRevision: CodesByRevision): readonly string[] => [
  ...new Set(
    Array.from(codesByRevision.values(), (codes) => [
      comparableCode(productCodeOf(codes)),
      ...codes.tracks.map(({ isrc }) => isrc),
    ]).flat(),
  ),
];

/** A release of 500 tracks has 75,000 codes at 150 stores: only those of stores with a held code are looked at. */
export function findConflicts(
  storeDeliveries: readonly StoreDelivery[],
  codesByRevision: CodesByRevision,
  held: readonly HeldCode[],
): readonly CodeConflict[] {
  const heldByKey = new Map(held.map((each) => [conflictKey(each), each.territories]));
  const stores = new Set(held.map(({ storeId }) => storeId));
  const toSet = memoize(toTerritorySet);
  return storeDeliveries
    .filter(({ storeId }) => stores.has(storeId))
    .flatMap((storeDelivery) => {
      const codes = codesByRevision.get(targetRevision(storeDelivery));
      if (codes === undefined) return [];
      return holdingsOf({ storeId: storeDelivery.storeId, deal: targetDeal(storeDelivery) }, codes);
    })
    .map(({ storeId, code, territoryCodes }) => {
      const ofOthers = heldByKey.get(conflictKey({ storeId, code })) ?? 0n;
      return { storeId, code, territories: toSet(territoryCodes) & ofOthers };
    })
    .filter(({ territories }) => territories !== 0n);
}
