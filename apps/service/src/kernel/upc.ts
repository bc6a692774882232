import { gs1CheckDigit } from './gs1.ts';

/** Twelve digits, the last of them a GS1 check digit (contract §2). */
export type Upc = string;

export const upcBodyDigits = 11;

export const isUpc = (text: string): boolean =>
  /^\d{12}$/.test(text) && gs1CheckDigit(text.slice(0, upcBodyDigits)) === Number(text.slice(-1));

/** The code whose first eleven digits are this number. */
export function upcFromNumber(number: number): Upc {
  const body = String(number).padStart(upcBodyDigits, '0');
  return `${body}${gs1CheckDigit(body)}`;
}
