/** A line item of a statement: the usage of one track, after grouping (contract §2). */

import type { Currency } from '../../kernel/currency.ts';
import { type Id, toWire } from '../../kernel/ids.ts';
import { showIsrc } from '../../kernel/isrc.ts';
import { memoizeByText } from '../../kernel/memoize-by-text.ts';

/** The columns of its file, as `connectors/bucket-items.ts` writes them. */
export const lineItemColumns = {
  isrc: 'text',
  title: 'text',
  release_id: 'uuid',
  track_id: 'uuid',
  store_id: 'text',
  territory: 'text',
  use_type: 'text',
  transaction_type: 'text',
  usage_month: 'text',
  accounting_month: 'text',
  report_id: 'uuid',
  allocated: 'boolean',
  play_count: 'integer',
  unit_rate: 'optional decimal',
  earnings: 'decimal',
  source_currency: 'text',
  source_amount: 'decimal',
  fx_rate: 'decimal',
  period_start: 'date',
  period_end: 'date',
} as const;

/** Decimals as text, ids as UUIDs. */
export type LineItem = {
  readonly [
    Name in Exclude<keyof typeof lineItemColumns, 'allocated' | 'play_count' | 'unit_rate'>
  ]: string;
} & {
  readonly allocated: boolean;
  readonly play_count: bigint;
  readonly unit_rate: string | null;
};

/** An export has the same few ids in millions of rows. */
const releaseId = memoizeByText((uuid) => toWire('rel', uuid));
const trackId = memoizeByText((uuid) => toWire('trk', uuid));
const reportId = memoizeByText((uuid) => toWire('rpt', uuid));

export const presentLineItem = (item: LineItem, id: Id<'sli'>, currency: Currency) => ({
  id,
  isrc: showIsrc(item.isrc),
  title: item.title,
  release_id: releaseId(item.release_id),
  track_id: trackId(item.track_id),
  store_id: item.store_id,
  territory: item.territory,
  use_type: item.use_type,
  transaction_type: item.transaction_type,
  usage_month: item.usage_month,
  accounting_month: item.accounting_month,
  report_id: reportId(item.report_id),
  allocated: item.allocated,
  // A run refuses more plays than a number holds.
  play_count: Number(item.play_count),
  unit_rate: item.unit_rate,
  earnings: item.earnings,
  currency,
  source_currency: item.source_currency,
  source_amount: item.source_amount,
  fx_rate: item.fx_rate,
  period_start: item.period_start,
  period_end: item.period_end,
});

/** The names of the columns of an export, in their order. */
export const lineItemFields = [
  'id',
  'isrc',
  'title',
  'release_id',
  'track_id',
  'store_id',
  'territory',
  'use_type',
  'transaction_type',
  'usage_month',
  'accounting_month',
  'report_id',
  'allocated',
  'play_count',
  'unit_rate',
  'earnings',
  'currency',
  'source_currency',
  'source_amount',
  'fx_rate',
  'period_start',
  'period_end',
] as const satisfies readonly (keyof ReturnType<typeof presentLineItem>)[];
