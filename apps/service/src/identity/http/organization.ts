/** The partner's own organization (contract §4). */

import type { Environment } from '../../kernel/environment.ts';
import { canonicalLanguage } from '../../kernel/language.ts';
import { Problem } from '../../kernel/problem.ts';
import { resource, stillMatches } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { read } from '../../platform/http/read.ts';
import { editOrganization } from '../commands/edit-organization.ts';
import { type OrganizationDetails, presentOrganization } from '../domain/organization-details.ts';
import { findOrganizationDetails } from '../store/organization-details.ts';
import { organizationExamples } from './organization-examples.ts';
import { OrganizationBody, PatchOrganizationBody } from './organization-schemas.ts';

export type OrganizationDeps = MutationDeps & { readonly environment: Environment };

const common = { tag: 'Organization', path: '/v1/organization' } as const;

export function organizationRoutes(server: Server, deps: OrganizationDeps): void {
  getRoute(server, deps);
  patchRoute(server, deps);
}

function getRoute(server: Server, { db, environment }: OrganizationDeps): void {
  read(
    server,
    db,
    {
      ...common,
      id: 'getOrganization',
      summary: 'Get your organization',
      description:
        'Returns your organization with its tier, licenses, defaults, contacts and verification.',
      method: 'GET',
      scope: 'organization:read',
      answers: { 200: OrganizationBody },
      examples: organizationExamples.getOrganization,
      problems: [],
    },
    async (ask, { caller: { orgId } }) => {
      const organization = await ask((tenant) => findOrganizationDetails(tenant, orgId));
      if (organization === undefined)
        throw new Problem('resource_not_found', `There is no ${orgId}.`);
      return resource(presentOrganization(organization, environment));
    },
  );
}

function patchRoute(server: Server, deps: OrganizationDeps): void {
  const present = (organization: OrganizationDetails) =>
    presentOrganization(organization, deps.environment);
  mutation(
    server,
    deps,
    {
      ...common,
      id: 'updateOrganization',
      action: 'organization.update',
      effect: 'redirects',
      summary: 'Update your organization',
      description:
        'Changes only the fields that you send, and returns the organization. `contacts` replaces the whole list. Existing releases keep their label and their `metadata_language`.',
      method: 'PATCH',
      scope: 'organization:write',
      body: PatchOrganizationBody,
      answers: { 200: OrganizationBody },
      examples: organizationExamples.updateOrganization,
      problems: ['precondition_failed'],
    },
    async (tx, { body, ifMatch }) => {
      const { default_metadata_language: language, contacts } = body;
      const { before, organization } = await editOrganization(tx, {
        edit: {
          ...(language !== undefined && {
            defaultMetadataLanguage: canonicalLanguage(language) ?? language,
          }),
          ...(contacts !== undefined && {
            contacts: contacts.map(({ type, name = null, email }) => ({ type, name, email })),
          }),
        },
        defaultLabelId: body.default_label_id,
        isExpected: (current) => ifMatch === undefined || stillMatches(ifMatch, present(current)),
      });
      return {
        answer: resource(present(organization)),
        auditedId: tx.orgId,
        before: present(before),
      };
    },
  );
}
