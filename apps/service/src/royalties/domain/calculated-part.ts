/**
 * What the calculation of a bucket finds for each statement in it. The results cross processes and steps as JSON, so
 * amounts are decimal texts: six decimals, unless a comment says otherwise.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { IncomeType, StatementId } from './calculation.ts';
import type { ReportId, SourceAmount } from './report.ts';

/** A file of one part of a statement, on the disk of the process that wrote it. */
export type PartFile = {
  readonly path: string;
  readonly rowCount: number;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Line items: Σ earnings. Royalties: Σ net. */
  readonly amount: string;
};

/**
 * Royalty records of one store, territory and usage month, which follow each other in a file: how many they are. Without the
 * sections, a filter would have to read every record.
 */
export type Section = readonly [
  storeId: string,
  territory: string,
  usageMonth: string,
  recordCount: number,
];

/** What a part earns from one report in one source currency. */
export type PartSource = {
  readonly reportId: ReportId;
  readonly sourceCurrency: Currency;
  /** With ten decimals. */
  readonly rate: string;
  readonly sourceAmount: SourceAmount;
  readonly grossAmount: string;
  /** Σ of the royalty records whose gross from this source is above zero: the weight of the part for the source tax. */
  readonly positiveGross: string;
};

/** What the tax of the payee is computed from; only where a withholding rate applies. */
export type PartTaxBase = {
  readonly territory: string;
  readonly incomeType: IncomeType;
  /** Σ gross − fee. */
  readonly base: string;
  /** Σ of the royalty records whose base is above zero: the weight of the part. */
  readonly positiveBase: string;
};

export type CalculatedPart = {
  readonly statementId: StatementId;
  readonly part: number;
  readonly currency: Currency;
  readonly items: PartFile;
  readonly recordCount: number;
  readonly playCount: number;
  /** = Σ earnings of the items. */
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly sources: readonly PartSource[];
  readonly taxBases: readonly PartTaxBase[];
};

/** What a part of a statement bears of each tax. */
export type PartTaxes = {
  readonly statementId: StatementId;
  readonly part: number;
  readonly sourceTaxes: readonly {
    readonly reportId: ReportId;
    readonly sourceCurrency: Currency;
    readonly amount: string;
  }[];
  readonly payeeTaxes: readonly {
    readonly territory: string;
    readonly incomeType: IncomeType;
    readonly amount: string;
  }[];
};

/** A part with its taxes: net = gross − fee − source tax − payee tax. */
export type FinishedPart = {
  readonly statementId: StatementId;
  readonly part: number;
  readonly royalties: PartFile;
  /** In the order of the file. */
  readonly sections: readonly Section[];
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly sourceTaxAmount: string;
  readonly payeeTaxAmount: string;
  readonly netAmount: string;
};
