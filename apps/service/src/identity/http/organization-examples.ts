/** The organization of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import { exampleIds, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { OrganizationBody } from './organization-schemas.ts';

const organizationExample: Static<typeof OrganizationBody> = {
  id: exampleIds.org,
  name: 'Northern Lights',
  tier: 'growth',
  environment: 'sandbox',
  default_label_id: exampleIds.lbl,
  default_label: 'Northern Lights',
  default_metadata_language: 'en',
  contacts: [{ type: 'technical', name: 'Mette Krogh', email: 'distribution@partner.example' }],
  licensed_territories: ['WORLD'],
  statement_currency: 'USD',
  verification: { status: 'verified', requirements: [] },
  suspended_at: null,
  created_at: exampleTime(-76, '08:00:00.000'),
  updated_at: exampleTime(-70, '08:00:00.000'),
};

/** An operator asks for a document. */
export const pendingOrganizationExample: Static<typeof OrganizationBody> = {
  ...organizationExample,
  verification: {
    status: 'pending',
    requirements: [
      {
        code: 'company_register',
        description: 'Send an extract of the company register that is not older than 3 months.',
      },
    ],
  },
  updated_at: exampleTime(-75, '08:00:00.000'),
};

const contacts = [
  { type: 'technical', name: 'Mette Krogh', email: 'distribution@partner.example' },
];

export const organizationExamples = {
  getOrganization: { answer: organizationExample },
  updateOrganization: {
    body: { default_metadata_language: 'en', contacts },
    answer: organizationExample,
  },
  listDeprecations: {
    answer: {
      data: [
        {
          feature: 'release_status_in_patch',
          description: 'Status submitted in PATCH /v1/releases/{release_id}.',
          successor: '/v1/releases/{release_id}/submit',
          deprecated_on: '2024-04-15',
          sunset_on: '2024-09-01',
          last_used_at: null,
          used_by: [],
        },
      ],
    },
  },
  setSandboxVerification: {
    body: {
      status: 'pending',
      requirements: pendingOrganizationExample.verification.requirements,
    },
    answer: pendingOrganizationExample,
  },
} satisfies Readonly<Record<string, OperationExamples>>;
