/**
 * Ids of rows that are not in the database: line items and royalty records are found by their position in their
 * statement. The id is a UUIDv8: 48 bits of the position, and the random bits of the statement's id. So it tells the
 * position, no two statements share one, and it is the same whenever it is made.
 */

import { type Id, parseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { StatementId } from './calculation.ts';

const positionDigits = 12;
const hexadecimal = 16;
/** Of the UUID's text, with hyphens: the 48 bits before, and the version. */
const timeLength = 13;
const randomStart = 15;

export type PositionIds<Prefix extends string> = {
  readonly idAt: (position: number) => Id<Prefix>;
  /** Undefined for an id of another statement, and for a text that is no id. */
  readonly positionOf: (text: string) => number | undefined;
};

export function positionIds<Prefix extends string>(
  prefix: Prefix,
  statementId: StatementId,
): PositionIds<Prefix> {
  const tail = `-8${toUuid(statementId).slice(randomStart)}`;
  return {
    idAt: (position) => {
      const digits = position.toString(hexadecimal).padStart(positionDigits, '0');
      return toWire(prefix, `${digits.slice(0, 8)}-${digits.slice(8)}${tail}`);
    },
    positionOf: (text) => {
      const id = parseId(prefix, text);
      if (id === undefined) return undefined;
      const uuid = toUuid(id);
      if (uuid.slice(timeLength) !== tail) return undefined;
      return Number.parseInt(uuid.slice(0, timeLength).replace('-', ''), hexadecimal);
    },
  };
}
