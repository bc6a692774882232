/** The events partners receive about their organization (contract §6). */

import type { Environment } from '../kernel/environment.ts';
import { type OrganizationDetails, presentOrganization } from './domain/organization-details.ts';

export const verificationChanged = (
  organization: OrganizationDetails,
  environment: Environment,
) => ({
  type: 'organization.verification.changed',
  data: presentOrganization(organization, environment),
});
