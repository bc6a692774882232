import type { LanguageTag } from '../model.ts';
import type { Field } from './field.ts';
import type { MessageDraft } from './message-draft.ts';
import { UnsendableValue } from './unsendable-value.ts';

/** ERN's LanguageAndScriptCode: a language, a script, a region, and a variant that begins with a letter. */
const shape = /^[a-z]{2,3}(-[a-z]+)?(-[a-z]{2}|-[0-9]{3})?(-[a-z][a-z0-9]{4}[a-z0-9]*)?$/i;

const isErnLanguage = (tag: LanguageTag): boolean => shape.test(tag);

/** Drops the value, and all that only makes sense with it, if ERN cannot name the language. */
export function whereLanguageIsKnown<T>(
  draft: MessageDraft,
  field: Field<T> | undefined,
  languageOf: (value: T) => LanguageTag,
): Field<T> | undefined {
  if (field === undefined || isErnLanguage(languageOf(field.value))) return field;
  draft.drop(field, 'language_not_in_ern');
  return undefined;
}

/** Every message must name its language: of a tag that ERN does not have, the part that it has. */
export function messageLanguageOf(
  draft: MessageDraft,
  language: Field<LanguageTag>,
): Field<LanguageTag> | string {
  if (isErnLanguage(language.value)) return language;
  draft.drop(language, 'language_not_in_ern');
  const subtags = language.value.split('-');
  const prefix = subtags
    .map((_, i) => subtags.slice(0, subtags.length - i).join('-'))
    .find(isErnLanguage);
  if (prefix !== undefined) return prefix;
  throw new UnsendableValue('/language', 'is not a BCP 47 language tag');
}
