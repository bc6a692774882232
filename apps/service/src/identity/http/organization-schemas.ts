/** The organization on the wire (contract §4). */

import { Type } from 'typebox';
import { environments } from '../../kernel/environment.ts';
import { TierName } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  Reference,
  Text,
  RealTime,
  patterned,
} from '../../platform/http/schema.ts';
import { contactsMax, contactTypes } from '../domain/organization-details.ts';
import {
  requirementCodePattern,
  requirementDescriptionMax,
  requirementsMax,
  verificationStatuses,
} from '../domain/verification.ts';

const contactNameMax = 200;
const emailMax = 254;
const languageMax = 35;

const type = OneOf(contactTypes, { description: 'What we write to this contact about.' });

const email = Type.String({
  format: 'email',
  maxLength: emailMax,
  description: 'The email address of the contact.',
  examples: ['distribution@partner.example'],
});

const contactName = Text(contactNameMax, {
  description: 'The name of the contact.',
  examples: ['Mette Krogh'],
});

const ContactRequest = Type.Object(
  { type, name: Type.Optional(Nullable(contactName)), email },
  { ...closed, title: 'ContactInput' },
);

const Contact = Type.Object(
  { type, name: Nullable(contactName), email },
  { ...closed, title: 'Contact' },
);

const metadataLanguage = Type.String({
  format: 'language',
  maxLength: languageMax,
  description:
    'The BCP 47 language tag of `metadata_language` of releases that are created without it.',
  examples: ['en', 'pt-BR'],
});

const Requirement = Type.Object(
  {
    code: Type.String({
      ...patterned(
        requirementCodePattern,
        'up to 64 lowercase letters, digits and underscores, beginning with a letter,',
      ),
      description: 'A stable code of what is missing.',
      examples: ['company_register'],
    }),
    description: Text(requirementDescriptionMax, {
      description: 'What to send or do, for people.',
      examples: ['Send an extract of the company register that is not older than 3 months.'],
    }),
  },
  { ...closed, title: 'VerificationRequirement' },
);

export const requirementList = Type.Array(Requirement, {
  maxItems: requirementsMax,
  description: 'What you must still send or do.',
});

export const verificationStatus = OneOf(verificationStatuses, {
  description:
    'The status of the verification. Unless it is `verified`, deliveries wait: their stores are `pending` with `waiting_for` `verification`. Takedowns do not wait.',
});

const Verification = Type.Object(
  { status: verificationStatus, requirements: requirementList },
  { ...closed, title: 'Verification' },
);

export const OrganizationBody = Type.Object(
  {
    id: IdOf('org'),
    name: Type.String({
      description: 'The name of your organization.',
      examples: ['Northern Lights'],
    }),
    tier: TierName,
    environment: OneOf(environments, { description: 'The environment of this API.' }),
    default_label_id: IdOf('lbl'),
    default_label: Type.String({ description: 'The name of the default label.' }),
    default_metadata_language: metadataLanguage,
    contacts: Type.Array(Contact, { description: 'The contacts of your organization.' }),
    licensed_territories: Type.Array(Type.String(), {
      description: 'The territories that you are licensed for; `WORLD` alone for all.',
      examples: [['WORLD']],
    }),
    statement_currency: Type.String({
      description:
        'The currency of your statements, an ISO 4217 code. We set it with you; a change applies to later statements, and balances stay in their currency.',
      examples: ['USD'],
    }),
    verification: Verification,
    suspended_at: Nullable(
      RealTime(
        'Since when your organization is suspended: it can read, but change nothing. `null`: it is not suspended.',
      ),
    ),
    created_at: RealTime('When the organization was created.'),
    updated_at: RealTime('When the organization was last changed.'),
  },
  { ...closed, title: 'Organization' },
);

export const PatchOrganizationBody = Type.Object(
  {
    default_label_id: Type.Optional(
      Reference('lbl', 'The id of the label of releases that are created without one.'),
    ),
    default_metadata_language: Type.Optional(metadataLanguage),
    contacts: Type.Optional(
      Type.Array(ContactRequest, {
        maxItems: contactsMax,
        description: 'The contacts of your organization. Replaces the whole list.',
      }),
    ),
  },
  {
    ...closed,
    title: 'UpdateOrganization',
    'x-read-only': [
      'id',
      'name',
      'tier',
      'environment',
      'default_label',
      'licensed_territories',
      'statement_currency',
      'verification',
      'suspended_at',
      'created_at',
      'updated_at',
    ],
  },
);
