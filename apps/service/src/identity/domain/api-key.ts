/**
 * API keys (contract §5): `ta_live_` or `ta_test_`, 30 random base62 characters, and 6 base62
 * characters of the CRC32 of the text before them. The checksum rejects a mistyped key, or a string
 * that only looks like one, without a query.
 */

import type { Environment } from '../../kernel/environment.ts';

export const prefixOf: Record<Environment, string> = { live: 'ta_live_', sandbox: 'ta_test_' };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const shape = new RegExp(`^ta_(live|test)_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

export const keyRandomBytes = 64;

type Crc32 = (text: string) => number;

function base62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet.charAt(rest % alphabet.length) + text;
  }
  return text;
}

/** Bytes from the largest multiple of 62 on are skipped, so that every character is equally likely. */
export function makeKey(environment: Environment, random: Uint8Array, crc32: Crc32): string {
  const unbiasedBelow = 256 - (256 % alphabet.length);
  const characters = [...random]
    .filter((byte) => byte < unbiasedBelow)
    .slice(0, randomLength)
    .map((byte) => alphabet.charAt(byte % alphabet.length));
  if (characters.length < randomLength) throw new RangeError('not enough random bytes for a key');
  const body = `${prefixOf[environment]}${characters.join('')}`;
  return body + base62(crc32(body), checksumLength);
}

export function isWellFormedKey(text: string, crc32: Crc32): boolean {
  if (!shape.test(text)) return false;
  const body = text.slice(0, -checksumLength);
  return text.slice(-checksumLength) === base62(crc32(body), checksumLength);
}
