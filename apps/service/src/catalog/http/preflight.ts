/** Preflight over HTTP (contract §4): validate a release, apply fixes. */

import { Type } from 'typebox';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { AppliesTo, closed, IdOf, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import { applyFixes, type PlannedFixes, planFixes } from '../commands/apply-fixes.ts';
import { findPreflightInput } from '../commands/find-preflight-input.ts';
import { buildReportJson } from '../commands/run-preflight.ts';
import { preventedCodes } from '../domain/preflight/rule.ts';
import { presentRelease } from '../domain/present-release.ts';
import { releaseNotFound } from '../domain/release.ts';
import { preflightExamples } from './preflight-examples.ts';
import { RuleUnit } from './preflight-rules.ts';
import { EmptyBody, ReleaseBody, ReleasePath } from './release-schemas.ts';
import { releaseIdOf } from './releases.ts';

const tag = 'Preflight';
const findingIdMax = 200;
const findingsPerRequestMax = 100;

const FindingValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const FindingBody = Type.Object(
  {
    id: Type.String({
      description: 'The id of the finding. It stays the same as long as the finding exists.',
    }),
    rule: Type.String({
      description: 'The id of the rule. `GET /v1/preflight_rules` lists the rules.',
      examples: ['artwork_size'],
    }),
    severity: OneOf(['error', 'warning'], {
      description:
        '`error`: the store would reject the release. `warning`: you can submit it, but should check it.',
    }),
    applies_to: AppliesTo,
    pointer: Type.String({
      description: 'A JSON pointer into the release; its tracks are ordered by disc and position.',
      examples: ['/tracks/0/title'],
    }),
    message: Type.String({ description: 'What is wrong and what to do.' }),
    measured: { ...FindingValue, description: 'The value that was found.' },
    limit: { ...FindingValue, description: 'The value that the rule allows.' },
    unit: RuleUnit,
    source: Type.String({
      description: 'What the rule is based on.',
      examples: ["Modeled on a major streaming store's FAQ for partners."],
    }),
    prevents: OneOf(preventedCodes, {
      description: 'The `rejection_code` that a store would answer.',
    }),
    patch: Nullable(
      Type.Array(
        Type.Object(
          {
            op: Type.Literal('replace', { description: 'The operation, always `replace`.' }),
            path: Type.String({
              description: 'A JSON pointer into the release, to the value to replace.',
            }),
            value: Type.Unknown({ description: 'The value to write there.' }),
          },
          { ...closed, title: 'JsonPatchOperation' },
        ),
        {
          description:
            'A JSON Patch (RFC 6902) that corrects the finding. Apply it with `POST /v1/releases/{release_id}/fixes`. `null`: you must correct it yourself.',
        },
      ),
    ),
  },
  { ...closed, title: 'PreflightFinding' },
);

const ReportBody = Type.Object(
  {
    release_id: IdOf('rel'),
    revision: Type.Integer({ description: 'The revision of the release that was checked.' }),
    rules_version: Type.String({ description: 'The version of the rules.' }),
    findings: Type.Array(FindingBody, { description: 'The findings, errors first.' }),
    stores: Type.Array(
      Type.Object(
        {
          store_id: Type.String({ description: 'The `store_id` of a store.' }),
          errors: Type.Integer({ description: 'How many errors concern this store.' }),
          warnings: Type.Integer({ description: 'How many warnings concern this store.' }),
          latest_safe_submit_at: Timestamp(
            'If you submit the release by this time, it is available on its `release_date`.',
          ),
        },
        { ...closed, title: 'StoreReadiness' },
      ),
      {
        description:
          'Every store, with how many findings concern it and when to submit at the latest.',
      },
    ),
  },
  { ...closed, title: 'PreflightReport' },
);

const FixesBody = Type.Object(
  {
    finding_ids: Type.Array(Type.String({ minLength: 1, maxLength: findingIdMax }), {
      minItems: 1,
      maxItems: findingsPerRequestMax,
      description: `The ids of the findings to correct, from 1 to ${findingsPerRequestMax}. Each must be a finding of the release with a \`patch\`.`,
    }),
  },
  { ...closed, title: 'ApplyFixes' },
);

export function preflightRoutes(server: Server, deps: MutationDeps): void {
  validateRoute(server, deps);
  fixesRoute(server, deps);
}

function validateRoute(server: Server, { db }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'validateRelease',
      effect: 'reads',
      tag,
      summary: 'Validate a release',
      description:
        'Reports what stores would refuse the release for. Its tracks are also compared with those of your other releases, because one ISRC identifies one recording. Validating changes nothing, and you can repeat it. Correct the findings, or apply the fixes that they offer, then submit the release.',
      method: 'POST',
      path: '/v1/releases/:release_id/validate',
      scope: 'releases:read',
      alsoNeeds: ['tracks:read'],
      params: ReleasePath,
      body: EmptyBody,
      answers: { 200: ReportBody },
      examples: preflightExamples.validateRelease,
      problems: ['resource_not_found'],
    },
    async (_ask, { caller: { orgId, actor }, params }) => {
      const id = releaseIdOf(params);
      const input = await db.transact({ orgId, actor }, (tx) => findPreflightInput(tx, id));
      if (input === undefined) throw releaseNotFound();
      // After the transaction, because preflight of a large release takes hundreds of milliseconds.
      const body = await buildReportJson(orgId, input);
      return { status: 200, headers: {}, body };
    },
  );
}

function fixesRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'applyFixes',
      action: 'release.fix',
      effect: 'withdraws',
      tag,
      summary: 'Apply fixes',
      description:
        'Applies the patches that these findings offer, as one new revision, and returns the release.',
      method: 'POST',
      path: '/v1/releases/:release_id/fixes',
      scope: 'releases:write',
      alsoNeeds: ['tracks:write'],
      params: ReleasePath,
      body: FixesBody,
      answers: { 200: ReleaseBody },
      examples: preflightExamples.applyFixes,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }, planned: PlannedFixes | undefined) => {
      const id = releaseIdOf(params);
      return changedResource(await applyFixes(tx, id, planned), presentRelease);
    },
    {
      prepare: ({ params, body, caller: { orgId, actor } }) =>
        planFixes(deps.db, {
          id: releaseIdOf(params),
          findingIds: body.finding_ids,
          orgId,
          actor,
        }),
    },
  );
}
