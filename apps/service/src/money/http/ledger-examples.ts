/** The balance of the story that examples tell (`kernel/example-story.ts`), with a hold and the adjustments of it. */

import type { Static } from 'typebox';
import { exampleDay, exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { AdjustmentBody, EarningHoldBody } from './ledger-schemas.ts';

export const heldEarningsExample: Static<typeof EarningHoldBody> = {
  id: exampleIds.hld,
  status: 'held',
  reason: 'artificial_streaming',
  amount: '12.300000',
  currency: 'EUR',
  store_id: 'aurora',
  isrc: 'QZ-NLR-25-00004',
  period_start: exampleDay(-75),
  period_end: exampleDay(-45),
  evidence: 'The store reported 41,000 plays by 12 listeners.',
  review_by: exampleDay(20),
  created_at: exampleTime(-3, '11:00:00.000'),
  updated_at: exampleTime(-3, '11:00:00.000'),
};

export const releasedEarningsExample: Static<typeof EarningHoldBody> = {
  ...heldEarningsExample,
  status: 'released',
  updated_at: exampleTime(-1, '15:00:00.000'),
};

export const forfeitedEarningsExample: Static<typeof EarningHoldBody> = {
  ...heldEarningsExample,
  status: 'forfeited',
  updated_at: exampleTime(-1, '15:00:00.000'),
};

export const adjustmentExample: Static<typeof AdjustmentBody> = {
  id: exampleIds.adj,
  type: 'correction',
  gross_amount: '160.000000',
  fee_amount: '24.000000',
  tax_amount: '0.000000',
  amount: '136.000000',
  currency: 'EUR',
  reason: 'The store corrected its report of the month before.',
  refers_to: exampleIds.hld,
  created_at: exampleTime(-3, '11:30:00.000'),
};

export const ledgerExamples = {
  getBalance: {
    answer: {
      data: [
        {
          currency: 'EUR',
          available: '123.700000',
          pending: '0.000000',
          reserved: '0.000000',
          held: '12.300000',
          minimum: '10.000000',
        },
      ],
    },
  },
  listAdjustments: { query: { currency: 'EUR' }, answer: examplePage(adjustmentExample) },
  listEarningHolds: { query: { status: 'held' }, answer: examplePage(heldEarningsExample) },
} satisfies Readonly<Record<string, OperationExamples>>;
