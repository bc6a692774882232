/**
 * Divides taxes over the parts of statements; inside a part, `finishBucket` divides them over its royalty records.
 *
 * What a store withheld of a report goes over the statements by their source amounts above zero, in micros of the source
 * currency; the share of a statement is converted once, then goes over its parts by their gross above zero. What we
 * withhold from a payee is computed once per statement, territory and income type, of a base above zero. Every division is
 * by largest remainder; of equal remainders the first statement or part comes first.
 */

import {
  allocate,
  convertAt,
  divideHalfEven,
  formatMicros,
  type Micros,
  parseFxRate,
  parseMicros,
  sumMicros,
  takeBasisPoints,
  toMicros,
} from '../../kernel/money.ts';
import type { CalculatedPart, PartTaxes } from './calculated-part.ts';
import type { SourceTax, StatementId, WithholdingRate } from './calculation.ts';

export type TaxAllocation = {
  /** In the order of the parts given. */
  readonly parts: readonly PartTaxes[];
  /** Source taxes of reports from which no statement earns anything: no statement can bear them. */
  readonly unallocated: readonly SourceTax[];
};

type Statement = { readonly id: StatementId; readonly parts: readonly CalculatedPart[] };
type Shares = ReadonlyMap<CalculatedPart, Micros>;

/** `parts` are those of all buckets of the run, in any order. */
export function allocateTaxes(
  parts: readonly CalculatedPart[],
  sourceTaxes: readonly SourceTax[],
  withholding: readonly WithholdingRate[],
): TaxAllocation {
  const statements = groupParts(parts);
  const borne = new Map(
    parts.map((part) => [
      part,
      {
        statementId: part.statementId,
        part: part.part,
        sourceTaxes: [] as PartTaxes['sourceTaxes'][number][],
        payeeTaxes: [] as PartTaxes['payeeTaxes'][number][],
      },
    ]),
  );
  const unallocated: SourceTax[] = [];
  for (const tax of sourceTaxes) {
    const shares = allocateSourceTax(tax, statements);
    if (shares === undefined) unallocated.push(tax);
    for (const [part, amount] of shares ?? []) {
      const { reportId, sourceCurrency } = tax;
      borne.get(part)?.sourceTaxes.push({ reportId, sourceCurrency, amount: formatMicros(amount) });
    }
  }
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  for (const rate of withholding) {
    const { territory, incomeType } = rate;
    for (const [part, amount] of allocatePayeeTax(rate, byId.get(rate.statementId)?.parts ?? [])) {
      borne.get(part)?.payeeTaxes.push({ territory, incomeType, amount: formatMicros(amount) });
    }
  }
  return { parts: [...borne.values()], unallocated };
}

function groupParts(parts: readonly CalculatedPart[]): readonly Statement[] {
  const byStatement = Map.groupBy(parts, ({ statementId }) => statementId);
  return [...byStatement]
    .map(([id, own]) => ({ id, parts: own.toSorted((a, b) => a.part - b.part) }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Undefined if there is a tax and no statement can bear it. */
function allocateSourceTax(tax: SourceTax, statements: readonly Statement[]): Shares | undefined {
  const total = toMicros(divideHalfEven(sourceUnits(tax.amount), unitsPerMicro));
  if (total === 0n) return new Map();
  const bearers = statements.flatMap(({ parts }) => bearerOf(tax, parts) ?? []);
  if (bearers.length === 0) return undefined;
  const amounts = allocate(
    total,
    bearers.map(({ weight }) => weight),
  );
  return new Map(
    bearers.flatMap(({ parts, weights, rate }, index) => [
      ...dividedOver(parts, weights, convert(amounts[index] ?? toMicros(0n), rate)),
    ]),
  );
}

type Bearer = {
  readonly parts: readonly CalculatedPart[];
  readonly weight: bigint;
  readonly weights: readonly Micros[];
  readonly rate: string;
};

/** A statement whose records all round to nothing earns a source amount, but no record of it can bear a tax. */
function bearerOf(tax: SourceTax, parts: readonly CalculatedPart[]): Bearer | undefined {
  const sources = parts.map((part) => sourceOf(part, tax));
  const weight = sources.reduce((sum, found) => sum + sourceUnits(found?.sourceAmount ?? '0'), 0n);
  const weights = sources.map((found) => amountOf(found?.positiveGross ?? '0'));
  const rate = sources.find((found) => found !== undefined)?.rate;
  const isBearer = weight > 0n && sumMicros(weights) > 0n;
  return isBearer && rate !== undefined ? { parts, weight, weights, rate } : undefined;
}

const sourceOf = (
  { sources }: CalculatedPart,
  { reportId, sourceCurrency }: SourceTax,
): CalculatedPart['sources'][number] | undefined =>
  sources.find(
    (source) => source.reportId === reportId && source.sourceCurrency === sourceCurrency,
  );

function allocatePayeeTax(rate: WithholdingRate, parts: readonly CalculatedPart[]): Shares {
  const bases = parts.map(({ taxBases }) =>
    taxBases.find(
      ({ territory, incomeType }) => territory === rate.territory && incomeType === rate.incomeType,
    ),
  );
  const base = sumMicros(bases.map((found) => amountOf(found?.base ?? '0')));
  const tax = takeBasisPoints(base > 0n ? base : toMicros(0n), rate.basisPoints);
  const weights = bases.map((found) => amountOf(found?.positiveBase ?? '0'));
  return dividedOver(parts, weights, tax);
}

function dividedOver(
  parts: readonly CalculatedPart[],
  weights: readonly Micros[],
  total: Micros,
): Shares {
  if (total === 0n) return new Map();
  const amounts = allocate(total, weights);
  return new Map(
    parts.flatMap((part, index) => {
      const amount = amounts[index] ?? toMicros(0n);
      return amount === 0n ? [] : [[part, amount] as const];
    }),
  );
}

const sourceDecimals = 10;
const unitsPerMicro = 10_000n;

/** A source amount in units of 10^-10. */
function sourceUnits(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(sourceDecimals, '0'));
}

function amountOf(text: string): Micros {
  const amount = parseMicros(text);
  if (amount === undefined) throw new RangeError(`${text} is not an amount`);
  return amount;
}

function convert(amount: Micros, text: string): Micros {
  const rate = parseFxRate(text);
  if (rate === undefined) throw new RangeError(`${text} is not a rate`);
  return convertAt(amount, rate);
}
