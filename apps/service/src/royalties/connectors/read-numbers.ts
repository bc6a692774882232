/** Amounts and counts, from the bytes of a cell. Nearly all are read without making a text or a BigInt. */

import { parseSourceAmount } from '../domain/source-amount.ts';

const [zero, nine, minus, point] = [0x30, 0x39, 0x2d, 0x2e];
/** Of a whole number that a double holds exactly. */
const exactDigits = 15;
const decimals = 10;
const powers = Array.from({ length: decimals + 1 }, (_, n) => 10 ** n);

/**
 * An amount in units of 10^-10: a bigint above 2^53, undefined if the cell is not a plain decimal with at most 18 digits
 * before the point and ten after it.
 */
export function readAmount(bytes: Buffer, from: number, to: number): number | bigint | undefined {
  const isNegative = bytes[from] === minus;
  const units = readShortAmount(bytes, isNegative ? from + 1 : from, to);
  if (Number.isSafeInteger(units)) return isNegative ? -units : units;
  return parseSourceAmount(bytes.toString('latin1', from, to));
}

/** NaN unless the text is short and has digits before the point and after it. */
function readShortAmount(bytes: Buffer, from: number, to: number): number {
  if (to - from > exactDigits) return Number.NaN;
  let digits = 0;
  let pointAt = to;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= zero && byte <= nine) digits = digits * 10 + byte - zero;
    else if (byte === point && pointAt === to) pointAt = at;
    else return Number.NaN;
  }
  if (pointAt === from || pointAt === to - 1) return Number.NaN;
  const fraction = pointAt === to ? 0 : to - pointAt - 1;
  return digits * (powers[decimals - fraction] ?? Number.NaN);
}

const countShape = /^-?\d{1,15}(\.0+)?$/;
const longCountShape = /^(0|-?[1-9]\d{0,18})$/;

/**
 * A whole number, also if it is written with decimals that are 0: a bigint above fifteen digits, undefined if the cell is
 * no count or does not fit into 64 bits.
 */
export function readCount(bytes: Buffer, from: number, to: number): number | bigint | undefined {
  const isNegative = bytes[from] === minus;
  const first = isNegative ? from + 1 : from;
  let count = 0;
  let at = first;
  for (; at < to && at - first < exactDigits; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < zero || byte > nine) break;
    count = count * 10 + byte - zero;
  }
  if (at === to && at > first) return isNegative ? -count : count;
  return readUnusualCount(bytes.toString('latin1', from, to));
}

function readUnusualCount(text: string): number | bigint | undefined {
  if (countShape.test(text)) return Number(text);
  if (!longCountShape.test(text)) return undefined;
  const count = BigInt(text);
  return BigInt.asIntN(64, count) === count ? count : undefined;
}
