/** Payout methods on the wire (contract §4). */

import { Type } from 'typebox';
import { CurrencyCode } from '../../platform/http/amount-schemas.ts';
import {
  closed,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  patterned,
  secretField,
  Text,
  Timestamp,
  Verbatim,
} from '../../platform/http/schema.ts';
import { methodStatuses, methodTypes } from '../domain/payout-method.ts';

const nameMax = 140;
const codeMax = 50;
const walletAccountMax = 200;

export const CountryCode = (description: string) =>
  Type.String({ format: 'territory-code', description, examples: ['DE'] });

const country = CountryCode('The country of the bank or of the wallet, as an ISO 3166-1 code.');
const currency = CurrencyCode('The currency in which the payee receives money.');

/** Bank codes may be sent as they are printed, in groups. */
const code = (description: string) =>
  Verbatim(codeMax, {
    ...secretField,
    ...patterned('^[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){3,}$', 'letters, digits, spaces and hyphens'),
    description,
  });

/** Sealed, and never in an answer. */
const details = {
  account_holder: Text(nameMax, {
    ...secretField,
    description: 'The name of the account holder, as the bank knows it. For bank accounts.',
  }),
  iban: code('The IBAN, in countries that have IBANs.'),
  account_number: code('The account number, where there is no IBAN.'),
  routing_number: code('The ABA routing number of 9 digits. In the US, with `account_number`.'),
  sort_code: code('The sort code of 6 digits. In the UK, with `account_number`.'),
  bic: code('The BIC of the bank. In other countries, with `account_number`.'),
  provider: Text(nameMax, { ...secretField, description: 'The provider of the wallet.' }),
  account: Verbatim(walletAccountMax, {
    ...secretField,
    ...patterned('^\\S{4,}$', 'at least 4 characters without spaces'),
    description: 'The id of the wallet at its provider, such as an email address.',
  }),
};

const optional = Object.fromEntries(
  Object.entries(details).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof typeof details]: ReturnType<typeof Type.Optional<(typeof details)[Name]>> };

export const CreatePayoutMethodBody = Type.Object(
  {
    type: OneOf(methodTypes, {
      description:
        '`bank_account`: send `account_holder` and `iban`, or `account_number` with `routing_number`, `sort_code` or `bic`. `wallet`: send `provider` and `account`.',
    }),
    country,
    currency,
    ...optional,
  },
  {
    ...closed,
    title: 'CreatePayoutMethod',
    'x-read-only': [
      'id',
      'last_four',
      'status',
      'usable_from',
      'requested_by',
      'approved_by',
      'created_at',
      'updated_at',
    ],
  },
);

const statusDescription = `\`pending_approval\`: another credential must approve it. \`active\`: payouts can use it, from \`usable_from\` on. \`removed\`: it cannot be used any more. ${mayGrow}`;

const CredentialId = (description: string) =>
  Type.String({ description, examples: ['key_01m1e000z0eq5a45b7smtk282j'] });

export const PayoutMethodBody = Type.Object(
  {
    id: IdOf('pm'),
    type: OneOf(methodTypes, { description: `The kind of payout method. ${mayGrow}` }),
    country,
    currency,
    last_four: Type.String({
      description:
        'The last four characters of the IBAN, account number or wallet id. The rest is never shown.',
      examples: ['3000'],
    }),
    status: OneOf(methodStatuses, { title: 'PayoutMethodStatus', description: statusDescription }),
    usable_from: Nullable(
      Timestamp(
        'When payments can be sent to it: 72 hours after it became active. Payouts that you create before are on hold until then. `null`: it is not active yet.',
      ),
    ),
    requested_by: CredentialId('The id of the API key or OAuth client that created it.'),
    approved_by: Nullable(
      CredentialId(
        'The id of the API key or OAuth client that approved it. `null`: it was not approved, or did not have to be.',
      ),
    ),
    created_at: Timestamp('When the payout method was created.'),
    updated_at: Timestamp('When the payout method was last changed.'),
  },
  { ...closed, title: 'PayoutMethod' },
);

export const PayoutMethodPage = PageOf('PayoutMethodPage', PayoutMethodBody);

export const PayoutMethodListQuery = Type.Object(
  {
    status: Type.Optional(
      OneOf(methodStatuses, { description: 'Only payout methods with this status.' }),
    ),
    ...pageQuery,
  },
  closed,
);

export const PayoutMethodPath = Type.Object({ payout_method_id: IdOf('pm') });
