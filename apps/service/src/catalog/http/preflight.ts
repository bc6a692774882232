/** Preflight over HTTP (contract §4): validate a release, apply fixes. */

import { Type } from 'typebox';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { AppliesTo, closed, IdOf, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import { applyFixes, type PlannedFixes, planFixes } from '../commands/apply-fixes.ts';
import { findPreflightInput } from '../commands/find-preflight-input.ts';
import { buildReportJson } from '../commands/run-preflight.ts';
import { presentRelease } from '../domain/present-release.ts';
import { releaseNotFound } from '../domain/release.ts';
import { RuleUnit } from './preflight-rules.ts';
import { NoBody, ReleaseBody, ReleasePath } from './release-schemas.ts';
import { releaseIdOf } from './releases.ts';

const tag = 'Preflight';
const findingIdMax = 200;
const findingsPerRequestMax = 100;

const FindingValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const FindingBody = Type.Object(
  {
    id: Type.String({ description: 'Stays the same as long as the finding does.' }),
    rule: Type.String({ examples: ['artwork_size'] }),
    severity: OneOf(['error', 'warning'], { description: 'An error blocks, a warning informs.' }),
    applies_to: AppliesTo,
    pointer: Type.String({
      description: 'JSON pointer into the release, with its tracks by disc and position.',
      examples: ['/tracks/0/title'],
    }),
    message: Type.String(),
    measured: FindingValue,
    limit: FindingValue,
    unit: RuleUnit,
    source: Type.String({
      description: 'Whose rule it follows.',
      examples: ['modelled on Apple partner FAQ'],
    }),
    prevents: Type.String({ description: 'The rejection_code a store would answer.' }),
    patch: Nullable(
      Type.Array(
        Type.Object(
          { op: Type.Literal('replace'), path: Type.String(), value: Type.Unknown() },
          { ...closed, title: 'PatchOperation' },
        ),
        { description: 'RFC 6902; apply it with POST …/fixes.' },
      ),
    ),
  },
  { ...closed, title: 'Finding' },
);

const ReportBody = Type.Object(
  {
    release_id: IdOf('rel'),
    revision: Type.Integer(),
    rules_version: Type.String(),
    findings: Type.Array(FindingBody),
    stores: Type.Array(
      Type.Object(
        {
          store_id: Type.String(),
          errors: Type.Integer(),
          warnings: Type.Integer(),
          latest_safe_submit_at: Timestamp('Submitted by then, it is out on its release_date.'),
        },
        { ...closed, title: 'StoreReadiness' },
      ),
    ),
  },
  { ...closed, title: 'PreflightReport' },
);

const FixesBody = Type.Object(
  {
    finding_ids: Type.Array(Type.String({ minLength: 1, maxLength: findingIdMax }), {
      minItems: 1,
      maxItems: findingsPerRequestMax,
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
      tag,
      summary: 'Validate a release',
      description:
        'What stores would refuse the release for, before you submit it. Its tracks are also compared with those of your other releases: one ISRC is one recording. Free, repeatable, and changes nothing.',
      method: 'POST',
      path: '/v1/releases/:release_id/validate',
      scope: 'releases:read',
      alsoNeeds: ['tracks:read'],
      params: ReleasePath,
      body: NoBody,
      answers: { 200: ReportBody },
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
      tag,
      summary: 'Apply fixes',
      description: 'Applies the patches offered for these findings as one new revision.',
      method: 'POST',
      path: '/v1/releases/:release_id/fixes',
      scope: 'releases:write',
      alsoNeeds: ['tracks:write'],
      params: ReleasePath,
      body: FixesBody,
      answers: { 200: ReleaseBody },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }, planned: PlannedFixes | undefined) => {
      const id = releaseIdOf(params);
      const release = await applyFixes(tx, id, planned);
      return { answer: resource(presentRelease(release)), auditedId: id };
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
