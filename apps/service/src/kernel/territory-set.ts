/**
 * A set of territories as 32 bytes, one bit each. A delivery keeps such a set for each of its stores: as text,
 * the world would be a kilobyte a store, and there are millions a day.
 */

import { type TerritoryCode, territoryCodes } from './territory.ts';

const bytes = 32;
const placeOf = new Map(territoryCodes.map((code, place) => [code, place]));

export function packTerritories(codes: Iterable<TerritoryCode>): Uint8Array {
  const packed = new Uint8Array(bytes);
  for (const code of codes) {
    const place = placeOf.get(code);
    if (place === undefined) throw new TypeError(`not a territory: ${code}`);
    packed[place >>> 3] = (packed[place >>> 3] ?? 0) | (1 << (place & 7));
  }
  return packed;
}

export const unpackTerritories = (packed: Uint8Array): TerritoryCode[] =>
  territoryCodes.filter((_, place) => ((packed[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0);
