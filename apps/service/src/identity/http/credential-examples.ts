/** API keys and OAuth clients of the story that examples tell (`kernel/example-story.ts`). No secret here is a real one. */

import { exampleIds, examplePage, exampleTime } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';

const operator = { type: 'operator', id: 'support' };

const apiKeyExample = {
  id: exampleIds.key,
  name: 'Catalog sync',
  hint: '0000',
  scopes: ['releases:read', 'deliveries:read'],
  expires_at: exampleTime(365, '00:00:00.000'),
  revoked_at: null,
  last_used_at: null,
  created_at: exampleTime(-6, '13:00:00.000'),
  created_by: operator,
};

export const apiKeyExamples = {
  createApiKey: {
    body: {
      name: 'Catalog sync',
      scopes: ['releases:read', 'deliveries:read'],
      expires_at: exampleTime(365, '00:00:00.000'),
    },
    answer: { ...apiKeyExample, secret: 'ta_test_Example00000000000000000000000000000' },
  },
  listApiKeys: { answer: examplePage(apiKeyExample) },
  getApiKey: { answer: apiKeyExample },
} satisfies Readonly<Record<string, OperationExamples>>;

const clientSecretExample = 'ta_cs_Example000000000000000000000000000000';
const createdAt = exampleTime(-6, '13:00:00.000');

const oauthClientExample = {
  id: exampleIds.oac,
  name: 'Release importer',
  scopes: ['releases:read', 'releases:write'],
  secrets: [
    {
      id: exampleIds.ocs,
      hint: '0000',
      created_at: createdAt,
      last_used_at: null,
      expires_at: null,
    },
  ],
  created_at: createdAt,
  updated_at: createdAt,
};

const rotatedAt = exampleTime(-1, '13:00:00.000');

export const oauthExamples = {
  createOAuthClient: {
    body: { name: 'Release importer', scopes: ['releases:read', 'releases:write'] },
    answer: { ...oauthClientExample, secret: clientSecretExample },
  },
  listOAuthClients: { answer: examplePage(oauthClientExample) },
  getOAuthClient: { answer: oauthClientExample },
  /** The first secret works for one more day. */
  addOAuthSecret: {
    body: { grace_period_seconds: 86_400 },
    answer: {
      ...oauthClientExample,
      secrets: [
        {
          id: exampleIds.ocs,
          hint: '0000',
          created_at: createdAt,
          last_used_at: exampleTime(-2, '07:00:00.000'),
          expires_at: exampleTime(0, '13:00:00.000'),
        },
        {
          id: 'ocs_01m7d1mz80f3x9q2v7c4t6n8bk',
          hint: '0000',
          created_at: rotatedAt,
          last_used_at: null,
          expires_at: null,
        },
      ],
      updated_at: rotatedAt,
      secret: clientSecretExample,
    },
  },
  /** The client authenticates with HTTP Basic; a request that sends its secret in the form as well is refused. */
  createAccessToken: {
    body: { grant_type: 'client_credentials', scope: 'releases:read releases:write' },
    answer: {
      access_token: 'ta_at_Example000000000000000000000000000000',
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'releases:read releases:write',
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
