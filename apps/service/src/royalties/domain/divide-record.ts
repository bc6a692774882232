/**
 * Divides the amounts of a royalty record over its uses (use type and accounting month), so that totals by use add up to the
 * statement to the micro. The fee was rounded once for the record, and taxes were divided over records: here each goes
 * over the uses by largest remainder, the fee by what each use would bear unrounded.
 */

import type { IncomeType } from './calculation.ts';
import { add, type Exact, halfEven, multiply, subtract } from './exact-number.ts';
import { shareOut } from './share-out.ts';

/** What is known of each use; the fee in ten-thousandths of a micro. */
export type RecordUse = {
  readonly incomeType: IncomeType;
  readonly gross: Exact;
  readonly feeNumerator: Exact;
};

/** In micros. */
export type RecordDeductions = {
  readonly fee: Exact;
  readonly sourceTax: Exact;
  readonly payeeTax: Readonly<Record<IncomeType, Exact>>;
};

export type UseDeductions = Readonly<Record<'fee' | 'sourceTax' | 'payeeTax', Exact>>;

const feeDivisor = 10_000;

/** In the order of the uses. */
export function divideRecord(
  uses: readonly RecordUse[],
  { fee, sourceTax, payeeTax }: RecordDeductions,
): readonly UseDeductions[] {
  const fees = divideFee(
    fee,
    uses.map(({ feeNumerator }) => feeNumerator),
  );
  const sourceTaxes = divideTax(
    sourceTax,
    uses.map(({ gross }) => gross),
    uses.map(() => true),
  );
  const payeeTaxes = (incomeType: IncomeType) =>
    divideTax(
      payeeTax[incomeType],
      uses.map(({ gross }, index) => subtract(gross, fees[index] ?? 0)),
      uses.map((use) => use.incomeType === incomeType),
    );
  const [royalty, sale] = [payeeTaxes('royalty'), payeeTaxes('sale')];
  return uses.map((_, index) => ({
    fee: fees[index] ?? 0,
    sourceTax: sourceTaxes[index] ?? 0,
    payeeTax: add(royalty[index] ?? 0, sale[index] ?? 0),
  }));
}

/** Parts may have different signs: each is rounded down, and the largest remainders are rounded up. */
function divideFee(total: Exact, numerators: readonly Exact[]): readonly Exact[] {
  const shares = numerators.map((numerator) => floorOf(numerator));
  const remainders = numerators.map((numerator, index) =>
    Number(subtract(numerator, multiply(shares[index] ?? 0, feeDivisor))),
  );
  const left = Number(subtract(total, shares.reduce<Exact>(add, 0)));
  const largest = remainders
    .map((_, index) => index)
    .toSorted((a, b) => (remainders[b] ?? 0) - (remainders[a] ?? 0) || a - b)
    .slice(0, left);
  for (const index of largest) shares[index] = add(shares[index] ?? 0, 1);
  return shares;
}

function floorOf(numerator: Exact): Exact {
  const rounded = halfEven(numerator, feeDivisor);
  return multiply(rounded, feeDivisor) > numerator ? subtract(rounded, 1) : rounded;
}

/**
 * Divides the tax of a record over its parts that bear it and have earnings above zero. If none has, because returns exceed
 * sales, the first part that bears it gets the whole tax.
 */
function divideTax(
  tax: Exact,
  weights: readonly Exact[],
  isBearer: readonly boolean[],
): readonly Exact[] {
  const shares = weights.map((): Exact => 0);
  if (tax === 0) return shares;
  const able = weights.flatMap((weight, index) =>
    isBearer[index] === true && weight > 0 ? [index] : [],
  );
  if (able.length === 0) {
    shares[Math.max(0, isBearer.indexOf(true))] = tax;
    return shares;
  }
  const sign = tax < 0 ? -1 : 1;
  const parts = shareOut(
    multiply(tax, sign),
    able.map((index) => weights[index] ?? 0),
  );
  for (const [at, index] of able.entries()) shares[index] = multiply(parts[at] ?? 0, sign);
  return shares;
}
