/** The payout of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { PayoutBody } from './payout-schemas.ts';

const createdAt = exampleTime(-1, '09:00:00.000');

const pendingPayoutExample: Static<typeof PayoutBody> = {
  id: exampleIds.pay,
  status: 'pending',
  amount: '120.50',
  currency: 'EUR',
  fee_amount: '0.00',
  fee_bearer: 'house',
  fx_rate: null,
  destination_amount: '120.50',
  destination: {
    payout_method_id: exampleIds.pm,
    type: 'bank_account',
    country: 'DE',
    currency: 'EUR',
    last_four: '3000',
  },
  holds: [],
  retry_of: null,
  statement_ids: [],
  failure_code: null,
  arrives_on: null,
  created_at: createdAt,
  updated_at: createdAt,
};

/** The account was added the day before. */
export const heldPayoutExample: Static<typeof PayoutBody> = {
  ...pendingPayoutExample,
  status: 'on_hold',
  holds: [
    {
      reason: 'payout_method_changed',
      since: createdAt,
      requirements: [
        {
          code: 'wait_for_payout_method',
          description:
            'The payout method was added less than 72 hours ago. The hold ends by itself at due_by. If your organization did not add the method, cancel the payout and contact support.',
        },
      ],
      due_by: exampleTime(1, '10:00:00.000'),
    },
  ],
};

export const payoutExamples = {
  createPayout: {
    body: { amount: '120.50', currency: 'EUR', payout_method_id: exampleIds.pm },
    answer: heldPayoutExample,
  },
  listPayouts: { query: { status: 'on_hold' }, answer: examplePage(heldPayoutExample) },
  getPayout: { answer: heldPayoutExample },
  cancelPayout: {
    answer: {
      ...pendingPayoutExample,
      status: 'canceled',
      updated_at: exampleTime(-1, '11:00:00.000'),
    },
  },
  listPayoutTransitions: {
    answer: {
      data: [
        { number: 1, from: null, to: 'pending', cause: 'created', at: createdAt },
        { number: 2, from: 'pending', to: 'on_hold', cause: 'hold_opened', at: createdAt },
      ],
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
