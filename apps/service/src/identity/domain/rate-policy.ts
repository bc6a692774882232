import type { Environment } from '../../kernel/environment.ts';
import type { RatePolicy } from '../../kernel/rate.ts';
import type { Tier } from '../../kernel/tier.ts';

/** Contract §9. Sandbox requests have separate limits and counters. */
const live: Record<Tier, RatePolicy> = {
  starter: { perMinute: 300, perSecond: 15 },
  growth: { perMinute: 1_200, perSecond: 50 },
  enterprise: { perMinute: 6_000, perSecond: 150 },
};
export const sandboxPolicy: RatePolicy = { perMinute: 12_000, perSecond: 300 };

export const anonymousPolicy: RatePolicy = { perMinute: 60, perSecond: 10 };

/** Guides and the reference, per address: a page is five requests, and an office has one address. */
export const pagePolicy: RatePolicy = { perMinute: 1_200, perSecond: 60 };

/** Access tokens issued to one OAuth client. */
export const tokenPolicy: RatePolicy = { perMinute: 60, perSecond: 10 };

export const ratePolicyOf = (tier: Tier, environment: Environment): RatePolicy =>
  environment === 'sandbox' ? sandboxPolicy : live[tier];
