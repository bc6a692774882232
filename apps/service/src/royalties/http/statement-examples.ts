/** The statement of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
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

export const statementExamples = {
  listStatements: {
    query: { status: 'published' },
    answer: examplePage(publishedStatementExample),
  },
  getStatement: {
    answer: {
      ...publishedStatementExample,
      document: {
        sha256: 'd4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35',
        size_bytes: 21_926,
        page_count: 3,
        url: 'https://storage.tonearm.example/statements/statement.pdf?X-Amz-Signature=…',
        expires_at: exampleTime(0, '10:30:00.000'),
      },
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
