/**
 * Dice that fall the same way whenever they are thrown for the same thing: a number in [0, 1) for a text. Runs
 * differ in their ids and in real time, so neither is ever part of the text.
 */
const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

export function hashToFraction(...parts: readonly (string | number)[]): number {
  let hash = fnvOffset;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), fnvPrime);
  }
  // Neighbouring texts have neighbouring hashes until they are stirred (the end of MurmurHash3).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A whole number of milliseconds in [min, max). */
export const integerBetween = (min: number, max: number, fraction: number): number =>
  Math.floor(min + (max - min) * fraction);
