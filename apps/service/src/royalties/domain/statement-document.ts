/**
 * What the PDF of a statement says: a page of summary, then tables by store and by release. It is made once, after the
 * statement is published, from rows that never change but the titles of releases; it keeps those of that moment.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { StatementId } from './calculation.ts';

/** Longer tables end with a row for all others. */
export const documentStoresMax = 60;
export const documentReleasesMax = 200;
export const documentFilesMax = 8;

/** Of what is kept about a document that cannot be drawn. */
export const documentErrorMax = 500;

export type DocumentFailure = { readonly statementId: StatementId; readonly error: string };

/** Amounts are decimal texts with six decimals. */
type DocumentTotal = {
  readonly playCount: string;
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly taxAmount: string;
  readonly netAmount: string;
};

/** Null as the key: all others, of which there are `count`. */
export type RankedTotal = DocumentTotal & { readonly key: string | null; readonly count: number };

export type DocumentRow = DocumentTotal & {
  readonly title: string;
  /** A UPC, or the id of a store, where there is one. */
  readonly code: string;
};

type DocumentAmounts = Readonly<
  Record<
    | 'openingBalance'
    | 'grossAmount'
    | 'feeAmount'
    | 'sourceTaxAmount'
    | 'payeeTaxAmount'
    | 'netAmount'
    | 'adjustmentAmount'
    | 'payoutAmount'
    | 'closingBalance'
    | 'availableAmount'
    | 'reservedAmount'
    | 'heldAmount',
    string
  >
>;

export type StatementDocument = {
  readonly statementId: StatementId;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly currency: Currency;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly publishedAt: string;
  readonly lineItemCount: number;
  readonly adjustmentCount: number;
  readonly amounts: DocumentAmounts;
  /** Both taxes. */
  readonly taxAmount: string;
  readonly rulesVersion: string;
  readonly inputDigest: string;
  readonly fileCount: number;
  readonly files: readonly {
    readonly name: string;
    readonly rowCount: number;
    readonly sha256: string;
  }[];
  readonly stores: readonly DocumentRow[];
  readonly releases: readonly DocumentRow[];
};
