/**
 * Hashes a text to a number in [0, 1): repeatable randomness for scenarios. Ids and real time differ between runs, so
 * neither may be part of the text.
 */

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

export function hashToFraction(...parts: readonly (string | number)[]): number {
  let hash = fnvOffset;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), fnvPrime);
  }
  // FNV gives similar texts similar hashes; the finalizer of MurmurHash3 mixes them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A whole number of milliseconds in [min, max). */
export const integerBetween = (min: number, max: number, fraction: number): number =>
  Math.floor(min + (max - min) * fraction);
