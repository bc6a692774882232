import { formatMicros, type Micros, parseMicros } from '../../kernel/money.ts';
import type { Column } from '../../platform/db/columns.ts';

/** PostgreSQL returns a numeric as text. */
export function readMicros(stored: string): Micros {
  const amount = parseMicros(stored);
  if (amount === undefined) throw new TypeError(`not an amount: ${stored}`);
  return amount;
}

/** A `numeric(28, 6)`. */
export const microsColumn: Column<Micros> = { read: readMicros, write: formatMicros };
