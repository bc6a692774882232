/** Upper and lower case; scripts without case are not checked. */

import { toNfc } from '../../../../kernel/text.ts';

/** Georgian has capitals in Unicode, but titles are not written with them. */
const georgian = /\p{Script=Georgian}/u;
const allGeorgian = new RegExp(georgian, 'gu');
const allCapsLettersMin = 5;

const isCased = (character: string): boolean =>
  character.toLowerCase() !== character.toUpperCase() && !georgian.test(character);

export type LetterCase = 'upper' | 'lower' | 'mixed';

/** A text without any cased letter counts as mixed, which no rule reports. */
export function caseOf(text: string): LetterCase {
  const checked = text.replaceAll(allGeorgian, '');
  const [upper, lower] = [checked.toUpperCase(), checked.toLowerCase()];
  if (upper === lower) return 'mixed';
  if (checked === upper) return 'upper';
  return checked === lower ? 'lower' : 'mixed';
}

/** "AC" or "MGMT" may be names; five capitals, or two words in capitals, are not. */
export function isTooLongForAcronym(text: string): boolean {
  const letters = Array.from(text).filter(isCased).length;
  return letters >= allCapsLettersMin || text.split(' ').filter(hasCase).length > 1;
}

export const hasCase = (text: string): boolean => Array.from(text).some(isCased);

const smallWords: ReadonlySet<string> = new Set(
  'a an and as at but by for from in into nor of off on onto or over the to vs. with'.split(' '),
);
const romanNumber = /^[IVX]{2,6}$/;

function capitalize(word: string): string {
  const characters = Array.from(word);
  const first = characters.findIndex(isCased);
  const capital = characters.map((each, at) => (at === first ? each.toUpperCase() : each)).join('');
  // The capital of U+0390 is three code points, two of which compose; text is stored in NFC (contract §1).
  return toNfc(capital);
}

/** Small words stay lower case unless they are first or last; a hyphen begins a new word. */
export function toTitleCase(text: string): string {
  const words = text.split(' ');
  const first = words.findIndex(hasCase);
  const last = words.findLastIndex(hasCase);
  return words
    .map((word, at) => {
      if (romanNumber.test(word)) return word;
      const lower = word.toLowerCase();
      if (smallWords.has(lower) && at !== first && at !== last) return lower;
      return lower.split('-').map(capitalize).join('-');
    })
    .join(' ');
}

export const toSentenceCase = (text: string): string => capitalize(text.toLowerCase());
