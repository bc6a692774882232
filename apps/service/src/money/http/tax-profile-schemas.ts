/** The tax profile on the wire (contract §4). */

import { Type } from 'typebox';
import {
  closed,
  DateText,
  mayGrow,
  Nullable,
  OneOf,
  patterned,
  secretField,
  Timestamp,
  Verbatim,
} from '../../platform/http/schema.ts';
import { taxForms, taxStatuses } from '../domain/tax-profile.ts';
import { CountryCode } from './payout-method-schemas.ts';

const tinMax = 30;

const residence = CountryCode('The country in which your organization is a tax resident.');
const formDescription =
  '`w9`: a person of the United States. `w8ben`: a person of another country. `w8bene`: a company of another country. `none`: your organization owes no form.';
const signedOn = 'The day on which the form was signed. `null` for the form `none`.';

export const PatchTaxProfileBody = Type.Object(
  {
    residence: Type.Optional(residence),
    form: Type.Optional(OneOf(taxForms, { description: formDescription })),
    tin: Type.Optional(
      Nullable(
        Verbatim(tinMax, {
          ...secretField,
          ...patterned(
            '^[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){3,}$',
            'letters, digits, spaces and hyphens',
          ),
          description:
            'The taxpayer identification number. It is stored encrypted; answers show its last four characters. `null` clears it.',
        }),
      ),
    ),
    signed_on: Type.Optional(Nullable(DateText(signedOn, '2026-11-02'))),
  },
  {
    ...closed,
    title: 'UpdateTaxProfile',
    'x-read-only': ['tin_last_four', 'expires_on', 'status', 'created_at', 'updated_at'],
  },
);

export const TaxProfileBody = Type.Object(
  {
    residence,
    form: OneOf(taxForms, { description: `${formDescription} ${mayGrow}` }),
    tin_last_four: Nullable(
      Type.String({
        description: 'The last four characters of the TIN. `null`: there is none.',
        examples: ['6789'],
      }),
    ),
    signed_on: Nullable(DateText(signedOn, '2026-11-02')),
    expires_on: Nullable(
      DateText(
        'The last day on which the form is valid: the last day of the third year after the year of the signature. `null`: it does not expire.',
        '2029-12-31',
      ),
    ),
    status: OneOf(taxStatuses, {
      description: `\`valid\`: payouts can be sent. \`expired\`: payouts get the hold \`tax_form_missing\` until you send a new form. ${mayGrow}`,
    }),
    created_at: Timestamp('When the tax profile was created.'),
    updated_at: Timestamp('When the tax profile was last changed.'),
  },
  { ...closed, title: 'TaxProfile' },
);
