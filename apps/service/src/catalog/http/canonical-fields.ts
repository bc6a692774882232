/** Fields that partners may spell in several ways, with one spelling that is stored and compared. */

import { parseIswc } from '../../kernel/iswc.ts';
import { canonicalLanguage } from '../../kernel/language.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';

/** The schemas have checked the texts, so each has a canonical spelling. */
const canonicalSpellings: Readonly<Record<string, (text: string) => string | undefined>> = {
  /** In UTC with milliseconds. */
  releaseAt: (text) => parseTimestamp(text)?.toISOString(),
  iswc: parseIswc,
  metadataLanguage: canonicalLanguage,
  lyricsLanguage: canonicalLanguage,
};

/** The fields of a body, with the names of the domain. Absent ones stay absent, and null stays null. */
export function canonicalize<T extends object>(fields: T): T {
  const changed = Object.entries(fields).flatMap(([name, value]) => {
    const spell = canonicalSpellings[name];
    return spell === undefined || typeof value !== 'string' ? [] : [[name, spell(value) ?? null]];
  });
  return { ...fields, ...Object.fromEntries(changed) };
}
