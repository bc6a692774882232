/** Where a store may sell a release: request ∩ licence ∩ release ∩ tracks ∩ store. */

import { meansWorld, type TerritoryCode } from '../../kernel/territory.ts';

type Codes = readonly TerritoryCode[];

export type TerritoryLimits = {
  readonly requested: Codes;
  readonly licensed: Codes;
  readonly release: Codes;
  /** One list for each track; null: the same territories as the release. */
  readonly tracks: readonly (Codes | null)[];
};

/** Created once for a delivery, called for each of its stores. The result has the order of the store's codes. */
export function createTerritoryResolver({
  requested,
  licensed,
  release,
  tracks,
}: TerritoryLimits): (store: Codes) => Codes {
  const limits = [requested, licensed, release, ...tracks.filter((codes) => codes !== null)]
    .filter((codes) => !codes.some(meansWorld))
    .map((codes) => new Set(codes));
  return (store) => store.filter((code) => limits.every((limit) => limit.has(code)));
}
