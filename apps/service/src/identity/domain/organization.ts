import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { LanguageTag } from '../../kernel/language.ts';
import { meansWorld, type TerritoryCode } from '../../kernel/territory.ts';
import type { Tier } from '../../kernel/tier.ts';

export type Organization = {
  readonly id: OrgId;
  readonly name: string;
  readonly tier: Tier;
  /** The first name of its default label, which a trigger creates with it. */
  readonly defaultLabel: string;
  /** Of releases that name no `metadata_language`. */
  readonly defaultMetadataLanguage: LanguageTag;
  /** `['WORLD']` for all territories. */
  readonly licensedTerritories: readonly TerritoryCode[];
  /** Of its statements. */
  readonly statementCurrency: Currency;
  /** Whether a person reviews each submission that passes the rules. */
  readonly manualReview: boolean;
};

export const isLicensedFor = (
  licensed: readonly TerritoryCode[],
  territory: TerritoryCode,
): boolean => licensed.some((code) => meansWorld(code) || code === territory);
