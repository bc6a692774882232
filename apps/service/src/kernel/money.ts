/**
 * Exact amounts of money. An amount is a whole number of micros, millionths of a currency unit, in a bigint: a number
 * has 53 bits, and a sum of royalties in it is wrong in the last decimals. Each derived amount (a fee, a conversion) is
 * rounded once, half-even; parts of a total are allocated by largest remainder; sums and differences are never rounded.
 * An amount does not know its currency: the row or the document that holds the amount names it.
 */
import { type Currency, currencyDecimals } from './currency.ts';

/** An amount in millionths of a currency unit. */
export type Micros = bigint & { readonly micros: true };

/** How many units of the target currency one unit of the source currency is worth, times 10^10. */
export type FxRate = bigint & { readonly fxRate: true };

const microsDecimals = 6;
const fxRateDecimals = 10;
const fxRateScale = 10n ** BigInt(fxRateDecimals);
const basisPointsMax = 10_000;

/** The ledger stores amounts as NUMERIC(28,6): 28 digits, six of them decimals. */
const microsLimit = 10n ** 28n;

/** At most 22 digits before the point, so that every text of this shape is below `microsLimit`. */
const amountShape = /^(-?(?:0|[1-9]\d{0,21}))(?:\.(\d{1,6}))?$/;

/** FX rates are DECIMAL(20,10). */
const fxRateShape = /^(0|[1-9]\d{0,9})(?:\.(\d{1,10}))?$/;
const fxRateLimit = 10n ** 20n;

const microsPerMinorUnit = { 0: 1_000_000n, 2: 10_000n, 3: 1_000n } as const;

/** In micros. */
export const minorUnitOf = (currency: Currency): bigint =>
  microsPerMinorUnit[currencyDecimals[currency]];

/** Throws a RangeError for an amount that the ledger could not store. */
export function toMicros(value: bigint): Micros {
  if (value >= microsLimit || value <= -microsLimit) {
    throw new RangeError(`${value} micros do not fit into NUMERIC(28,6)`);
  }
  // The only place that makes Micros: the brand means that the limit was checked.
  return value as Micros;
}

/** Undefined unless the text is a plain decimal with at most six decimals, such as `12.34` or `-0.000001`. */
export function parseMicros(text: string): Micros | undefined {
  const value = parseScaled(text, amountShape, microsDecimals);
  return value === undefined ? undefined : toMicros(value);
}

/** Always with six decimals. */
export const formatMicros = (amount: Micros): string => formatScaled(amount, microsDecimals);

/** With the decimals of the currency. Throws a RangeError if the amount has a fraction of a minor unit. */
export function formatMinorUnits(amount: Micros, currency: Currency): string {
  if (!isWholeMinorUnits(amount, currency)) {
    throw new RangeError(
      `${formatMicros(amount)} ${currency} is not a whole number of minor units`,
    );
  }
  return formatScaled(amount / minorUnitOf(currency), currencyDecimals[currency]);
}

export const isWholeMinorUnits = (amount: Micros, currency: Currency): boolean =>
  amount % minorUnitOf(currency) === 0n;

/** Towards negative infinity, so that a payout never exceeds the balance. The remainder stays in the balance. */
export function floorToMinorUnits(amount: Micros, currency: Currency): Micros {
  const unit = minorUnitOf(currency);
  const remainder = amount % unit;
  return toMicros(amount - remainder - (remainder < 0n ? unit : 0n));
}

/** The nearest whole number; a tie goes to the even one, so that many ties do not add up to a bias. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('Division by zero');
  const quotient = numerator / denominator;
  const twiceRemainder = 2n * absolute(numerator % denominator);
  const divisor = absolute(denominator);
  const isTie = twiceRemainder === divisor;
  const isAwayFromZero = isTie ? quotient % 2n !== 0n : twiceRemainder > divisor;
  if (!isAwayFromZero) return quotient;
  // The quotient may be 0 and have no sign, so the direction follows from the operands.
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/** A hundredth of a percent for each basis point, half-even. Throws a RangeError unless they are a whole 0 to 10,000. */
export function takeBasisPoints(amount: Micros, basisPoints: number): Micros {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints > basisPointsMax) {
    throw new RangeError(`${basisPoints} is not a whole number of basis points from 0 to 10,000`);
  }
  return toMicros(divideHalfEven(amount * BigInt(basisPoints), BigInt(basisPointsMax)));
}

/** Undefined unless the text is a plain decimal above zero with at most ten digits on each side of the point. */
export function parseFxRate(text: string): FxRate | undefined {
  const value = parseScaled(text, fxRateShape, fxRateDecimals);
  return value === undefined ? undefined : toFxRate(value);
}

/** The only place that makes an FxRate: the brand means that it is positive and in range. */
const toFxRate = (value: bigint): FxRate | undefined =>
  value > 0n && value < fxRateLimit ? (value as FxRate) : undefined;

/** One unit of each currency is worth one of it. */
export const sameCurrencyRate = fxRateScale as FxRate;

/**
 * What one unit was exchanged at: `received` for `paid`, and then at a second rate, if there is one. Rounded once,
 * half-even. Undefined for a rate that ten digits on each side of the point cannot express.
 */
export const realizedRate = (
  received: Micros,
  paid: Micros,
  then: FxRate = sameCurrencyRate,
): FxRate | undefined => toFxRate(divideHalfEven(received * then, paid));

/** Always with ten decimals. */
export const formatFxRate = (rate: FxRate): string => formatScaled(rate, fxRateDecimals);

/** The amount in the target currency, half-even. */
export const convertAt = (amount: Micros, rate: FxRate): Micros =>
  toMicros(divideHalfEven(amount * rate, fxRateScale));

/**
 * Divides a total in proportion to the weights, by largest remainder: each share is truncated, then the micros that are
 * left go, one each, to the shares that lost most, of equal ones to the first. The shares add up to the total. A negative
 * total gives the shares of the positive one, negated, so that a reversal cancels every share. Throws a RangeError for a
 * negative weight, and if no weight is positive.
 */
export function allocate(total: Micros, weights: readonly bigint[]): readonly Micros[] {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0n);
  if (weights.some((weight) => weight < 0n) || weightSum === 0n) {
    throw new RangeError('Weights must not be negative, and at least one must be positive');
  }
  const shares = weights.map((weight) => {
    const product = absolute(total) * weight;
    return { micros: product / weightSum, remainder: product % weightSum };
  });
  let left = shares.reduce((rest, { micros }) => rest - micros, absolute(total));
  // The sort is stable: of equal remainders the first stays first. Fewer micros are left than there are remainders above
  // zero, so a weight of zero gets none.
  for (const share of shares.toSorted((a, b) => compare(b.remainder, a.remainder))) {
    if (left === 0n) break;
    share.micros += 1n;
    left -= 1n;
  }
  return shares.map(({ micros }) => toMicros(total < 0n ? -micros : micros));
}

/** Only the result is checked against the limit, so the order of the amounts does not matter. */
export function sumMicros(amounts: Iterable<Micros>): Micros {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return toMicros(sum);
}

export const negate = (amount: Micros): Micros => toMicros(0n - amount);

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

const compare = (a: bigint, b: bigint): number => Number(a > b) - Number(a < b);

/** `shape` captures the digits before the point with their sign, and the decimals. */
function parseScaled(text: string, shape: RegExp, decimals: number): bigint | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function formatScaled(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(absolute(value)).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0
    ? `${sign}${digits}`
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
