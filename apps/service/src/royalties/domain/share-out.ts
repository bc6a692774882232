/** Largest remainder over many weights: the same shares as `allocate`, in numbers where they are exact. */

import { add, type Exact, multiply, subtract, toExact } from './exact-number.ts';

/**
 * The shares of a total that is not negative, by weights above zero. Each share is truncated, then the micros that are left
 * go, one each, to the largest remainders; of equal ones to the first.
 */
export function shareOut(total: Exact, weights: readonly Exact[]): readonly Exact[] {
  const sum = weights.reduce<Exact>(add, 0);
  const shares: Exact[] = [];
  const remainders: Exact[] = [];
  let left = total;
  for (const weight of weights) {
    const product = multiply(total, weight);
    const share = quotientOf(product, sum);
    shares.push(share);
    remainders.push(subtract(product, multiply(share, sum)));
    left = subtract(left, share);
  }
  for (const index of largestOf(remainders, Number(sum), Number(left)))
    shares[index] = add(shares[index] ?? 0, 1);
  return shares;
}

function quotientOf(dividend: Exact, divisor: Exact): Exact {
  if (typeof dividend !== 'number' || typeof divisor !== 'number')
    return toExact(BigInt(dividend) / BigInt(divisor));
  const quotient = Math.floor(dividend / divisor);
  // The quotient of two numbers is rounded: it may have reached the next whole number.
  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

/** Numbers below one that differ by more than this are in the order of what they were made of. */
const certainDifference = 1e-9;

/** The indexes of the largest values below a limit; of equal ones the first. */
function largestOf(values: readonly Exact[], limit: number, count: number): readonly number[] {
  if (count === 0) return [];
  const near = Float64Array.from(values, (value) => Number(value) / limit);
  return values
    .map((_, index) => index)
    .toSorted((a, b) => {
      const difference = (near[b] ?? 0) - (near[a] ?? 0);
      if (Math.abs(difference) > certainDifference) return difference;
      return compare(values[b] ?? 0, values[a] ?? 0) || a - b;
    })
    .slice(0, count);
}

const compare = (a: Exact, b: Exact): number => Number(a > b) - Number(a < b);
