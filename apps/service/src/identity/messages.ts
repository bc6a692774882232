/** Messages to the engine about an organization. Slices above serve them; identity has no handlers. */

import { type OrgId, toUuid } from '../kernel/ids.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';

/** The delivery slice serves it: deliveries wait until their organization is verified. */
export const verificationService = 'organization-verifications';
export const notifyVerified = (orgId: OrgId): EngineMessage => ({
  service: verificationService,
  key: toUuid(orgId),
  handler: 'verified',
});

/** The money slice serves it: payouts are on hold until their organization is verified. */
export const payoutVerificationService = 'payout-verifications';
export const notifyPayoutsVerified = (orgId: OrgId): EngineMessage => ({
  service: payoutVerificationService,
  key: toUuid(orgId),
  handler: 'verified',
});

/** The webhooks slice serves it: no attempt is made while the organization is suspended. */
export const suspensionService = 'organization-suspensions';
export const notifyResumed = (orgId: OrgId): EngineMessage => ({
  service: suspensionService,
  key: toUuid(orgId),
  handler: 'resumed',
});
