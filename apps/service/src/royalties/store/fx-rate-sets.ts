import { toUuid } from '../../kernel/ids.ts';
import { formatFxRate, type FxRate } from '../../kernel/money.ts';
import { fxRateColumn } from '../../money/face.ts';
import {
  actorColumns,
  type Column,
  defineColumns,
  idColumn,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { CurrencyPair, FxRateSet, FxRateSetId } from '../domain/run-rates.ts';

const ratesColumn: Column<ReadonlyMap<CurrencyPair, FxRate>> = {
  read: (stored: Readonly<Record<CurrencyPair, never>>) =>
    new Map(
      // Object.entries loses the type of the keys, which are pairs by `write`.
      Object.entries(stored).map(([pair, rate]) => [pair as CurrencyPair, fxRateColumn.read(rate)]),
    ),
  write: (rates) =>
    json(Object.fromEntries([...rates].map(([pair, rate]) => [pair, formatFxRate(rate)]))),
};

const fxRateSets = defineColumns<FxRateSet>({
  id: idColumn('fxs'),
  name: plain(),
  asOf: plain(),
  rates: ratesColumn,
  createdAt: plain(),
});

const setsShownMax = 100;

export async function findFxRateSet(db: Db, id: FxRateSetId): Promise<FxRateSet | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${fxRateSets.names} from fx_rate_sets where id = ${toUuid(id)}`,
  );
  return row && fxRateSets.read(row);
}

/** The latest first. */
export async function listFxRateSets(db: Db): Promise<FxRateSet[]> {
  const rows = await db.query<Row>(sql`
    select ${fxRateSets.names} from fx_rate_sets order by as_of desc, id desc limit ${setsShownMax}
  `);
  return rows.map(fxRateSets.read);
}

export async function isFxRateSetName(db: Db, name: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from fx_rate_sets where name = ${name}`);
  return rows.length > 0;
}

export function insertFxRateSet(tx: Tx, set: FxRateSet): void {
  tx.write(insertInto('fx_rate_sets', { ...fxRateSets.write(set), ...actorColumns(tx) }));
}
