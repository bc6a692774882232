import { reserveUpc } from '../../identity/face.ts';
import { comparableCode } from '../../kernel/product-code.ts';
import { isUpc } from '../../kernel/upc.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Release } from '../domain/release.ts';

/** An EAN with a leading 0 is a UPC: no other release may get it from the pool. */
export function reserveUpcOfEan(tx: Tx, { ean }: Pick<Release, 'ean'>): void {
  const upc = comparableCode(ean ?? '');
  if (isUpc(upc)) reserveUpc(tx, upc);
}
