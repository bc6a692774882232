/** What other slices may use of identity. */
export { setVerification } from './commands/set-verification.ts';
export { bodyBytesKept, type RequestEntry } from './domain/request-entry.ts';
export { isLicensedFor } from './domain/organization.ts';
export { presentOrganization } from './domain/organization-details.ts';
export { sandboxQuotas } from './domain/quota-policy.ts';
export { type Verification, verified } from './domain/verification.ts';
export {
  notifyPayoutsVerified,
  notifyVerified,
  payoutVerificationService,
  suspensionService,
  verificationService,
} from './messages.ts';
export { anonymousPolicy, pagePolicy, sandboxPolicy } from './domain/rate-policy.ts';
export {
  findVerification,
  isVerified,
  shareLockVerification,
} from './store/organization-details.ts';
export { findLineage } from './store/credential-lineage.ts';
export { hasIsrcRegistrant } from './store/isrc-registrants.ts';
export {
  findOrganization,
  findBusinessTime,
  freezeClockAt,
  isSuspended,
  resetClock,
  resumeClockFrom,
} from './store/organizations.ts';
export { hasFreeUpc, reserveUpc, allocateUpc } from './store/upc-pool.ts';
export {
  findRequest,
  listRequests,
  type RequestSummary,
  type StatusFilter,
} from './store/requests.ts';
