/** All rules, in the order of a report. */

import type { Rule } from './rule.ts';
import { artistRules } from './rules/artists.ts';
import { artworkRules } from './rules/artwork.ts';
import { audioRules } from './rules/audio.ts';
import { creditRules } from './rules/credits.ts';
import { dateRules } from './rules/dates.ts';
import { explicitRules } from './rules/explicit.ts';
import { genreRules } from './rules/genre.ts';
import { identifierRules } from './rules/identifiers.ts';
import { lengthRules } from './rules/length.ts';
import { lineRules } from './rules/lines.ts';
import { preOrderRules } from './rules/pre-order.ts';
import { previewRules } from './rules/preview.ts';
import { territoryRules } from './rules/territory.ts';
import { titleCasingRules } from './rules/title-casing.ts';
import { titleFormRules } from './rules/title-forms.ts';
import { titleVersionRules } from './rules/title-versions.ts';
import { tracksForSaleRules } from './rules/tracks-for-sale.ts';
import { typeRules } from './rules/type.ts';
import { useTypeRules } from './rules/use-types.ts';

/** Changes whenever a rule is added or removed, or decides differently. */
export const rulesVersion = '2026-11-17';

const table = {
  ...artworkRules,
  ...audioRules,
  ...lengthRules,
  ...previewRules,
  ...identifierRules,
  ...dateRules,
  ...preOrderRules,
  ...territoryRules,
  ...useTypeRules,
  ...tracksForSaleRules,
  ...titleFormRules,
  ...titleVersionRules,
  ...titleCasingRules,
  ...artistRules,
  ...creditRules,
  ...lineRules,
  ...explicitRules,
  ...genreRules,
  ...typeRules,
} satisfies Record<string, Rule>;

export type RuleId = keyof typeof table;

export const rules: Readonly<Record<RuleId, Rule>> = table;

/** Object.keys returns any strings; the table is closed, so these are its ids. */
export const ruleList = Object.keys(table) as readonly RuleId[];
