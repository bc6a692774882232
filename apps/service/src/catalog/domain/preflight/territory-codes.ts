/** Sets of territories. `WORLD` on a release or a track is whatever the account is licensed for. */
import { meansWorld, type TerritoryCode, territoryListMax } from '../../../kernel/territory.ts';

type Codes = ReadonlySet<TerritoryCode> | 'all';

export function codesOf(list: readonly TerritoryCode[]): Codes {
  if (list.some(meansWorld)) return 'all';
  const codes = new Set(list);
  // Who lists every code says the same.
  return codes.size >= territoryListMax ? 'all' : codes;
}

export const codesWithin = (
  list: readonly TerritoryCode[],
  licensed: readonly TerritoryCode[],
): Codes => (list.some(meansWorld) ? codesOf(licensed) : codesOf(list));

export const hasCode = (codes: Codes, code: TerritoryCode): boolean =>
  codes === 'all' || codes.has(code);

export const areWithin = (inner: Codes, outer: Codes): boolean =>
  outer === 'all' || (inner !== 'all' && [...inner].every((code) => outer.has(code)));

export function areApart(...sets: readonly Codes[]): boolean {
  const [first, ...others] = sets.filter((codes) => codes !== 'all');
  if (first === undefined) return false;
  return ![...first].some((code) => others.every((codes) => codes.has(code)));
}
