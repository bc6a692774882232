/** The rows of a report that were grouped into a line item, as they are kept: without their place in the store's file. */

import type { LineItem } from './line-item.ts';

/** A file with matched rows of a report. It has rows of other organizations too. */
export type SourcePart = {
  readonly number: number;
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/** More are counted and added up, and not listed. */
export const sourceRowsMax = 100;

/** The columns of matched rows that a line item is grouped by, all of them. */
export const sourceKeyOf = (item: LineItem, orgUuid: string) => ({
  org_id: orgUuid,
  isrc: item.isrc,
  release_id: item.release_id,
  track_id: item.track_id,
  territory: item.territory,
  use_type: item.use_type,
  transaction_type: item.transaction_type,
  usage_month: item.usage_month,
  accounting_month: item.accounting_month,
  currency: item.source_currency,
  allocated: item.allocated,
  period_start: item.period_start,
  period_end: item.period_end,
});
export type SourceKey = ReturnType<typeof sourceKeyOf>;

export type SourceRow = {
  /** The number of the part, and the position of the row in it, from 1. */
  readonly part: number;
  readonly row: number;
  readonly title: string;
  readonly playCount: number;
  /** With ten decimals. */
  readonly amount: string;
};

export type SourceRows = {
  readonly rows: readonly SourceRow[];
  readonly rowCount: number;
  readonly playCount: number;
  readonly amount: string;
};
