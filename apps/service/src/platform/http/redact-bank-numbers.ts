/**
 * Removes bank and card numbers from a text by their value: an IBAN in the name of a track is found too. Numbers may be
 * written as they are printed, in groups. Account numbers of other countries look like any number; the schemas of payout
 * methods name them (`secretField`).
 */

import { ibanLengthOf, isIban } from '../../kernel/iban.ts';

const gap = String.raw`(?:[ \u00a0+-]|%20)?`;
/** Groups of four after the first, all with the same gap or none. */
const ibanPattern = new RegExp(
  String.raw`(?<![a-z0-9])[a-z]{2}\d{2}(${gap})[a-z0-9]{4}(?:\1[a-z0-9]{4}){1,6}(?:\1[a-z0-9]{1,4})?(?![a-z0-9])`,
  'gi',
);
/**
 * 14 to 19 digits in groups of four, or of 4, 6 and 5 as American Express prints them; product codes have 12 or 13. The
 * first digit is that of a bank's card. After a dot they are the end of a decimal.
 */
const cardPattern = new RegExp(
  String.raw`\b(?<!\.)[2-6]\d{3}(?:(${gap})\d{4}\1\d{4}\1\d{2,4}(?:\1\d{1,3})?|(${gap})\d{6}\2\d{4,5})\b`,
  'g',
);

export function redactBankNumbers(text: string, hidden: string): string {
  return redactIbans(text, hidden).replace(cardPattern, (digits) =>
    isCardNumber(digits.replaceAll(/%20|\D/g, '')) ? hidden : digits,
  );
}

/** The words after an IBAN in groups look like more groups: the country tells where it ends. */
function redactIbans(text: string, hidden: string): string {
  return text.replace(ibanPattern, (groups) => {
    const length = ibanLengthOf(groups.slice(0, 2).toUpperCase());
    const end = length === undefined ? 0 : endOf(groups, length);
    if (end === 0 || !isProbablyIban(groups.slice(0, end))) return groups;
    return `${hidden}${redactIbans(groups.slice(end), hidden)}`;
  });
}

/** After that many letters and digits, if a group ends there; otherwise 0. */
function endOf(groups: string, length: number): number {
  const characters = [...groups.matchAll(/%20|[a-z0-9]/gi)].filter(([found]) => found !== '%20');
  const last = characters[length - 1];
  if (last === undefined) return 0;
  const end = last.index + 1;
  return /^[a-z0-9]/i.test(groups.slice(end)) ? 0 : end;
}

/** In capitals also one with a mistake: that is the one that was refused. Parts of ids and digests are in lower case. */
function isProbablyIban(groups: string): boolean {
  const compact = groups.replaceAll(/%20|[^a-z0-9]/gi, '');
  return compact === compact.toUpperCase() || isIban(compact.toUpperCase());
}

/** ISO/IEC 7812: every second digit from the right counts double. */
function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const counted = i % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
