/**
 * A set of territories as 32 bytes, one bit per territory. Each store delivery has one: as text, the world would be
 * 1 KB per store, for millions of store deliveries a day.
 */

import { type TerritoryCode, territoryCodes } from './territory.ts';

const bytes = 32;
const positionOf = new Map(territoryCodes.map((code, position) => [code, position]));

export function packTerritories(codes: Iterable<TerritoryCode>): Uint8Array {
  const packed = new Uint8Array(bytes);
  for (const code of codes) {
    const position = positionOf.get(code);
    if (position === undefined) throw new TypeError(`not a territory: ${code}`);
    packed[position >>> 3] = (packed[position >>> 3] ?? 0) | (1 << (position & 7));
  }
  return packed;
}

export const unpackTerritories = (packed: Uint8Array): TerritoryCode[] =>
  territoryCodes.filter(
    (_, position) => ((packed[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0,
  );
