/** Balances, adjustments and earning holds on the wire. */

import { Type } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import { Amount, CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  DateText,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Timestamp,
} from '../../platform/http/schema.ts';
import { adjustmentTypes } from '../domain/adjustment.ts';
import { earningHoldReasons, earningHoldStatuses } from '../domain/earning-hold.ts';

const currency = CurrencyCode('The ISO 4217 code of the currency of the amounts.');

const CurrencyBalance = Type.Object(
  {
    currency,
    available: Amount(
      'What you can be paid now. It is negative if penalties and other adjustments exceed your earnings; later earnings then reduce the debt first.',
    ),
    pending: Amount(
      'The net amount of royalty runs that are approved and not closed yet. It becomes available when they are closed.',
      '0.000000',
    ),
    reserved: Amount('The amount of your payouts that have not left yet.', '250.000000'),
    held: Amount(
      'Disputed earnings, which are not payable for now. `GET /v1/earning_holds` lists them.',
      '12.300000',
    ),
    minimum: Amount('The smallest amount of a payout in this currency.', '10.000000'),
  },
  { ...closed, title: 'CurrencyBalance' },
);

export const BalanceBody = Type.Object(
  {
    data: Type.Array(CurrencyBalance, {
      description:
        'One entry for each currency in which your organization has ever had money, in the order of their codes.',
    }),
  },
  { ...closed, title: 'Balance' },
);

const adjustmentType = OneOf(adjustmentTypes, {
  description: `Why the balance was adjusted: \`penalty\` (a store fined you, or held earnings were forfeited), \`return\`, \`chargeback\`, \`correction\` (of an earlier statement), \`non_track_income\` (income that belongs to no track), \`tax\` (for example a refund after a late tax form) or \`manual\`. ${mayGrow}`,
  examples: ['correction'],
});

export const AdjustmentBody = Type.Object(
  {
    id: IdOf('adj'),
    type: adjustmentType,
    gross_amount: Amount('The amount before the fee and the tax.', '20.000000'),
    fee_amount: Amount('Our fee on the gross amount. Negative: a fee that you get back.'),
    tax_amount: Amount('The tax on the gross amount. Negative: a tax that you get back.'),
    amount: Amount(
      'What the adjustment adds to your balance: `gross_amount` less `fee_amount` and `tax_amount`. Negative: what it takes from your balance.',
      '17.000000',
    ),
    currency,
    reason: Type.String({
      description: 'A sentence for people: why the balance was adjusted.',
      examples: ['The store reported March twice.'],
    }),
    refers_to: Nullable(
      Type.String({
        description:
          'The id of what it corrects: a statement (`stm_…`), an earning hold (`hld_…`), a payout (`pay_…`) or another adjustment (`adj_…`). `null`: nothing in particular.',
        examples: [exampleIds.hld],
      }),
    ),
    created_at: Timestamp('When the adjustment was made. It never changes.'),
  },
  { ...closed, title: 'Adjustment' },
);

export const AdjustmentPage = PageOf('AdjustmentPage', AdjustmentBody);

const currencyFilter = Type.Optional(
  CurrencyCode('Only those in this currency, by its ISO 4217 code.'),
);

export const AdjustmentListQuery = Type.Object(
  {
    currency: currencyFilter,
    statement_id: Type.Optional(IdOf('stm')),
    type: Type.Optional(OneOf(adjustmentTypes, { description: 'Only adjustments of this type.' })),
    ...pageQuery,
  },
  closed,
);

export const EarningHoldBody = Type.Object(
  {
    id: IdOf('hld'),
    status: OneOf(earningHoldStatuses, {
      description: `\`held\`: the earnings are not payable for now. \`released\`: they are payable again. \`forfeited\`: the store took them back, and an adjustment of type \`penalty\` refers to the hold. ${mayGrow}`,
    }),
    reason: OneOf(earningHoldReasons, {
      description: `Why the earnings are held: \`artificial_streaming\` (the store doubts that people listened), \`rights_conflict\` (someone else claims the recording), \`store_dispute\` (the store disputes what it reported or paid less) or \`manual\` (we examine them). ${mayGrow}`,
    }),
    amount: Amount('The held amount. The rest of your balance stays payable.', '12.300000'),
    currency,
    store_id: Nullable(
      Type.String({
        description: 'The `store_id` of the store that reported the earnings.',
        examples: ['aurora'],
      }),
    ),
    isrc: Nullable(
      Type.String({
        description: 'The ISRC of the recording, with hyphens.',
        pattern: '^[A-Z]{2}-[A-Z0-9]{3}-\\d{2}-\\d{5}$',
        examples: ['QZ-NLR-26-00001'],
      }),
    ),
    period_start: Nullable(DateText('The first day of the usage.', '2026-09-01')),
    period_end: Nullable(DateText('The last day of the usage.', '2026-09-30')),
    evidence: Nullable(
      Type.String({ description: 'What the store or we know about it, for people.' }),
    ),
    review_by: Nullable(
      DateText('The day by which the hold is reviewed. `null`: no day is fixed.', '2026-12-15'),
    ),
    created_at: Timestamp('When the earnings were held.'),
    updated_at: Timestamp('When the hold was last changed.'),
  },
  { ...closed, title: 'EarningHold' },
);

export const EarningHoldPage = PageOf('EarningHoldPage', EarningHoldBody);

export const EarningHoldListQuery = Type.Object(
  {
    currency: currencyFilter,
    status: Type.Optional(
      OneOf(earningHoldStatuses, { description: 'Only holds with this status.' }),
    ),
    ...pageQuery,
  },
  closed,
);
