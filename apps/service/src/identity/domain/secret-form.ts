/**
 * The form of every secret that the service makes (contract §5): a prefix, random base62 characters, and 6 base62
 * characters of the CRC32 of the text before them. The checksum rejects a mistyped secret, or a string that only looks
 * like one, without a query.
 */

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;

/** Enough for the longest secret, also when some bytes are skipped. */
export const secretRandomBytes = 64;

export type SecretForm = { readonly prefix: string; readonly randomLength: number };

type Crc32 = (text: string) => number;

function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet.charAt(rest % alphabet.length) + text;
  }
  return text;
}

/** Bytes from the largest multiple of 62 on are skipped, so that every character is equally likely. */
export function makeSecret(
  { prefix, randomLength }: SecretForm,
  random: Uint8Array,
  crc32: Crc32,
): string {
  const unbiasedBelow = 256 - (256 % alphabet.length);
  const characters = [...random]
    .filter((byte) => byte < unbiasedBelow)
    .slice(0, randomLength)
    .map((byte) => alphabet.charAt(byte % alphabet.length));
  if (characters.length < randomLength) throw new RangeError('not enough random bytes');
  const body = `${prefix}${characters.join('')}`;
  return body + base62(crc32(body), checksumLength);
}

const isBase62 = /^[0-9A-Za-z]*$/;

export function isWellFormedSecret(
  { prefix, randomLength }: SecretForm,
  text: string,
  crc32: Crc32,
): boolean {
  if (!text.startsWith(prefix)) return false;
  const rest = text.slice(prefix.length);
  if (rest.length !== randomLength + checksumLength || !isBase62.test(rest)) return false;
  const body = text.slice(0, -checksumLength);
  return text.slice(-checksumLength) === base62(crc32(body), checksumLength);
}

/** The last characters of a secret, by which a person recognizes it. */
export const hintOf = (secret: string): string => secret.slice(-4);
