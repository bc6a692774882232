/** Rates for payouts in another currency than their method. They are the same for all organizations. */

import type { Currency } from '../../kernel/currency.ts';
import { formatFxRate, type FxRate } from '../../kernel/money.ts';
import { defineColumns, type Row } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { fxRateColumn } from './fx-rate-column.ts';

export type FxRateSetting = {
  readonly from: Currency;
  readonly to: Currency;
  readonly rate: FxRate;
};

const rates = defineColumns<{ readonly rate: FxRate }>({ rate: fxRateColumn });

/** Undefined: no operator has set this rate, and the reverse rate is not used in its place. */
export async function findFxRate(
  db: Db,
  from: Currency,
  to: Currency,
): Promise<FxRate | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${rates.names} from fx_rates where from_currency = ${from} and to_currency = ${to}
  `);
  return row && rates.read(row).rate;
}

/** For operators. */
export function writeFxRate(tx: Tx, { from, to, rate }: FxRateSetting): void {
  tx.write(sql`
    insert into fx_rates (from_currency, to_currency, rate) values (${from}, ${to}, ${formatFxRate(rate)})
    on conflict (from_currency, to_currency) do update set rate = excluded.rate, set_at = now()
  `);
}
