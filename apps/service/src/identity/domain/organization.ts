import type { OrgId } from '../../kernel/ids.ts';
import { meansWorld, type TerritoryCode } from '../../kernel/territory.ts';

export const tiers = ['starter', 'growth', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export type Organization = {
  readonly id: OrgId;
  readonly name: string;
  readonly tier: Tier;
  readonly defaultLabel: string;
  /** `['WORLD']` for all of them. */
  readonly licensedTerritories: readonly TerritoryCode[];
  /** Whether a person looks at each submission that the rules let through. */
  readonly manualReview: boolean;
};

export const isLicensedFor = (
  licensed: readonly TerritoryCode[],
  territory: TerritoryCode,
): boolean => licensed.some((code) => meansWorld(code) || code === territory);
