import { presentRules } from '../../../apps/service/src/catalog/domain/preflight/present-rules.ts';
import type { Rule } from '../../../apps/service/src/catalog/domain/preflight/rule.ts';
import { liveDateMoved } from '../../../apps/service/src/delivery/domain/live-date.ts';
import { unspecifiedCode } from '../../../apps/service/src/delivery/domain/message.ts';
import { code, table } from './table.ts';

/** Stores may answer further codes of DDEX: these are the ones that the service itself knows. */
const meanings: Readonly<Record<Rule['prevents'], string>> = {
  commercial_release_date_invalid:
    'The store cannot publish on the release date, for example because it needs more time.',
  identifier_invalid: 'The UPC, EAN or ISRC is already used for another release or recording.',
  identifier_syntax_invalid: 'The UPC, EAN, ISRC or ISWC is not well-formed.',
  metadata_missing: 'The store needs a field that the release or a track does not have.',
  new_release_message_invalid: 'The titles, artists or other texts break the style of the store.',
  no_deal_for_track_release: 'A track may not be sold at the store in any territory.',
  no_deal_in_new_release_message: 'The release may not be sold at the store in any territory.',
  original_release_date_later_than_release_date:
    'The original release date is later than the release date.',
  release_violates_terms_of_service: 'The content is not allowed at the store.',
  resource_not_meeting_specifications:
    'The audio or the artwork does not meet the specifications of the store.',
  rights_conflict: 'Another party claims the same rights, or a license is missing.',
};

const ownCodes: readonly (readonly [code: string, meaning: string])[] = [
  [
    liveDateMoved.code,
    'The update would move the date of a release that is already live into the future.',
  ],
  [unspecifiedCode, 'The store named no code. Read `rejection_reason`.'],
];

/** One row for each code, with the rules that find the problem before the store does. */
export const rejectionCodes = (): string =>
  table(
    ['Code', 'Meaning', 'Preflight rules that find it first'],
    [
      ...Object.entries(meanings).map(([name, meaning]) => [code(name), meaning, rulesOf(name)]),
      ...ownCodes.map(([name, meaning]) => [code(name), meaning, '–']),
    ],
  );

function rulesOf(name: string): string {
  const ids = presentRules().flatMap(({ id, prevents }) => (prevents === name ? [id] : []));
  return ids.map((id) => `[${code(id)}](preflight.md#${id})`).join(', ') || '–';
}
