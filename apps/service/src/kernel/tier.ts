/** Contract tiers of an organization, lowest first. */
export const tiers = ['starter', 'growth', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];
