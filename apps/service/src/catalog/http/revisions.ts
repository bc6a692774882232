import { Problem } from '../../kernel/problem.ts';
import { resource } from '../../platform/http/answer.ts';
import { openList } from '../../platform/http/cursor.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import type { MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { presentRelease } from '../domain/present-release.ts';
import { releaseNotFound } from '../domain/release.ts';
import { findRevision, listRevisions } from '../store/revisions.ts';
import { releaseExamples } from './release-examples.ts';
import {
  PageQuery,
  ReleasePath,
  RevisionBody,
  RevisionPage,
  RevisionPath,
} from './release-schemas.ts';
import { presentRevision } from './release-wire.ts';
import { releaseIdOf } from './releases.ts';

const tag = 'Releases';
const revisionMax = 2 ** 31 - 1;

/** Contract §4. */
export function revisionRoutes(server: Server, { db, keyring }: MutationDeps): void {
  read(
    server,
    db,
    {
      id: 'listReleaseRevisions',
      tag,
      summary: 'List the revisions of a release',
      description:
        'Returns a page of the revisions of the release, newest first, each with the fields that changed.',
      method: 'GET',
      path: '/v1/releases/:release_id/revisions',
      scope: 'releases:read',
      params: ReleasePath,
      query: PageQuery,
      answers: { 200: RevisionPage },
      examples: releaseExamples.listReleaseRevisions,
      problems: ['resource_not_found', 'invalid_cursor'],
    },
    async (ask, { caller: { orgId }, params, query }) => {
      const id = releaseIdOf(params);
      const list = openList(keyring, orgId, `revisions/${id}`, query);
      const page = await ask((tenant) => listRevisions(tenant, orgId, id, list.page));
      if (page === undefined) throw releaseNotFound();
      return list.answer(page, presentRevision);
    },
  );
  read(
    server,
    db,
    {
      id: 'getReleaseRevision',
      tag,
      summary: 'Get a release as it was at a revision',
      description: 'Returns the revision with the release as it was then.',
      method: 'GET',
      path: '/v1/releases/:release_id/revisions/:revision',
      scope: 'releases:read',
      params: RevisionPath,
      answers: { 200: RevisionBody },
      examples: releaseExamples.getReleaseRevision,
      problems: ['resource_not_found'],
    },
    async (ask, { caller: { orgId }, params }) => {
      const id = releaseIdOf(params);
      const revision = /^[1-9]\d{0,9}$/.test(params.revision) ? Number(params.revision) : 0;
      if (revision === 0 || revision > revisionMax) throw revisionNotFound();
      const stored = await ask((tenant) => findRevision(tenant, orgId, id, revision));
      if (stored === undefined) throw revisionNotFound();
      return resource({ ...presentRevision(stored), release: presentRelease(stored.release) });
    },
  );
}

const revisionNotFound = () =>
  new Problem(
    'resource_not_found',
    'The release has no revision with this number. GET /v1/releases/{release_id}/revisions lists them.',
  );
