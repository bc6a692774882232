/**
 * What a run calculates from, and what it finds. A run is divided into buckets of at most `rowsPerBucketMax` rows: small
 * organizations whole, large ones in slices of their ISRCs. The division depends on the inputs only, so a run that is
 * calculated again writes the same files.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { Id, OrgId } from '../../kernel/ids.ts';
import type { UseType } from '../../kernel/use-type.ts';
import type { ReportId, SourceAmount } from './report.ts';

export type StatementId = Id<'stm'>;

/** A bucket takes seconds and some hundred megabytes, and is what a crash costs. */
export const rowsPerBucketMax = 1_250_000;

/** ISRCs are divided into this many slices, by their last five digits. */
export const sliceCount = 1_000;

/** What the tax of a payee depends on: streams are royalties, downloads are sales. */
export const incomeTypes = ['royalty', 'sale'] as const;
export type IncomeType = (typeof incomeTypes)[number];
export const incomeTypeOf = (useType: UseType): IncomeType =>
  useType === 'download' ? 'sale' : 'royalty';

/** One statement in a bucket, whole or in part. */
export type BucketStatement = {
  readonly orgId: OrgId;
  readonly statementId: StatementId;
  readonly currency: Currency;
  /** From 1: the position of the part in its statement. */
  readonly part: number;
  readonly sliceFrom: number;
  /** Not included. */
  readonly sliceTo: number;
};

export type Bucket = { readonly number: number; readonly statements: readonly BucketStatement[] };

/** One unit of the source currency in the currency of the statement, with ten decimals. */
export type RunRate = {
  readonly reportId: ReportId;
  readonly sourceCurrency: Currency;
  readonly currency: Currency;
  readonly rate: string;
};

/** The most specific rule applies: store and use type, then store, then use type, then neither; of equals the latest. */
export type FeeRule = {
  readonly orgId: OrgId;
  readonly storeId: string | null;
  readonly useType: UseType | null;
  readonly basisPoints: number;
  /** The first usage month, YYYY-MM. */
  readonly validFrom: string;
  /** The last usage month; null: no end. */
  readonly validTo: string | null;
};

/** What we withhold from a payee, of income from one territory. Zero is not listed. */
export type WithholdingRate = {
  readonly statementId: StatementId;
  readonly territory: string;
  readonly incomeType: IncomeType;
  readonly basisPoints: number;
};

/** What a store withheld from a report, in the report's currency. */
export type SourceTax = {
  readonly reportId: ReportId;
  readonly sourceCurrency: Currency;
  readonly amount: SourceAmount;
};
