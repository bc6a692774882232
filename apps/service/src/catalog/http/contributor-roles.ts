import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { publicRead } from '../../platform/http/public.ts';
import { contributorRoleEntries } from '../domain/contributor-roles.ts';
import { instruments } from '../domain/instruments.ts';
import { ContributorRoleList } from './contributor-schemas.ts';
import { catalogReferenceExamples } from './reference-examples.ts';

const body = {
  data: contributorRoleEntries.map(({ ddexRole, ...entry }) => ({ ...entry, ddex_role: ddexRole })),
  instruments: instruments.map(({ ddexInstrument, ...entry }) => ({
    ...entry,
    ddex_instrument: ddexInstrument,
  })),
};

export function contributorRoleRoutes(server: Server): void {
  publicRead(
    server,
    {
      id: 'listContributorRoles',
      tag: 'Reference',
      summary: 'List the roles of contributors',
      description:
        'Returns the values of `roles` and `instruments` of contributors, each with its name in DDEX. Stores require credits by `group`.',
      method: 'GET',
      path: '/v1/contributor_roles',
      scope: 'public',
      answers: { 200: ContributorRoleList },
      examples: catalogReferenceExamples.listContributorRoles,
      problems: [],
    },
    () => ok(body),
  );
}
