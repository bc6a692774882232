/** How stores are reached. The settings are read by `connectors/ddex/connection.ts`. */

import { actorColumns, insertInto } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';

export type StoredConnection = {
  readonly settings: unknown;
  /** Sealed. */
  readonly secret: Buffer;
};

export async function findConnection(
  db: Db,
  storeId: string,
): Promise<StoredConnection | undefined> {
  const [row] = await db.query<StoredConnection>(
    sql`select settings, secret from store_connections where store_id = ${storeId}`,
  );
  return row;
}

/** Without their secrets, which the api cannot read. */
export async function findConnectionSettings(
  db: Db,
  storeIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.query<{ store_id: string; settings: unknown }>(
    sql`select store_id, settings from store_connections where store_id = any(${storeIds})`,
  );
  return new Map(rows.map(({ store_id, settings }) => [store_id, settings]));
}

export function putConnection(
  tx: Tx,
  storeId: string,
  { settings, secret }: StoredConnection,
): void {
  const row = {
    store_id: storeId,
    settings: json(settings),
    secret,
    updated_at: tx.realNow,
    ...actorColumns(tx),
  };
  tx.write(sql`
    ${insertInto('store_connections', row)}
    on conflict (store_id) do update
       set settings = excluded.settings, secret = excluded.secret, updated_at = excluded.updated_at,
           actor_type = excluded.actor_type, actor_id = excluded.actor_id
  `);
}

/** A network has hundreds of stores. */
const connectedMax = 1_000;

/** The active stores that are sent batches. */
export async function listConnectedStores(db: Db): Promise<readonly string[]> {
  const rows = await db.query<{ store_id: string }>(sql`
    select store_id from store_connections join stores using (store_id)
     where connector = 'ddex' and status = 'active' order by store_id limit ${connectedMax}
  `);
  return rows.map(({ store_id }) => store_id);
}

/** The time that names the next batch: now, but later than every batch of the store before it. */
export async function takeBatchTime(tx: Tx, storeId: string): Promise<Date> {
  const [row] = await tx.query<{ last_batch_at: Date }>(sql`
    update store_connections
       set last_batch_at = greatest(date_trunc('milliseconds', ${tx.realNow}::timestamptz), last_batch_at + interval '1 millisecond')
     where store_id = ${storeId}
    returning last_batch_at
  `);
  if (row === undefined) throw new Error(`${storeId} has no connection`);
  return row.last_batch_at;
}
