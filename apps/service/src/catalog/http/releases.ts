import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { created, noContent, resource, stillMatches } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import type { RawRequest } from '../../platform/http/operation.ts';
import { read } from '../../platform/http/read.ts';
import { createRelease } from '../commands/create-release.ts';
import { deleteRelease } from '../commands/delete-release.ts';
import { editRelease } from '../commands/edit-release.ts';
import { presentRelease } from '../domain/present-release.ts';
import { type Release, releaseNotFound } from '../domain/release.ts';
import { statusDeprecatedAt, statusSunsetAt } from '../domain/status-sunset.ts';
import { findRelease, listReleases } from '../store/releases.ts';
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
      tag,
      summary: 'Create a release',
      description:
        'A title, one main artist and a release_date make a valid draft. Label, metadata_language, territories and UPC come from the account when omitted.',
      method: 'POST',
      path: '/v1/releases',
      scope: 'releases:write',
      body: CreateReleaseBody,
      answers: { 201: ReleaseBody },
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
      return { answer, auditedId: release.id };
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
      method: 'GET',
      path: '/v1/releases/:release_id',
      scope: 'releases:read',
      params: ReleasePath,
      answers: { 200: ReleaseBody },
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
      description: 'Newest first. A cursor is bound to the filters it was made with.',
      method: 'GET',
      path: '/v1/releases',
      scope: 'releases:read',
      query: ReleaseListQuery,
      answers: { 200: ReleasePage },
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
      tag,
      summary: 'Update a release',
      description:
        'Only the fields included change; lists are replaced in full, null clears a field.',
      method: 'PATCH',
      path: '/v1/releases/:release_id',
      scope: 'releases:write',
      params: ReleasePath,
      body: PatchReleaseBody,
      deprecation: statusDeprecation,
      answers: { 200: ReleaseBody },
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
      const id = releaseIdOf(params);
      const request = {
        id,
        edit: toReleaseEdit(body),
        status: body.status,
        isExpected: (current: Release) =>
          ifMatch === undefined || stillMatches(ifMatch, presentRelease(current)),
      };
      return { answer: resource(presentRelease(await editRelease(tx, request))), auditedId: id };
    },
  );
}

/** Headers for a PATCH with `status` (contract §3). A malformed id gets no link to its submit route. */
function statusDeprecation({
  params,
  body,
}: RawRequest): Readonly<Record<string, string>> | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'status')) return undefined;
  const { release_id: id } = params as { readonly release_id: string };
  return {
    deprecation: `@${statusDeprecatedAt.getTime() / 1000}`,
    sunset: statusSunsetAt.toUTCString(),
    ...(parseId('rel', id) !== undefined && {
      link: `</v1/releases/${id}/submit>; rel="successor-version"`,
    }),
  };
}

function deleteRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'deleteRelease',
      action: 'release.delete',
      tag,
      summary: 'Delete a draft',
      method: 'DELETE',
      path: '/v1/releases/:release_id',
      scope: 'releases:write',
      params: ReleasePath,
      answers: { 204: null },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params }) => {
      const id = releaseIdOf(params);
      await deleteRelease(tx, id);
      return { answer: noContent(), auditedId: id };
    },
  );
}
