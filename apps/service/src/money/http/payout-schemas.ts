/** Payouts on the wire (contract §2, §4). */

import { Type } from 'typebox';
import { CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  DateText,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
  Reference,
  Timestamp,
} from '../../platform/http/schema.ts';
import { methodTypes } from '../domain/payout-method.ts';
import { holdReasons, payoutStatuses } from '../domain/payout.ts';

/** With the decimals of its currency. */
const MinorAmount = (description: string, example = '120.50') =>
  Type.String({ description, pattern: '^\\d{1,22}(\\.\\d{2,3})?$', examples: [example] });

const readOnlyFields = [
  'id',
  'status',
  'fee_amount',
  'fee_bearer',
  'fx_rate',
  'destination_amount',
  'destination',
  'holds',
  'statement_ids',
  'failure_code',
  'arrives_on',
  'created_at',
  'updated_at',
];

export const CreatePayoutBody = Type.Object(
  {
    amount: Type.String({
      description:
        'How much to pay out, as a decimal with at most the decimals of the currency. At least the minimum and at most the available balance, which `GET /v1/balance` shows.',
      ...patterned(
        '^(0|[1-9]\\d{0,21})(\\.\\d{1,6})?$',
        'a decimal without a sign, such as "120.50"',
      ),
      examples: ['120.50'],
    }),
    currency: CurrencyCode('The currency of the balance that is paid out, as an ISO 4217 code.'),
    payout_method_id: Type.Optional(
      Reference(
        'pm',
        'The payout method that receives the money. If you omit it, the newest active one in this currency; if there is none, the newest active one.',
      ),
    ),
    retry_of: Type.Optional(
      Reference(
        'pay',
        'The payout that this one retries. It must be `failed`, `returned` or `canceled`, and each payout can be retried once.',
      ),
    ),
  },
  { ...closed, title: 'CreatePayout', 'x-read-only': readOnlyFields },
);

const Requirement = Type.Object(
  {
    code: Type.String({
      description: `The stable identifier of the requirement. ${mayGrow}`,
      examples: ['update_tax_form'],
    }),
    description: Type.String({
      description: 'A sentence for people: what to do.',
      examples: ['Your tax form has expired. Send a new one with PATCH /v1/tax_profile.'],
    }),
  },
  { ...closed, description: 'One thing to do.' },
);

const Hold = Type.Object(
  {
    reason: OneOf(holdReasons, {
      description: `Why the payout waits: \`identity_verification\` (your organization is not verified), \`tax_form_missing\` (your tax form is missing or has expired), \`payout_method_changed\` (the payout method is less than 72 hours old, or was removed), \`compliance_review\` (we review the payout) or \`manual\` (an operator opened it). ${mayGrow}`,
    }),
    since: Timestamp('When the hold was opened.'),
    requirements: Type.Array(Requirement, {
      description: 'What you can do about it. Empty if there is nothing to do but to wait.',
    }),
    due_by: Nullable(
      Timestamp('When the hold ends by itself, or by when you must meet the requirements.'),
    ),
  },
  { ...closed, title: 'PayoutHold', description: 'A hold that is open.' },
);

const Destination = Type.Object(
  {
    payout_method_id: IdOf('pm'),
    type: OneOf(methodTypes, { description: `The kind of payout method. ${mayGrow}` }),
    country: Type.String({
      description: 'The country of the account, as an ISO 3166-1 alpha-2 code.',
      examples: ['DE'],
    }),
    currency: CurrencyCode('The currency of the account.'),
    last_four: Type.String({
      description: 'The last characters of the account number.',
      examples: ['3000'],
    }),
  },
  {
    ...closed,
    title: 'PayoutDestination',
    description: 'The payout method as it was when the payout was created.',
  },
);

const status = OneOf(payoutStatuses, {
  description: `Where the payout stands: \`pending\` (it is sent at the next cut-off, 12:00 UTC on business days), \`on_hold\` (see \`holds\`), \`processing\`, \`in_transit\`, \`paid\`, \`failed\`, \`returned\` or \`canceled\`. The last three are final. ${mayGrow}`,
});

export const PayoutBody = Type.Object(
  {
    id: IdOf('pay'),
    status,
    amount: MinorAmount('The amount that leaves your balance, in the decimals of `currency`.'),
    currency: CurrencyCode('The currency of `amount` and `fee_amount`.'),
    fee_amount: MinorAmount('The fee of the payout, in `currency`.', '0.00'),
    fee_bearer: OneOf(['payee', 'house'] as const, {
      description: `Who bears the fee. \`payee\`: it is taken out of \`amount\`. \`house\`: we bear it. ${mayGrow}`,
    }),
    fx_rate: Nullable(
      Type.String({
        description:
          'How many units of `destination.currency` one unit of `currency` is worth, with ten decimals. `null`: the currencies are the same.',
        examples: ['1.0850000000'],
      }),
    ),
    destination_amount: MinorAmount('What arrives, in `destination.currency`.'),
    destination: Destination,
    holds: Type.Array(Hold, {
      description: 'The open holds, oldest first. Nothing is sent while one is open.',
    }),
    retry_of: Nullable(IdOf('pay')),
    statement_ids: Type.Array(Type.String({ description: 'The id of a statement.' }), {
      description: 'The statements whose earnings the payout draws on, oldest first.',
    }),
    failure_code: Nullable(
      Type.String({
        description:
          'Why the payout failed or came back, as the bank says it. `null`: it did neither.',
        examples: [null],
      }),
    ),
    arrives_on: Nullable(
      DateText('The day on which the money is expected to arrive. `null` until it is known.'),
    ),
    created_at: Timestamp('When the payout was created.'),
    updated_at: Timestamp('When the payout last changed.'),
  },
  { ...closed, title: 'Payout' },
);

export const PayoutPage = PageOf('PayoutPage', PayoutBody);

export const PayoutListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(payoutStatuses, { description: 'Only payouts with this status.' })),
    currency: Type.Optional(CurrencyCode('Only payouts in this currency.')),
    ...pageQuery,
  },
  closed,
);

export const PayoutPath = Type.Object({ payout_id: IdOf('pay') });

export const TransitionList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          number: Type.Integer({
            description: 'Counts the changes of the payout, from 1 without a gap.',
            examples: [1],
          }),
          from: Nullable(
            OneOf(payoutStatuses, {
              description: `The status before. \`null\`: the payout was created. ${mayGrow}`,
            }),
          ),
          to: OneOf(payoutStatuses, { description: `The status since. ${mayGrow}` }),
          cause: Type.String({
            description: `Why the status changed: \`created\`, \`hold_opened\`, \`holds_released\`, \`hold_rejected\`, \`canceled\`, \`expired\`, \`cut_off\`, \`rail_accepted\`, \`rail_refused\`, \`rail_confirmed\` or \`rail_bounced\`. ${mayGrow}`,
            examples: ['created'],
          }),
          at: Timestamp('When the status changed.'),
        },
        { ...closed, title: 'PayoutTransition' },
      ),
      { description: 'Every change of the status, the first one first.' },
    ),
  },
  { ...closed, title: 'PayoutTransitionList' },
);
