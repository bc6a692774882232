/**
 * What a royalty record is made of, by use type and accounting month. Most records have one use: only the others keep what
 * each use contributes. Fees are rounded and taxes divided by record, so the second pass divides them over its uses.
 */

import { add, type Exact } from '../domain/exact-number.ts';

/** In place of the number of a use: the record has several. */
export const severalUses = -1;

/** What one use contributes to a record; the fee in ten-thousandths of a micro. */
export type UsePart = {
  readonly use: number;
  readonly plays: Exact;
  readonly gross: Exact;
  readonly feeNumerator: Exact;
};

/** Parts of records with several uses, in the order of records and uses. */
export type UseParts = { readonly [Field in keyof UsePart]: UsePart[Field][] } & {
  readonly record: number[];
};

export const noUseParts = (): UseParts => ({
  record: [],
  use: [],
  plays: [],
  gross: [],
  feeNumerator: [],
});

export type OpenUses = Map<number, UsePart>;

export function addUse(uses: OpenUses, part: UsePart): void {
  const known = uses.get(part.use);
  uses.set(
    part.use,
    known === undefined
      ? part
      : {
          use: part.use,
          plays: add(known.plays, part.plays),
          gross: add(known.gross, part.gross),
          feeNumerator: add(known.feeNumerator, part.feeNumerator),
        },
  );
}

export function appendUses(parts: UseParts, record: number, uses: OpenUses): void {
  for (const part of [...uses.values()].toSorted((a, b) => a.use - b.use)) {
    parts.record.push(record);
    parts.use.push(part.use);
    parts.plays.push(part.plays);
    parts.gross.push(part.gross);
    parts.feeNumerator.push(part.feeNumerator);
  }
}

/** Gives the parts of each record; records are asked for in their order. */
export function createUseReader(parts: UseParts): (record: number) => readonly UsePart[] {
  let next = 0;
  return (record) => {
    const found: UsePart[] = [];
    for (; parts.record[next] === record; next++) {
      found.push({
        use: parts.use[next] ?? 0,
        plays: parts.plays[next] ?? 0,
        gross: parts.gross[next] ?? 0,
        feeNumerator: parts.feeNumerator[next] ?? 0,
      });
    }
    return found;
  };
}
