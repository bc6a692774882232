/** Sets of territories with one bit for each: to compare the world costs as much as to compare one country. */

import { meansWorld, type TerritoryCode, territoryCodes } from '../../../kernel/territory.ts';
import type { TerritoryRights } from '../rights.ts';

export type CodeSet = bigint;

const bits: ReadonlyMap<TerritoryCode, CodeSet> = new Map(
  territoryCodes.map((code, position) => [code, 1n << BigInt(position)]),
);
const everywhere: CodeSet = (1n << BigInt(territoryCodes.length)) - 1n;

/** Each rule reads the same lists, and each fix is verified by several rules. */
const converted = new WeakMap<readonly TerritoryCode[], CodeSet>();

export function toCodeSet(list: readonly TerritoryCode[]): CodeSet {
  const known = converted.get(list);
  if (known !== undefined) return known;
  const codes = list.some(meansWorld)
    ? everywhere
    : list.reduce((set, code) => set | (bits.get(code) ?? 0n), 0n);
  converted.set(list, codes);
  return codes;
}

/** `WORLD` on a release or a track means the territories that the account is licensed for. */
export function toRightsSet(
  { territories, excludedTerritories }: TerritoryRights,
  licensed: readonly TerritoryCode[],
): CodeSet {
  const codes = toCodeSet(territories.some(meansWorld) ? licensed : territories);
  return excludedTerritories === null ? codes : codes & ~toCodeSet(excludedTerritories);
}

export const hasCode = (codes: CodeSet, code: TerritoryCode): boolean =>
  (codes & (bits.get(code) ?? 0n)) !== 0n;

export const listCodes = (codes: CodeSet): TerritoryCode[] =>
  territoryCodes.filter((code) => hasCode(codes, code));

export const formatCodes = (codes: readonly TerritoryCode[]): string => codes.join(', ');

/** `WORLD except RU, BY`. */
export const formatRights = ({ territories, excludedTerritories }: TerritoryRights): string =>
  formatCodes(territories) +
  (excludedTerritories === null ? '' : ` except ${formatCodes(excludedTerritories)}`);
