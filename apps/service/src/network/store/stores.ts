import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Capabilities, Store, StoreStatus } from '../domain/store.ts';

/** A network has hundreds of stores, not thousands; whoever reads them all reads at most so many. */
const storesMax = 1_000;

const columns = sql`
  store_id, name, territory_codes, audio_formats, use_types, pre_order, takedown, updates, ern_version,
  lead_time_business_days, rule_pack, max_concurrent_sends, connector, status
`;

type Row = {
  readonly store_id: string;
  readonly name: string;
  readonly territory_codes: string[];
  readonly audio_formats: Capabilities['audioFormats'];
  readonly use_types: Capabilities['useTypes'];
  readonly pre_order: boolean;
  readonly takedown: boolean;
  readonly updates: boolean;
  readonly ern_version: string;
  readonly lead_time_business_days: number;
  readonly rule_pack: Store['rulePack'];
  readonly max_concurrent_sends: number;
  readonly connector: Store['connector'];
  readonly status: StoreStatus;
};

const toStore = (row: Row): Store => ({
  storeId: row.store_id,
  name: row.name,
  territoryCodes: row.territory_codes,
  capabilities: {
    audioFormats: row.audio_formats,
    useTypes: row.use_types,
    preOrder: row.pre_order,
    takedown: row.takedown,
    update: row.updates,
    ernVersion: row.ern_version,
    leadTimeBusinessDays: row.lead_time_business_days,
  },
  rulePack: row.rule_pack,
  maxConcurrentSends: row.max_concurrent_sends,
  connector: row.connector,
  status: row.status,
});

export async function findStore(db: Db, storeId: string): Promise<Store | undefined> {
  const [row] = await db.query<Row>(sql`select ${columns} from stores where store_id = ${storeId}`);
  return row && toStore(row);
}

export async function allStores(db: Db): Promise<Store[]> {
  const rows = await db.query<Row>(
    sql`select ${columns} from stores order by store_id limit ${storesMax}`,
  );
  return rows.map(toStore);
}

/** Those of them that exist, by `store_id`. */
export async function findStores(db: Db, storeIds: readonly string[]): Promise<Store[]> {
  const rows = await db.query<Row>(
    sql`select ${columns} from stores where store_id = any(${storeIds}) order by store_id`,
  );
  return rows.map(toStore);
}

/** Whether there is such a store. */
export async function setStoreStatus(
  tx: Tx,
  storeId: string,
  status: StoreStatus,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update stores
       set status = ${status}, updated_at = ${tx.realNow}, actor_type = ${tx.actor.type},
           actor_id = ${tx.actor.id}
     where store_id = ${storeId}
    returning store_id
  `);
  return rows.length > 0;
}

/** By `store_id` (contract §1). */
export async function listStores(
  db: Db,
  territoryCode: TerritoryCode | undefined,
  { limit, after }: PageRequest,
): Promise<Page<Store>> {
  const rows = await db.query<Row>(sql`
    select ${columns} from stores
     where (${territoryCode ?? null}::text is null or territory_codes @> array[${territoryCode ?? null}::text])
       and (${after?.id ?? null}::text is null or store_id > ${after?.id ?? null})
     order by store_id
     limit ${limit + 1}
  `);
  return toPage(rows, limit, { item: toStore, position: (row) => ({ at: '', id: row.store_id }) });
}

/** Those of the given codes in which no store sells. */
export async function findUnsupported(
  db: Db,
  codes: readonly TerritoryCode[],
): Promise<ReadonlySet<TerritoryCode>> {
  const rows = await db.query<{ code: string }>(sql`
    select code from unnest(${codes}::text[]) code
     where not exists (select from stores where territory_codes @> array[code])
  `);
  return new Set(rows.map(({ code }) => code));
}

/** Adds a store or brings it up to date; whether it is paused is not touched. */
export function putStore(tx: Tx, store: Store): void {
  const { capabilities } = store;
  tx.write(sql`
    insert into stores (${columns}, updated_at, actor_type, actor_id)
    values (${store.storeId}, ${store.name}, ${store.territoryCodes}, ${capabilities.audioFormats},
            ${capabilities.useTypes}, ${capabilities.preOrder}, ${capabilities.takedown},
            ${capabilities.update}, ${capabilities.ernVersion}, ${capabilities.leadTimeBusinessDays},
            ${store.rulePack}, ${store.maxConcurrentSends}, ${store.connector}, ${store.status}, ${tx.realNow}, ${tx.actor.type}, ${tx.actor.id})
    on conflict (store_id) do update
       set name = excluded.name, territory_codes = excluded.territory_codes,
           audio_formats = excluded.audio_formats, use_types = excluded.use_types,
           pre_order = excluded.pre_order, takedown = excluded.takedown, updates = excluded.updates,
           ern_version = excluded.ern_version,
           lead_time_business_days = excluded.lead_time_business_days,
           rule_pack = excluded.rule_pack, max_concurrent_sends = excluded.max_concurrent_sends, connector = excluded.connector,
           updated_at = excluded.updated_at,
           actor_type = excluded.actor_type, actor_id = excluded.actor_id
  `);
}
