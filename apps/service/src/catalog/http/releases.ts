import { findBusinessTime } from '../../identity/face.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { created, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { DeprecatedUse } from '../../platform/http/deprecation.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { changedResource, removedResource } from '../../platform/http/mutation-result.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { createRelease } from '../commands/create-release.ts';
import { deleteRelease } from '../commands/delete-release.ts';
import { editRelease } from '../commands/edit-release.ts';
import { presentRelease } from '../domain/present-release.ts';
import { type Release, releaseNotFound } from '../domain/release.ts';
import { refuseRemovedStatus } from '../domain/status-sunset.ts';
import { findRelease, listReleases } from '../store/releases.ts';
import { releaseExamples } from './release-examples.ts';
import {
  CreateReleaseBody,
  PatchReleaseBody,
  ReleaseBody,
  ReleaseListQuery,
  ReleasePage,
  ReleasePath,
} from './release-schemas.ts';
import { toReleaseEdit, toNewRelease } from './release-wire.ts';

const tag = 'Releases';

export function releaseRoutes(server: Server, deps: MutationDeps): void {
  createRoute(server, deps);
  readRoutes(server, deps);
  patchRoute(server, deps);
  deleteRoute(server, deps);
}

export const releaseIdOf = (params: { readonly release_id: string }): ReleaseId => {
  const id = parseId('rel', params.release_id);
  if (id === undefined) throw releaseNotFound();
  return id;
};

function createRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'createRelease',
      action: 'release.create',
      effect: 'creates',
      tag,
      summary: 'Create a release',
      description:
        'Creates a draft and returns it. A title, one main artist and a `release_date` are enough: `label`, `metadata_language`, `territories` and `upc` come from your organization if you omit them. Next, add tracks and files, then submit the release.',
      method: 'POST',
      path: '/v1/releases',
      scope: 'releases:write',
      body: CreateReleaseBody,
      answers: { 201: ReleaseBody },
      examples: releaseExamples.createRelease,
      problems: [
        'duplicate_submission',
        'upc_pool_exhausted',
        'invalid_upc',
        'territory_not_supported',
      ],
    },
    async (tx, { body }) => {
      const release = await createRelease(tx, toNewRelease(body));
      const answer = created(presentRelease(release), `/v1/releases/${release.id}`);
      return { answer, auditedId: release.id, before: undefined };
    },
  );
}

function readRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'getRelease',
      tag,
      summary: 'Get a release',
      description: 'Returns the release as it is now, with its latest submission.',
      method: 'GET',
      path: '/v1/releases/:release_id',
      scope: 'releases:read',
      params: ReleasePath,
      answers: { 200: ReleaseBody },
      examples: releaseExamples.getRelease,
      problems: ['resource_not_found'],
    },
    async (ask, { caller, params }) => {
      const id = releaseIdOf(params);
      const release = await ask((tenant) => findRelease(tenant, caller.orgId, id));
      if (release === undefined) throw releaseNotFound();
      return resource(presentRelease(release));
    },
  );
  read(
    server,
    db,
    {
      id: 'listReleases',
      tag,
      summary: 'List releases',
      description:
        'Returns a page of releases, newest first. Use a cursor only with the filters of the page that returned it.',
      method: 'GET',
      path: '/v1/releases',
      scope: 'releases:read',
      query: ReleaseListQuery,
      answers: { 200: ReleasePage },
      examples: releaseExamples.listReleases,
      problems: ['invalid_cursor'],
    },
    async (ask, { caller, query }) => {
      const list = openList(keyring, caller.orgId, 'releases', query);
      const { status, upc, ean, reference, label } = query;
      const updatedSince = parseTimestamp(query.updated_since ?? '');
      const labelId = parseId('lbl', query.label_id ?? '');
      const filters = { status, upc, ean, reference, label, labelId, updatedSince };
      const page = await ask((tenant) => listReleases(tenant, caller.orgId, filters, list.page));
      return list.answer(page, presentRelease);
    },
  );
}

function patchRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'updateRelease',
      action: 'release.update',
      effect: 'withdraws',
      effectIf: { territories: 'any', excluded_territories: 'any', use_types: 'any' },
      tag,
      summary: 'Update a release',
      description:
        'Changes only the fields that you send, and returns the changed resource. A list replaces the whole list, and `null` clears a field.',
      method: 'PATCH',
      path: '/v1/releases/:release_id',
      scope: 'releases:write',
      params: ReleasePath,
      body: PatchReleaseBody,
      deprecations: [statusInPatch(deps)],
      answers: { 200: ReleaseBody },
      examples: releaseExamples.updateRelease,
      problems: [
        'resource_not_found',
        'duplicate_submission',
        'invalid_state',
        'precondition_failed',
        'territory_not_supported',
        'release_not_submittable',
        'asset_not_ready',
        'deprecated_feature_removed',
      ],
    },
    async (tx, { params, body, ifMatch }) => {
      const request = {
        id: releaseIdOf(params),
        edit: toReleaseEdit(body),
        status: body.status,
        isExpected: (current: Release) =>
          ifMatch === undefined || stillMatches(ifMatch, presentRelease(current)),
      };
      return changedResource(await editRelease(tx, request), presentRelease);
    },
  );
}

/** Contract §3: `status` in PATCH. A malformed id gets no link to its submit route. */
const statusInPatch = ({ db, clock }: MutationDeps): DeprecatedUse => ({
  feature: 'release_status_in_patch',
  isUsedBy: ({ body }) =>
    typeof body === 'object' && body !== null && Object.hasOwn(body, 'status'),
  isLinkable: ({ params }) => {
    const { release_id: id } = params as { readonly release_id: string };
    return parseId('rel', id) !== undefined;
  },
  refuseRemoved: async ({ orgId }) =>
    refuseRemovedStatus(
      await db.readOnce(orgId, (tenant) => findBusinessTime(tenant, orgId, clock.now)),
    ),
});

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deleteRelease',
      action: 'release.delete',
      effect: 'deletes',
      tag,
      summary: 'Delete a draft',
      description:
        'Deletes a draft with its tracks. A release that was submitted cannot be deleted; take it down instead.',
      method: 'DELETE',
      path: '/v1/releases/:release_id',
      scope: 'releases:write',
      params: ReleasePath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      return removedResource(await deleteRelease(tx, releaseIdOf(params)), presentRelease);
    },
  );
}
