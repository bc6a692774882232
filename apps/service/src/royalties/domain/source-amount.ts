/** Source amounts as whole numbers of 10^-10 units, so that sums are exact. */

import { divideHalfEven, type Micros, toMicros } from '../../kernel/money.ts';
import type { SourceAmount } from './report.ts';

const decimals = 10;
/** DECIMAL(28,10). Exponents, signs other than a minus and separators of thousands are refused. */
const shape = /^(-?)(\d{1,18})(?:\.(\d{1,10}))?$/;

/** Undefined unless the text is a plain decimal with at most 18 digits before the point and ten after it. */
export function parseSourceAmount(text: string): bigint | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  return BigInt(sign + whole + fraction.padEnd(decimals, '0'));
}

/** Always with ten decimals. */
export function formatSourceAmount(units: bigint): SourceAmount {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** A declared amount is as exact as it is written: `45.36` stands for every sum that rounds to it. */
export function isDeclaredAs(sum: bigint, declared: string): boolean {
  const units = parseSourceAmount(declared);
  if (units === undefined) return false;
  const written = declared.split('.')[1]?.length ?? 0;
  const step = 10n ** BigInt(decimals - written);
  const difference = sum > units ? sum - units : units - sum;
  return 2n * difference <= (written === decimals ? 0n : step);
}

/** Of an amount that was parsed before. Throws for any other text: that is a defect of its caller. */
export function sourceUnits(amount: SourceAmount): bigint {
  const units = parseSourceAmount(amount);
  if (units === undefined) throw new TypeError(`not a source amount: ${amount}`);
  return units;
}

/** 10^-10 units in a micro. */
export const sourceUnitsPerMicro = 10_000n;

export const microsToSource = (amount: Micros): SourceAmount =>
  formatSourceAmount(amount * sourceUnitsPerMicro);

/** Half-even. */
export const sourceToMicros = (units: bigint): Micros =>
  toMicros(divideHalfEven(units, sourceUnitsPerMicro));
