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
const bitsPerWord = 32;
const wordsPerUuid = 4;
const digitMask = 31;

/** By character code; undefined for a character that is not a digit. */
const digits: readonly (number | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const digit = alphabet.indexOf(String.fromCharCode(code));
  return digit === -1 ? undefined : digit;
});

/** On four words of 32 bits: a page has dozens of ids, and with one BigInt each they took 5 % of a list's time. */
export function toWire<Prefix extends string>(prefix: Prefix, uuid: string): Id<Prefix> {
  const hex = uuid.replaceAll('-', '');
  const words = [0, 8, 16, 24].map((start) => Number.parseInt(hex.slice(start, start + 8), 16) | 0);
  let suffix = '';
  for (let bit = (suffixLength - 1) * bitsPerCharacter; bit >= 0; bit -= bitsPerCharacter) {
    const word = wordsPerUuid - 1 - (bit >>> 5);
    const shift = bit % bitsPerWord;
    const low = (words[word] ?? 0) >>> shift;
    // A digit may span two words.
    const high =
      shift > bitsPerWord - bitsPerCharacter ? (words[word - 1] ?? 0) << (bitsPerWord - shift) : 0;
    suffix += alphabet.charAt((low | high) & digitMask);
  }
  return `${prefix}_${suffix}`;
}

/** The words that a suffix encodes; undefined if it is malformed. */
function wordsOf(suffix: string): readonly number[] | undefined {
  // One more word on top: 26 characters are 130 bits, and the two above the UUID's 128 must be 0, or two texts would
  // be the same id.
  const words = Array.from({ length: wordsPerUuid + 1 }, () => 0);
  for (let i = 0; i < suffixLength; i++) {
    const digit = digits[suffix.charCodeAt(suffixLength - 1 - i)];
    if (digit === undefined) return undefined;
    const bit = i * bitsPerCharacter;
    const word = wordsPerUuid - (bit >>> 5);
    const shift = bit % bitsPerWord;
    words[word] = (words[word] ?? 0) | (digit << shift);
    if (shift > bitsPerWord - bitsPerCharacter) words[word - 1] = digit >>> (bitsPerWord - shift);
  }
  return words[0] === 0 ? words.slice(1) : undefined;
}

/** The stored form; undefined if the text is not an id with this prefix. */
function parseUuid(prefix: string, id: string): string | undefined {
  const start = prefix.length + 1;
  if (!id.startsWith(`${prefix}_`) || id.length !== start + suffixLength) return undefined;
  const words = wordsOf(id.slice(start));
  if (words === undefined) return undefined;
  const [one = '', two = '', three = '', four = ''] = words.map(hexOf);
  return `${one}-${two.slice(0, 4)}-${two.slice(4)}-${three.slice(0, 4)}-${three.slice(4)}${four}`;
}

const byteTexts = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const byteText = (word: number, shift: number): string => byteTexts[(word >>> shift) & 0xff] ?? '';
const hexOf = (word: number): string =>
  byteText(word, 24) + byteText(word, 16) + byteText(word, 8) + byteText(word, 0);

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
