/** GET /v1/organization/deprecations (contract §4, §10): which deprecated features an organization still uses. */

import { Type } from 'typebox';
import { deprecatedFeatures, type FeatureName, featureNames } from '../../kernel/deprecation.ts';
import { exampleIds } from '../../kernel/example-story.ts';
import type { Database } from '../../platform/db/database.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { CredentialType } from '../../platform/http/named-enums.ts';
import { read } from '../../platform/http/read.ts';
import { closed, DateText, IdOf, Nullable, RealTime } from '../../platform/http/schema.ts';
import { listUses, type RecordedUse } from '../store/deprecated-uses.ts';
import { organizationExamples } from './organization-examples.ts';

/** More credentials than an organization has. */
const usesMax = 1_000;

const UseBody = Type.Object(
  {
    type: CredentialType,
    id: Type.String({
      description: 'The id of the API key (`key_…`) or OAuth client (`oac_…`).',
      examples: [exampleIds.key],
    }),
    first_used_at: RealTime('When this credential first used the feature.'),
    last_used_at: RealTime('When this credential last used the feature, to the minute.'),
    last_request_id: IdOf('req'),
  },
  { ...closed, title: 'DeprecatedUse' },
);

const DeprecationBody = Type.Object(
  {
    feature: Type.String({
      description: 'The stable identifier of the feature.',
      examples: ['release_status_in_patch'],
    }),
    description: Type.String({ description: 'What is deprecated, for people.' }),
    successor: Type.String({ description: 'The path to use instead.' }),
    deprecated_on: DateText(
      'The day of the entry in the changelog that announced it.',
      '2024-04-15',
    ),
    sunset_on: DateText(
      'The day on which the feature stops working. It works until then.',
      '2024-09-01',
    ),
    last_used_at: Nullable(
      RealTime('When your organization last used the feature. `null`: it never did.'),
    ),
    used_by: Type.Array(UseBody, {
      description: 'The credentials that used the feature, the latest use first.',
    }),
  },
  { ...closed, title: 'Deprecation' },
);

const DeprecationList = Type.Object(
  {
    data: Type.Array(DeprecationBody, { description: 'Every deprecated feature of the API.' }),
  },
  { ...closed, title: 'DeprecationList' },
);

export function deprecationRoutes(server: Server, db: Database): void {
  read(
    server,
    db,
    {
      id: 'listDeprecations',
      tag: 'Organization',
      summary: 'List deprecated features and their use',
      description:
        'Returns every deprecated feature of the API, with the credentials of yours that used it and when they last did. If `last_used_at` is `null`, you have nothing to change.',
      method: 'GET',
      path: '/v1/organization/deprecations',
      scope: 'organization:read',
      answers: { 200: DeprecationList },
      examples: organizationExamples.listDeprecations,
      problems: [],
    },
    async (ask, { caller }) => {
      const uses = await ask((tenant) => listUses(tenant, caller.orgId, usesMax));
      return ok({ data: featureNames.map((name) => present(name, uses)) });
    },
  );
}

function present(name: FeatureName, uses: readonly RecordedUse[]) {
  const feature = deprecatedFeatures[name];
  const usedBy = uses.filter((use) => use.feature === name);
  return {
    feature: name,
    description: feature.description,
    successor: feature.successor,
    deprecated_on: feature.deprecatedOn,
    sunset_on: feature.sunsetOn,
    last_used_at: usedBy[0]?.lastUsedAt.toISOString() ?? null,
    used_by: usedBy.map(({ actor, firstUsedAt, lastUsedAt, lastRequestId }) => ({
      ...actor,
      first_used_at: firstUsedAt.toISOString(),
      last_used_at: lastUsedAt.toISOString(),
      last_request_id: lastRequestId,
    })),
  };
}
