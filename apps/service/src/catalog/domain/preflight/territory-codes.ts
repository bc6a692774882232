/** Sets of territories. `WORLD` on a release or a track means the territories that the account is licensed for. */

import { meansWorld, type TerritoryCode, territoryListMax } from '../../../kernel/territory.ts';

type CodeSet = ReadonlySet<TerritoryCode> | 'all';

export function toCodeSet(list: readonly TerritoryCode[]): CodeSet {
  if (list.some(meansWorld)) return 'all';
  const codes = new Set(list);
  // A list of every code means the same as WORLD.
  return codes.size >= territoryListMax ? 'all' : codes;
}

export const resolveWorld = (
  list: readonly TerritoryCode[],
  licensed: readonly TerritoryCode[],
): CodeSet => (list.some(meansWorld) ? toCodeSet(licensed) : toCodeSet(list));

export const hasCode = (codes: CodeSet, code: TerritoryCode): boolean =>
  codes === 'all' || codes.has(code);

export const isSubset = (inner: CodeSet, outer: CodeSet): boolean =>
  outer === 'all' || (inner !== 'all' && [...inner].every((code) => outer.has(code)));

export function areDisjoint(...sets: readonly CodeSet[]): boolean {
  const [first, ...others] = sets.filter((codes) => codes !== 'all');
  if (first === undefined) return false;
  return ![...first].some((code) => others.every((codes) => codes.has(code)));
}
