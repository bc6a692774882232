/** The bank account and the tax profile of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { PayoutMethodBody } from './payout-method-schemas.ts';

/** The IBAN is the one that ISO 13616 shows for Germany; no account has it. */
const bankAccount = {
  type: 'bank_account',
  country: 'DE',
  currency: 'EUR',
  account_holder: 'Northern Lights ApS',
  iban: 'DE89 3704 0044 0532 0130 00',
} as const;

export const payoutMethodExample: Static<typeof PayoutMethodBody> = {
  id: exampleIds.pm,
  type: 'bank_account',
  country: 'DE',
  currency: 'EUR',
  last_four: '3000',
  status: 'active',
  usable_from: exampleTime(-17),
  requested_by: exampleIds.key,
  approved_by: null,
  created_at: exampleTime(-20),
  updated_at: exampleTime(-20),
};

export const payoutMethodExamples = {
  createPayoutMethod: { body: bankAccount, answer: payoutMethodExample },
  listPayoutMethods: { query: { status: 'active' }, answer: examplePage(payoutMethodExample) },
  getPayoutMethod: { answer: payoutMethodExample },
  approvePayoutMethod: { answer: { ...payoutMethodExample, approved_by: exampleIds.oac } },
} satisfies Readonly<Record<string, OperationExamples>>;
