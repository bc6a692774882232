/**
 * Whole numbers that are exact at any size. One that a number holds exactly (below 2^53) is a number, a larger one a
 * bigint: almost all amounts of a run are small, and numbers are ten times as fast.
 */

import { divideHalfEven } from '../../kernel/money.ts';

export type Exact = number | bigint;

const limit = Number.MAX_SAFE_INTEGER;
const bigLimit = BigInt(limit);

/** A result of two numbers that is above the limit may be rounded, but never to one that is not above it. */
const isSafe = (value: number): boolean => value <= limit && value >= -limit;

export const toExact = (value: bigint): Exact =>
  value <= bigLimit && value >= -bigLimit ? Number(value) : value;

export function add(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (isSafe(sum)) return sum;
  }
  return toExact(BigInt(a) + BigInt(b));
}

export function subtract(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (isSafe(difference)) return difference;
  }
  return toExact(BigInt(a) - BigInt(b));
}

export function multiply(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // Minus zero would be another number in a file.
    if (isSafe(product)) return product + 0;
  }
  return toExact(BigInt(a) * BigInt(b));
}

/** The nearest whole number, of a tie the even one. The divisor is above zero. */
export function halfEven(dividend: Exact, divisor: number): Exact {
  if (typeof dividend !== 'number') return toExact(divideHalfEven(dividend, BigInt(divisor)));
  let quotient = Math.floor(dividend / divisor);
  let rest = dividend - quotient * divisor;
  // The quotient of two numbers is rounded: it may have reached the next whole number.
  if (rest < 0) {
    quotient -= 1;
    rest += divisor;
  }
  const isUp = 2 * rest === divisor ? quotient % 2 !== 0 : 2 * rest > divisor;
  return quotient + (isUp ? 1 : 0);
}

/** Three operations on numbers are wrong by less than this share of the result. */
const estimateError = 2 ** -50;

/**
 * a × b ÷ divisor, half-even, where the product may be large. Numbers tell the result, unless it is too near to the middle
 * between two whole numbers.
 */
export function halfEvenProduct(a: Exact, b: Exact, divisor: number): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const estimate = (a * b) / divisor;
    const whole = Math.floor(estimate);
    const distance = Math.abs(estimate - whole - 0.5);
    const error = Math.abs(estimate) * estimateError;
    if (error < 0.25 && distance > error + Number.EPSILON)
      return estimate - whole > 0.5 ? whole + 1 : whole + 0;
  }
  return toExact(divideHalfEven(BigInt(a) * BigInt(b), BigInt(divisor)));
}

/** Exact numbers in little memory. NaN without a large value is none. */
export type ExactList = { readonly numbers: Float64Array; readonly large: Map<number, bigint> };

export const createExactList = (length: number): ExactList => ({
  numbers: new Float64Array(length),
  large: new Map(),
});

export function setExact({ numbers, large }: ExactList, index: number, value: Exact | null): void {
  if (typeof value === 'number') numbers[index] = value;
  else {
    numbers[index] = Number.NaN;
    if (value !== null) large.set(index, value);
  }
}

export function getExact({ numbers, large }: ExactList, index: number): Exact {
  const value = numbers[index] ?? 0;
  return Number.isNaN(value) ? (large.get(index) ?? 0) : value;
}

export const firstExact = ({ numbers, large }: ExactList, count: number): ExactList => ({
  numbers: numbers.slice(0, count),
  large,
});
