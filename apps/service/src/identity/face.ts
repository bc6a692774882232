/** What other slices may use of identity. */
export { isLicensedFor } from './domain/organization.ts';
export { sandboxQuotas } from './domain/quota-policy.ts';
export { anonymousPolicy, sandboxPolicy } from './domain/rate-policy.ts';
export { hasIsrcRegistrant } from './store/isrc-registrants.ts';
export {
  findOrganization,
  findBusinessTime,
  freezeClockAt,
  resetClock,
  resumeClockFrom,
} from './store/organizations.ts';
export { hasFreeUpc, reserveUpc, allocateUpc } from './store/upc-pool.ts';
