import type { Environment } from '../../kernel/environment.ts';
import { enforce } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { OrganizationDetails } from '../domain/organization-details.ts';
import {
  isSameVerification,
  refuseVerification,
  type Verification,
} from '../domain/verification.ts';
import { verificationChanged } from '../events.ts';
import { notifyPayoutsVerified, notifyVerified } from '../messages.ts';
import { lockOrganizationDetails, updateVerification } from '../store/organization-details.ts';
import type { EditedOrganization } from './edit-organization.ts';
import { unknownOrganization } from './provision.ts';

/**
 * Sets the verification and announces it. Once the organization is verified, the delivery slice dispatches what waited,
 * and the money slice checks the payouts on hold. When it loses its verification, what stores have stays.
 */
export async function setVerification(
  tx: Tx,
  verification: Verification,
  environment: Environment,
): Promise<EditedOrganization> {
  enforce(refuseVerification(verification));
  // Before the organization is locked: a resume of the sandbox's clock takes the lock of timers first, too.
  if (verification.status === 'verified') {
    enqueueDurably(tx, notifyVerified(tx.orgId));
    enqueueDurably(tx, notifyPayoutsVerified(tx.orgId));
  }
  const before = await lockOrganizationDetails(tx);
  if (before === undefined) throw unknownOrganization(tx);
  if (isSameVerification(before.verification, verification)) {
    return { before, organization: before };
  }
  const organization: OrganizationDetails = {
    ...before,
    verification,
    updatedAt: nextUpdatedAt(before, tx.realNow),
  };
  updateVerification(tx, organization);
  appendEvent(tx, verificationChanged(organization, environment));
  return { before, organization };
}
