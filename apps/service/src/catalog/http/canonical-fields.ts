/** Fields that partners may spell in several ways, with one spelling that is stored and compared. */

import { parseIswc } from '../../kernel/iswc.ts';
import { canonicalLanguage } from '../../kernel/language.ts';
import { enforce } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import {
  canonicalTitles,
  type LocalizedTitles,
  refuseLocalizedTitles,
  type SentTitles,
} from '../domain/localized-titles.ts';

/** The schemas have checked the texts, so each has a canonical spelling. */
const canonicalSpellings: Readonly<Record<string, (text: string) => string | undefined>> = {
  /** In UTC with milliseconds. */
  releaseAt: (text) => parseTimestamp(text)?.toISOString(),
  iswc: parseIswc,
  metadataLanguage: canonicalLanguage,
  lyricsLanguage: canonicalLanguage,
};

type MaybeTitled = { readonly localizedTitles?: SentTitles | null | undefined };
type Canonical<T> = Omit<T, 'localizedTitles'> & {
  readonly localizedTitles?: LocalizedTitles | null;
};

/**
 * The fields of a body, with the names of the domain. Absent ones stay absent, and null stays null. `prefix` is the path
 * of the fields in the body.
 */
export function canonicalize<T extends MaybeTitled>(fields: T, prefix = ''): Canonical<T> {
  const titles = fields.localizedTitles ?? null;
  if (titles !== null) enforce(refuseLocalizedTitles(titles, `${prefix}localized_titles`));
  const changed = Object.entries(fields).flatMap(([name, value]) => {
    const spell = canonicalSpellings[name];
    return spell === undefined || typeof value !== 'string' ? [] : [[name, spell(value) ?? null]];
  });
  return {
    ...fields,
    ...Object.fromEntries(changed),
    ...(titles !== null && { localizedTitles: canonicalTitles(titles) }),
  };
}
