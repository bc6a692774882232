/** Twelve digits, the last of them a GS1 check digit (contract §2). */
export type Upc = string;

export const upcBodyDigits = 11;

/** GS1 mod 10: weights 3,1,3,1… starting at the digit left of the check digit. */
function checkDigit(body: string): number {
  const sum = Array.from(body, Number)
    .toReversed()
    .reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}

export const isUpc = (text: string): boolean =>
  /^\d{12}$/.test(text) && checkDigit(text.slice(0, upcBodyDigits)) === Number(text.slice(-1));

/** The code whose first eleven digits are this number. */
export function upcFromNumber(number: number): Upc {
  const body = String(number).padStart(upcBodyDigits, '0');
  return `${body}${checkDigit(body)}`;
}
