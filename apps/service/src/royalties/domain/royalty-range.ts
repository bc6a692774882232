/** Where royalty records are: in which statement, and at which positions in its files. */

import type { Currency } from '../../kernel/currency.ts';
import type { StatementId } from './calculation.ts';

/** Records that follow each other. */
export type RoyaltyRange = {
  readonly statementId: StatementId;
  readonly currency: Currency;
  readonly publishedAt: Date;
  /** With microseconds. */
  readonly publishedText: string;
  readonly firstPosition: number;
  readonly recordCount: number;
};

/** The last record that was read. */
export type RecordPosition = Pick<RoyaltyRange, 'statementId' | 'publishedText'> & {
  readonly position: number;
};
