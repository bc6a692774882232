/**
 * Ids on the wire are TypeIDs (contract §1): a prefix, `_`, and 26 characters of Crockford base32
 * over a UUIDv7. In the database they are plain `uuid`. The prefix is part of the type, so a
 * release id cannot be passed where an organization is meant.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type OrgId = Id<'org'>;
export type KeyId = Id<'key'>;
export type ReleaseId = Id<'rel'>;
export type ArtistId = Id<'art'>;
export type LabelId = Id<'lbl'>;
export type RequestId = Id<'req'>;

/** Injected, so that ids follow the injected clock. */
export type NewId = <Prefix extends string>(prefix: Prefix) => Id<Prefix>;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const suffixLength = 26;
const bitsPerCharacter = 5;
const hexDigits = '0123456789abcdef';
const bitsPerHexDigit = 4;
const uuidLength = 36;
const dash = '-'.charCodeAt(0);
const notADigit = 255;

/** By character code; `notADigit` for a character that is not in the alphabet. */
const digitsOf = (characters: string): Uint8Array => {
  const digits = new Uint8Array(128).fill(notADigit);
  for (let i = 0; i < characters.length; i++) digits[characters.charCodeAt(i)] = i;
  return digits;
};
const base32Digits = digitsOf(alphabet);
const hexValues = digitsOf(hexDigits);
for (const digit of 'abcdef') {
  hexValues[digit.toUpperCase().charCodeAt(0)] = hexValues[digit.charCodeAt(0)] ?? notADigit;
}
const codesOf = (characters: string): Uint8Array =>
  Uint8Array.from(characters, (character) => character.charCodeAt(0));
const base32Codes = codesOf(alphabet);
const hexCodes = codesOf(hexDigits);

/** Both functions write here and copy: a request converts a dozen ids, and a page dozens. */
const scratch = Buffer.alloc(uuidLength);

/** 26 characters are 130 bits: the two above the 128 of the UUID are 0. */
export function toWire<Prefix extends string>(prefix: Prefix, uuid: string): Id<Prefix> {
  let bits = 0;
  let bitCount = suffixLength * bitsPerCharacter - 128;
  let written = 0;
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i);
    if (code === dash) continue;
    bits = (bits << bitsPerHexDigit) | (hexValues[code] ?? notADigit);
    bitCount += bitsPerHexDigit;
    if (bitCount < bitsPerCharacter) continue;
    bitCount -= bitsPerCharacter;
    scratch[written++] = base32Codes[(bits >>> bitCount) & 31] ?? 0;
    bits &= (1 << bitCount) - 1;
  }
  return `${prefix}_${scratch.toString('latin1', 0, suffixLength)}`;
}

const isDashAt = (position: number): boolean =>
  position === 8 || position === 13 || position === 18 || position === 23;

/** The UUID that a suffix encodes, from `start` on; undefined if it is malformed. */
function decode(id: string, start: number): string | undefined {
  // The two bits above the 128 of the UUID must be 0, or two texts would be the same id.
  if ((base32Digits[id.charCodeAt(start)] ?? notADigit) > 7) return undefined;
  let bits = 0;
  let bitCount = 128 - suffixLength * bitsPerCharacter;
  let written = 0;
  for (let i = start; i < start + suffixLength; i++) {
    const digit = base32Digits[id.charCodeAt(i)] ?? notADigit;
    if (digit === notADigit) return undefined;
    bits = (bits << bitsPerCharacter) | digit;
    bitCount += bitsPerCharacter;
    while (bitCount >= bitsPerHexDigit) {
      bitCount -= bitsPerHexDigit;
      if (isDashAt(written)) scratch[written++] = dash;
      scratch[written++] = hexCodes[(bits >>> bitCount) & 15] ?? 0;
    }
    bits &= (1 << bitCount) - 1;
  }
  return scratch.toString('latin1');
}

/** The stored form; undefined if the text is not an id with this prefix. */
function parseUuid(prefix: string, id: string): string | undefined {
  const start = prefix.length + 1;
  if (!id.startsWith(`${prefix}_`) || id.length !== start + suffixLength) return undefined;
  return decode(id, start);
}

/** For ids that the service created or has already parsed. */
export function toUuid(id: Id<string>): string {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  const uuid = parseUuid(prefix, id);
  if (uuid === undefined) throw new TypeError(`not an id: ${id}`);
  return uuid;
}

/** The real time at which the id was made: the first 48 bits of a UUIDv7 are its milliseconds. */
export const timeOfId = (id: Id<string>): Date =>
  new Date(Number.parseInt(toUuid(id).replace('-', '').slice(0, 12), 16));

export function parseId<Prefix extends string>(
  prefix: Prefix,
  text: string,
): Id<Prefix> | undefined {
  return parseUuid(prefix, text) === undefined ? undefined : (text as Id<Prefix>);
}

/** Each id once, without texts that are not ids with this prefix. */
export const parseIds = <Prefix extends string>(
  prefix: Prefix,
  texts: readonly string[],
): Id<Prefix>[] => [...new Set(texts.flatMap((text) => parseId(prefix, text) ?? []))];
