import { formatFxRate, type FxRate, parseFxRate } from '../../kernel/money.ts';
import type { Column } from '../../platform/db/columns.ts';

/** A `numeric(20, 10)`. */
export const fxRateColumn: Column<FxRate> = {
  read: (stored: string) => {
    const rate = parseFxRate(stored);
    if (rate === undefined) throw new TypeError(`not a rate: ${stored}`);
    return rate;
  },
  write: formatFxRate,
};
