/** A royalty record: what one track earned at one store, in one territory and usage month, in one statement. */

import type { Currency } from '../../kernel/currency.ts';
import { toWire } from '../../kernel/ids.ts';
import { showIsrc } from '../../kernel/isrc.ts';
import { formatMicros, sumMicros } from '../../kernel/money.ts';
import { firstDayOf, lastDayOf } from '../../kernel/month.ts';
import type { StatementId } from './calculation.ts';
import { positionIds } from './position-id.ts';
import { microsOf } from './run-statement.ts';

/** The columns of a file of royalties, as `finish-bucket-task.ts` writes it. */
export const royaltyColumns = {
  release_id: 'uuid',
  track_id: 'uuid',
  isrc: 'text',
  store_id: 'text',
  territory: 'text',
  usage_month: 'text',
  play_count: 'integer',
  gross_amount: 'decimal',
  fee_amount: 'decimal',
  source_tax_amount: 'decimal',
  payee_tax_amount: 'decimal',
  net_amount: 'decimal',
} as const;

type RoyaltyRow = {
  readonly [Name in keyof typeof royaltyColumns]: Name extends 'play_count' ? bigint : string;
};

export type Royalty = {
  readonly statementId: StatementId;
  readonly position: number;
  readonly currency: Currency;
  readonly publishedAt: Date;
  readonly row: RoyaltyRow;
};

export const presentRoyalty = ({ statementId, position, currency, publishedAt, row }: Royalty) => ({
  id: positionIds('roy', statementId).idAt(position),
  statement_id: statementId,
  release_id: toWire('rel', row.release_id),
  track_id: toWire('trk', row.track_id),
  isrc: showIsrc(row.isrc),
  store_id: row.store_id,
  territory: row.territory,
  period_start: firstDayOf(row.usage_month),
  period_end: lastDayOf(row.usage_month),
  play_count: Number(row.play_count),
  gross_amount: row.gross_amount,
  fee_amount: row.fee_amount,
  source_tax_amount: row.source_tax_amount,
  payee_tax_amount: row.payee_tax_amount,
  tax_amount: formatMicros(
    sumMicros([microsOf(row.source_tax_amount), microsOf(row.payee_tax_amount)]),
  ),
  net_amount: row.net_amount,
  currency,
  created_at: publishedAt.toISOString(),
});
