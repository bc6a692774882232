/** The tax profile and the payout schedule of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleDay, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { PayoutScheduleBody } from './payout-schedule-schemas.ts';
import type { TaxProfileBody } from './tax-profile-schemas.ts';

const taxProfileExample: Static<typeof TaxProfileBody> = {
  residence: 'DK',
  form: 'w8bene',
  tin_last_four: '5678',
  signed_on: exampleDay(-20),
  expires_on: '2029-12-31',
  status: 'valid',
  created_at: exampleTime(-20),
  updated_at: exampleTime(-20),
};

const scheduleExample: Static<typeof PayoutScheduleBody> = {
  mode: 'monthly',
  minimum: { EUR: '50.00' },
  next_payout_at: '2026-12-01T12:00:00.000Z',
};

export const payoutSettingExamples = {
  getTaxProfile: { answer: taxProfileExample },
  updateTaxProfile: {
    body: { residence: 'DK', form: 'w8bene', tin: '12 34 56 78', signed_on: exampleDay(-20) },
    answer: taxProfileExample,
  },
  getPayoutSchedule: { answer: scheduleExample },
  updatePayoutSchedule: {
    body: { mode: 'monthly', minimum: { EUR: '50.00' } },
    answer: scheduleExample,
  },
} satisfies Readonly<Record<string, OperationExamples>>;
