/** Line items of the statement of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { csvLine } from '../../kernel/csv.ts';
import { exampleIds, examplePage } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import { lineItemFields } from '../domain/line-item.ts';
import type { LineItemBody } from './line-item-schemas.ts';

const lineItemExample: Static<typeof LineItemBody> = {
  id: exampleIds.sli,
  isrc: 'QZ-NLR-25-00004',
  title: 'Night Drive',
  release_id: exampleIds.rel,
  track_id: exampleIds.trk,
  store_id: 'aurora',
  territory: 'DE',
  use_type: 'subscription_stream',
  transaction_type: 'usage',
  usage_month: '2026-09',
  accounting_month: '2026-09',
  report_id: exampleIds.rpt,
  allocated: false,
  play_count: 1840,
  unit_rate: '0.0031250000',
  earnings: '5.750000',
  currency: 'EUR',
  source_currency: 'USD',
  source_amount: '6.2500000000',
  fx_rate: '0.9200000000',
  period_start: '2026-09-01',
  period_end: '2026-09-30',
};

const csvExample =
  csvLine(lineItemFields) + csvLine(lineItemFields.map((name) => lineItemExample[name]));

export const lineItemExamples = {
  listLineItems: { answer: examplePage(lineItemExample) },
  exportLineItems: { answer: lineItemExample },
  exportLineItemsCsv: { answer: csvExample },
} satisfies Readonly<Record<string, OperationExamples>>;
