import { reserveUpc } from '../../identity/face.ts';
import { comparableCode, type Ean } from '../../kernel/product-code.ts';
import { isUpc, type Upc } from '../../kernel/upc.ts';
import type { Tx } from '../../platform/db/database.ts';

type NamedCodes = {
  readonly upc?: Upc | undefined;
  readonly ean?: Ean | null | undefined;
};

/** Codes of the request, which no other release may get from the pool. An EAN with a leading 0 is a UPC. */
export function reserveNamedCodes(tx: Tx, { upc, ean }: NamedCodes): void {
  if (upc !== undefined) reserveUpc(tx, upc);
  const upcOfEan = comparableCode(ean ?? '');
  if (isUpc(upcOfEan)) reserveUpc(tx, upcOfEan);
}
