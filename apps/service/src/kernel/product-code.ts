/**
 * The code of a release at stores: its EAN if it has one, because catalogue that moves keeps its code, else its UPC
 * (catalogue §4). A UPC is an EAN without the leading 0, so one product may be named by either.
 */

import { gs1CheckDigit } from './gs1.ts';
import type { Upc } from './upc.ts';

/** EAN-13: thirteen digits, the last of them a GS1 check digit. */
export type Ean = string;

const eanDigits = 13;

/** A UPC or an EAN. */
export type ProductCode = string;

export const isEan = (text: string): boolean =>
  /^\d{13}$/.test(text) && gs1CheckDigit(text.slice(0, -1)) === Number(text.slice(-1));

type Codes = { readonly upc: Upc; readonly ean: Ean | null };

/** As sent to stores. */
export const productCodeOf = ({ upc, ean }: Codes): ProductCode => ean ?? upc;

/** The same text for a UPC and for the EAN that is this UPC with a leading 0. Other codes stay as they are. */
export const comparableCode = (code: string): ProductCode => code.replace(/^0(?=\d{12}$)/, '');

/** The EAN that is this UPC or EAN. */
export const eanOf = (code: ProductCode): Ean => code.padStart(eanDigits, '0');

/** Whether a store could take one for the other. */
export function shareProductCode(a: Codes, b: Codes): boolean {
  const ofA = codesOf(a);
  return codesOf(b).some((code) => ofA.includes(code));
}

const codesOf = ({ upc, ean }: Codes): readonly ProductCode[] =>
  ean === null ? [upc] : [upc, comparableCode(ean)];
