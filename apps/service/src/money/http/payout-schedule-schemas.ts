/** The payout schedule on the wire (contract §4). */

import { Type } from 'typebox';
import {
  closed,
  keysAre,
  mayGrow,
  Nullable,
  OneOf,
  patterned,
  Timestamp,
} from '../../platform/http/schema.ts';
import { payoutModes } from '../domain/payout-settings.ts';

const modeDescription =
  '`manual`: you create payouts. `monthly`: on the first business day of each month at 12:00 UTC, a payout of the whole available balance is created for each currency that reaches the minimum.';

const currenciesMax = 200;

const minimum = Type.Record(
  Type.String({ pattern: '^[A-Z]{3}$' }),
  Type.String({
    ...patterned('^\\d{1,12}(?:\\.\\d{1,3})?$', 'a decimal such as "50.00"'),
    maxLength: 16,
  }),
  {
    ...closed,
    ...keysAre('an ISO 4217 code such as EUR'),
    maxProperties: currenciesMax,
    description:
      'The least amount of a payout, by currency. A currency that is missing has the usual minimum: 10 in most currencies, 1000 in those without decimals and 5 in those with three decimals. You cannot set less.',
    examples: [{ EUR: '50.00' }],
  },
);

export const PatchPayoutScheduleBody = Type.Object(
  {
    mode: Type.Optional(OneOf(payoutModes, { description: modeDescription })),
    minimum: Type.Optional(minimum),
  },
  { ...closed, title: 'UpdatePayoutSchedule', 'x-read-only': ['next_payout_at'] },
);

export const PayoutScheduleBody = Type.Object(
  {
    mode: OneOf(payoutModes, { description: `${modeDescription} ${mayGrow}` }),
    minimum,
    next_payout_at: Nullable(
      Timestamp(
        'When the next payouts are created. `null` in the mode `manual`.',
        '2026-12-01T12:00:00.000Z',
      ),
    ),
  },
  { ...closed, title: 'PayoutSchedule' },
);
