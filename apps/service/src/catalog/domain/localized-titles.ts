/** Titles in other languages than that of the release's metadata (catalogue §4). */

import { canonicalLanguage, type LanguageTag } from '../../kernel/language.ts';
import type { Refusal, Violation } from '../../kernel/problem.ts';

type LocalizedTitle = { readonly title: string; readonly version: string | null };

/** By language in canonical spelling. */
export type LocalizedTitles = Readonly<Record<LanguageTag, LocalizedTitle>>;

/** As a partner sends them: under any spelling of a language, and a version may be missing. */
export type SentTitles = Readonly<
  Record<string, { readonly title: string; readonly version?: string | null | undefined }>
>;

/** Each key must be a language tag, and no two keys the same language. */
export function refuseLocalizedTitles(titles: SentTitles, field: string): Refusal | undefined {
  const known = new Map<LanguageTag, string>();
  const details = Object.keys(titles).flatMap((key): Violation[] => {
    const language = canonicalLanguage(key);
    const issue = language === undefined ? notALanguage : repeatedIssue(known.get(language));
    if (language !== undefined) known.set(language, key);
    return issue === undefined ? [] : [{ field: `${field}.${key}`, issue }];
  });
  const [first] = details;
  return first && { code: 'invalid_field', message: `${first.field} ${first.issue}.`, details };
}

const notALanguage = 'is not a BCP 47 language tag; send a key such as "de", "pt-BR" or "zh-Hant"';
const repeatedIssue = (other: string | undefined): string | undefined =>
  other === undefined ? undefined : `is the same language as ${other}; send one of them`;

/**
 * In alphabetical order, so that the same titles have the same bytes, and therefore the same ETag. Null if there is none:
 * an empty map clears the field, as null does.
 */
export function canonicalTitles(titles: SentTitles | null): LocalizedTitles | null {
  const entries = Object.entries(titles ?? {}).map(
    ([key, { title, version = null }]): [LanguageTag, LocalizedTitle] => [
      canonicalLanguage(key) ?? key,
      { title, version },
    ],
  );
  return entries.length === 0
    ? null
    : Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
