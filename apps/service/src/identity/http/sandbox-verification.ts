/** In the sandbox, a partner scripts the verification of its organization (contract §4). */

import { Type } from 'typebox';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { closed } from '../../platform/http/schema.ts';
import { setVerification } from '../commands/set-verification.ts';
import { type OrganizationDetails, presentOrganization } from '../domain/organization-details.ts';
import { organizationExamples } from './organization-examples.ts';
import { OrganizationBody, requirementList, verificationStatus } from './organization-schemas.ts';

const VerificationRequestBody = Type.Object(
  { status: verificationStatus, requirements: Type.Optional(requirementList) },
  { ...closed, title: 'SetSandboxVerification' },
);

const present = (organization: OrganizationDetails) => presentOrganization(organization, 'sandbox');

export function sandboxVerificationRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'setSandboxVerification',
      action: 'sandbox.verification.set',
      effect: 'changes',
      tag: 'Sandbox',
      summary: 'Script your verification',
      description:
        'Sets the verification of your sandbox organization and returns the organization. It is `verified` until you set another status: then its deliveries wait as they would in live, and the event `organization.verification.changed` is sent. With `verified` they continue. A reset makes it `verified` again.',
      method: 'POST',
      path: '/v1/sandbox/verification',
      scope: 'sandbox:write',
      body: VerificationRequestBody,
      answers: { 200: OrganizationBody },
      examples: organizationExamples.setSandboxVerification,
      problems: [],
    },
    async (tx, { body: { status, requirements = [] } }) => {
      const verification = { status, requirements };
      const { before, organization } = await setVerification(tx, verification, 'sandbox');
      return {
        answer: resource(present(organization)),
        auditedId: tx.orgId,
        before: present(before),
      };
    },
  );
}
