/** Text as stored (contract §1): NFC, without characters that XML cannot contain or that mislead readers. */

/**
 * One cheap test for nearly every text: without any of these characters a text is NFC, has no forbidden character, and
 * is visible except for white space. Nothing below U+0300 composes; U+00AD is the only invisible character there.
 */
const unusual = /[^\x20-\x7e\xa0-\xac\xae-\u02ff]/;
export const isUnusual = (text: string): boolean => unusual.test(text);

const kinds = {
  'a control character': /\p{Cc}/u,
  'a bidirectional control': /[\u202a-\u202e\u2066-\u2069]/u,
  'a non-character': /\p{Noncharacter_Code_Point}/u,
};
const forbidden = /[\p{Cc}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/v;
const forbiddenInLines = /[[\p{Cc}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]--[\n\t]]/v;

/** The first forbidden character, by its code point: "U+0007 (a control character)". */
export function forbiddenCharacterIn(
  text: string,
  { isMultiline = false }: { readonly isMultiline?: boolean } = {},
): string | undefined {
  const [character] = (isMultiline ? forbiddenInLines : forbidden).exec(text) ?? [];
  if (character === undefined) return undefined;
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const kind = Object.entries(kinds).find(([, pattern]) => pattern.test(character))?.[0];
  return `U+${number} (${kind})`;
}

/** Not white space, not default-ignorable (zero-width, fillers, selectors, tags), not the Braille blank. */
const visible = /[^\s\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;
export const hasVisibleCharacter = (text: string): boolean => visible.test(text);

export const toNfc = (text: string): string => text.normalize('NFC');
