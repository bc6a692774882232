/**
 * A set of territories as 32 bytes, one bit per territory. Each store delivery has one: as text, the world would be
 * 1 KB per store, for millions of store deliveries a day.
 */

import { meansWorld, type TerritoryCode, territoryCodes } from './territory.ts';

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

/** A set of territories as a number with one bit per territory: sets are intersected by the million. */
export type TerritorySet = bigint;

const bitOf = new Map(territoryCodes.map((code, position) => [code, 1n << BigInt(position)]));

export const everyTerritory: TerritorySet = (1n << BigInt(territoryCodes.length)) - 1n;

/** `WORLD` is every territory; a code that is none adds nothing. */
export const toTerritorySet = (codes: Iterable<TerritoryCode>): TerritorySet => {
  let set = 0n;
  for (const code of codes) set |= meansWorld(code) ? everyTerritory : (bitOf.get(code) ?? 0n);
  return set;
};

/** From the 32 bytes, whose first bit is that of the first territory. */
export const setOfPacked = (packed: Uint8Array): TerritorySet =>
  BigInt(`0x${Buffer.from(packed.toReversed()).toString('hex')}`);

export const codesOfSet = (set: TerritorySet): TerritoryCode[] =>
  set === 0n ? [] : territoryCodes.filter((_, position) => (set >> BigInt(position)) & 1n);
