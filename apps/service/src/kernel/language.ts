/** Languages: BCP 47 tags of a language, a script, a region and a variant, `pt-BR`, `zh-Hant`. */
export type LanguageTag = string;

/** For accounts that set none, and for releases from before there was a setting. */
export const languageDefault: LanguageTag = 'en';

/** Everything that Intl takes, except extensions (`-u-…`), which say nothing about a text, and repeated variants. */
const shape = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))?$/i;

/**
 * The spelling that all tags of one meaning share: `EN-gb` and `en-GB` are `en-GB`. Undefined if it is not a tag. Intl
 * gets it in upper case, because V8 returns some short lower-case tags unchanged: `bh` stays `bh`, `BH` becomes `bho`.
 */
export function canonicalLanguage(text: string): LanguageTag | undefined {
  return shape.test(text) ? Intl.getCanonicalLocales(text.toUpperCase())[0] : undefined;
}
