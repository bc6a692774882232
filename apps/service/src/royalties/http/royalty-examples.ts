/** The royalties of the story that examples tell (`kernel/example-story.ts`): those of the statement. */

import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const amounts = {
  play_count: 41_200,
  gross_amount: '151.117647',
  fee_amount: '22.667647',
  source_tax_amount: '0.000000',
  payee_tax_amount: '0.000000',
  tax_amount: '0.000000',
  net_amount: '128.450000',
  currency: 'EUR',
};

export const royaltyExamples = {
  listRoyalties: {
    query: { territory: 'DE' },
    answer: examplePage({
      id: exampleIds.roy,
      statement_id: exampleIds.stm,
      release_id: exampleIds.rel,
      track_id: exampleIds.trk,
      isrc: 'QZ-NLR-25-00004',
      store_id: 'aurora',
      territory: 'DE',
      period_start: '2026-09-01',
      period_end: '2026-09-30',
      ...amounts,
      created_at: exampleTime(-2, '10:00:00.000'),
    }),
  },
  listReportingStatus: {
    query: { store_id: 'aurora' },
    answer: examplePage({
      store_id: 'aurora',
      usage_month: '2026-09',
      state: 'reported',
      expected_by: '2026-11-14',
    }),
  },
  summarizeRoyalties: {
    query: { group_by: 'store,usage_month' },
    answer: examplePage({ store_id: 'aurora', usage_month: '2026-09', ...amounts }),
  },
} satisfies Readonly<Record<string, OperationExamples>>;
