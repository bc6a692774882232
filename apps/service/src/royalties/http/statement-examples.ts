/** The statement of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, exampleTime } from '../../kernel/example-story.ts';
import type { StatementBody } from './statement-schemas.ts';

export const publishedStatementExample: Static<typeof StatementBody> = {
  id: exampleIds.stm,
  period_start: '2026-10-01',
  period_end: '2026-10-31',
  status: 'published',
  currency: 'EUR',
  opening_balance: '250.000000',
  gross_amount: '151.117647',
  fee_amount: '22.667647',
  source_tax_amount: '0.000000',
  payee_tax_amount: '0.000000',
  tax_amount: '0.000000',
  adjustment_amount: '0.000000',
  net_amount: '128.450000',
  payout_amount: '250.000000',
  closing_balance: '128.450000',
  available_amount: '128.450000',
  reserved_amount: '0.000000',
  held_amount: '0.000000',
  line_item_count: 1204,
  published_at: exampleTime(-2, '10:00:00.000'),
};
