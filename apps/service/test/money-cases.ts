/** Random cases for the money kernel, and what the kernel makes of each. Amounts are texts, as the oracle reads them. */
import { currencies, currencyDecimals, isCurrency } from '../src/kernel/currency.ts';
import {
  allocate,
  convertAt,
  divideHalfEven,
  floorToMinorUnits,
  formatFxRate,
  formatMicros,
  formatMinorUnits,
  isWholeMinorUnits,
  negate,
  parseFxRate,
  parseMicros,
  sumMicros,
  takeBasisPoints,
  toMicros,
  type FxRate,
  type Micros,
} from '../src/kernel/money.ts';
import type { Random } from './proofs/random.ts';

export type MoneyCase =
  | { readonly operation: 'parse'; readonly amount: string }
  | { readonly operation: 'write'; readonly micros: string }
  | { readonly operation: 'rate'; readonly rate: string }
  | { readonly operation: 'minor_units'; readonly amount: string; readonly currency: string }
  | { readonly operation: 'divide'; readonly numerator: string; readonly denominator: string }
  | { readonly operation: 'basis_points'; readonly amount: string; readonly basis_points: number }
  | { readonly operation: 'convert'; readonly amount: string; readonly rate: string }
  | { readonly operation: 'add'; readonly amounts: readonly string[] }
  | {
      readonly operation: 'allocate';
      readonly amount: string;
      readonly weights: readonly string[];
    };

export type MoneyResult = string | readonly (string | boolean)[];

const weightsMax = 50;
const amountsMax = 20;
const largest = '9999999999999999999999.999999';

/** Digits without a leading zero, unless the only digit is one. */
function digits(random: Random, count: number): string {
  const rest = Array.from({ length: count - 1 }, () => random.below(10)).join('');
  return `${random.below(count === 1 ? 10 : 9) + (count === 1 ? 0 : 1)}${rest}`;
}

const sign = (random: Random): string => random.pick(['', '-']);

/** From one micro to 22 digits before the point; every number of digits is equally frequent. */
function amount(random: Random): string {
  if (random.below(50) === 0) return `${sign(random)}${random.pick(['0', '0.000001', largest])}`;
  const whole = random.below(5) === 0 ? '0' : digits(random, 1 + random.below(22));
  return `${sign(random)}${whole}${fraction(random, 6)}`;
}

function fraction(random: Random, max: number): string {
  const count = random.below(max + 1);
  return count === 0 ? '' : `.${Array.from({ length: count }, () => random.below(10)).join('')}`;
}

function rate(random: Random): string {
  const text = `${random.pick(['0', digits(random, 1 + random.below(10))])}${fraction(random, 10)}`;
  return /[1-9]/.test(text) ? text : '0.0000000001';
}

/** Ends in an odd micro, so that a half of the amount is a tie. */
const oddAmount = (random: Random): string =>
  `${sign(random)}${digits(random, 1 + random.below(15))}.${String(random.below(100_000)).padStart(5, '0')}${random.pick([1, 3, 5, 7, 9])}`;

const big = (random: Random, count: number): bigint =>
  BigInt(`${sign(random)}${digits(random, 1 + random.below(count))}`);

function currency(random: Random): string {
  const decimals = random.pick([0, 2, 3]);
  return random.pick(currencies.filter((code) => currencyDecimals[code] === decimals));
}

/** The numerator is an odd number of halves of the denominator. */
function divisionTie(random: Random): MoneyCase {
  const half = big(random, 28) || 1n;
  const halves = 2n * big(random, 28) + 1n;
  return { operation: 'divide', numerator: `${half * halves}`, denominator: `${2n * half}` };
}

function division(random: Random): MoneyCase {
  const denominator = big(random, 38) || -3n;
  return { operation: 'divide', numerator: `${big(random, 56)}`, denominator: `${denominator}` };
}

function allocation(random: Random): MoneyCase {
  const length = 1 + random.below(weightsMax);
  // Few different weights make equal remainders; large ones make remainders that differ in the last digit only.
  const weight = random.pick([
    () => 1n,
    () => BigInt(random.below(3)),
    () => BigInt(digits(random, 1 + random.below(5))),
    () => BigInt(digits(random, 1 + random.below(28))),
  ]);
  const weights = Array.from({ length }, () => (random.below(10) === 0 ? '0' : String(weight())));
  if (!weights.some((text) => text !== '0')) weights[random.below(length)] = '1';
  return { operation: 'allocate', amount: amount(random), weights };
}

/** One case of each operation, and ties of the three that round. */
const makers: readonly ((random: Random) => MoneyCase)[] = [
  (random) => ({ operation: 'parse', amount: amount(random) }),
  (random) => ({ operation: 'write', micros: String(big(random, 28)) }),
  (random) => ({ operation: 'rate', rate: rate(random) }),
  (random) => ({ operation: 'minor_units', amount: amount(random), currency: currency(random) }),
  division,
  divisionTie,
  (random) => ({
    operation: 'basis_points',
    amount: amount(random),
    basis_points: random.below(10_001),
  }),
  (random) => ({ operation: 'basis_points', amount: oddAmount(random), basis_points: 5_000 }),
  (random) => ({ operation: 'convert', amount: amount(random), rate: rate(random) }),
  (random) => ({
    operation: 'convert',
    amount: oddAmount(random),
    rate: `${digits(random, 1 + random.below(4))}.5`,
  }),
  (random) => ({
    operation: 'add',
    amounts: Array.from({ length: 1 + random.below(amountsMax) }, () => amount(random)),
  }),
  allocation,
];

export const makeCases = (random: Random, rounds: number): readonly MoneyCase[] =>
  Array.from({ length: rounds }, () => makers.map((make) => make(random))).flat();

function micros(text: string): Micros {
  const parsed = parseMicros(text);
  if (parsed === undefined) throw new Error(`${text} was not parsed as an amount`);
  return parsed;
}

function fxRate(text: string): FxRate {
  const parsed = parseFxRate(text);
  if (parsed === undefined) throw new Error(`${text} was not parsed as a rate`);
  return parsed;
}

/** A refusal is a result too. */
function orRefusal(compute: () => string): string {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return 'RangeError';
    throw error;
  }
}

function minorUnits(amountText: string, code: string): MoneyResult {
  if (!isCurrency(code)) throw new Error(`${code} is not a currency`);
  const value = micros(amountText);
  return [
    isWholeMinorUnits(value, code),
    orRefusal(() => formatMinorUnits(value, code)),
    orRefusal(() => formatMicros(floorToMinorUnits(value, code))),
  ];
}

/** What the kernel makes of a case, in the form of the oracle. */
export function computeCase(given: MoneyCase): MoneyResult {
  switch (given.operation) {
    case 'parse':
      return String(micros(given.amount));
    case 'write':
      return formatMicros(toMicros(BigInt(given.micros)));
    case 'rate':
      return formatFxRate(fxRate(given.rate));
    case 'minor_units':
      return minorUnits(given.amount, given.currency);
    case 'divide':
      return String(divideHalfEven(BigInt(given.numerator), BigInt(given.denominator)));
    case 'basis_points':
      return formatMicros(takeBasisPoints(micros(given.amount), given.basis_points));
    case 'convert':
      return orRefusal(() => formatMicros(convertAt(micros(given.amount), fxRate(given.rate))));
    case 'add': {
      const amounts = given.amounts.map(micros);
      const [first = toMicros(0n)] = amounts;
      return [orRefusal(() => formatMicros(sumMicros(amounts))), formatMicros(negate(first))];
    }
    // The type of `weights` shows that only allocations get here.
    default:
      return allocate(micros(given.amount), given.weights.map(BigInt)).map(formatMicros);
  }
}
