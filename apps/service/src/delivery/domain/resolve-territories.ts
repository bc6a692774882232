/** Where a store may sell a release: licence ∩ release ∩ tracks ∩ store, of what was asked for. */

import { meansWorld, type TerritoryCode } from '../../kernel/territory.ts';

type Codes = readonly TerritoryCode[];

export type TerritoryLimits = {
  readonly asked: Codes;
  readonly licensed: Codes;
  readonly release: Codes;
  /** Of each track; null says wherever the release is. */
  readonly tracks: readonly (Codes | null)[];
};

/** Made once for a delivery, asked for each of its stores. Codes come in the store's own order. */
export function createTerritoryResolver({
  asked,
  licensed,
  release,
  tracks,
}: TerritoryLimits): (store: Codes) => Codes {
  const limits = [asked, licensed, release, ...tracks.filter((codes) => codes !== null)]
    .filter((codes) => !codes.some(meansWorld))
    .map((codes) => new Set(codes));
  return (store) => store.filter((code) => limits.every((limit) => limit.has(code)));
}
