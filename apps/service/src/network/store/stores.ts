import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import {
  actorColumns,
  type ColumnsOf,
  defineColumns,
  insertInto,
  jsonb,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type {
  Capabilities,
  ConnectorName,
  Store,
  StoreSettings,
  StoreStatus,
} from '../domain/store.ts';

/** A network has hundreds of stores, not thousands. */
const storesMax = 1_000;

/** As in the table, where capabilities are columns like the other fields. */
type StoredSettings = Omit<StoreSettings, 'capabilities'> &
  Omit<Capabilities, 'update'> & { readonly updates: boolean };
type StoredStore = StoredSettings & Pick<Store, 'territoryCodes'>;

const settingsColumns: ColumnsOf<StoredSettings> = {
  storeId: plain(),
  name: plain(),
  audioFormats: plain(),
  useTypes: plain(),
  preOrder: plain(),
  takedown: plain(),
  takedownMethod: plain(),
  updates: plain(),
  confirmation: plain(),
  ernVersion: plain(),
  leadTimeBusinessDays: plain(),
  rulePack: plain(),
  genres: jsonb(),
  maxConcurrentSends: plain(),
  connector: plain(),
  status: plain(),
};
const settings = defineColumns<StoredSettings>(settingsColumns);
const stores = defineColumns<StoredStore>({ ...settingsColumns, territoryCodes: plain() });

function toSettings(row: Row): StoreSettings {
  const { storeId, name, rulePack, genres, maxConcurrentSends, connector, status, ...own } =
    settings.read(row);
  const { updates: update, ...others } = own;
  const capabilities = { ...others, update };
  return { storeId, name, capabilities, rulePack, genres, maxConcurrentSends, connector, status };
}

function toStore(row: Row): Store {
  const { territoryCodes } = stores.read(row);
  return { ...toSettings(row), territoryCodes };
}

function toRow(tx: Tx, { capabilities, ...store }: Store): Row {
  const { update: updates, ...others } = capabilities;
  return {
    ...stores.write({ ...store, ...others, updates }),
    updated_at: tx.realNow,
    ...actorColumns(tx),
  };
}

export async function findStore(db: Db, storeId: string): Promise<Store | undefined> {
  const [row] = await db.query<Row>(
    sql`select ${stores.names} from stores where store_id = ${storeId}`,
  );
  return row && toStore(row);
}

export async function allStores(db: Db): Promise<Store[]> {
  const rows = await db.query<Row>(
    sql`select ${stores.names} from stores order by store_id limit ${storesMax}`,
  );
  return rows.map(toStore);
}

export async function listStoreIds(db: Db): Promise<string[]> {
  const rows = await db.query<{ store_id: string }>(
    sql`select store_id from stores order by store_id limit ${storesMax}`,
  );
  return rows.map(({ store_id }) => store_id);
}

/** The existing ones, by `store_id`. */
export async function findStores(db: Db, storeIds: readonly string[]): Promise<Store[]> {
  const rows = await db.query<Row>(
    sql`select ${stores.names} from stores where store_id = any(${storeIds}) order by store_id`,
  );
  return rows.map(toStore);
}

/** The same without territories: a store has up to 249 codes, and reading those of 150 stores takes longer than the rest. */
export async function findStoreSettings(
  db: Db,
  storeIds: readonly string[],
): Promise<StoreSettings[]> {
  const rows = await db.query<Row>(
    sql`select ${settings.names} from stores where store_id = any(${storeIds}) order by store_id`,
  );
  return rows.map(toSettings);
}

/** Returns whether there is such a store. */
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

/** Returns whether there is such a store. */
export async function setConnector(
  tx: Tx,
  storeId: string,
  connector: ConnectorName,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update stores
       set connector = ${connector}, updated_at = ${tx.realNow}, actor_type = ${tx.actor.type},
           actor_id = ${tx.actor.id}
     where store_id = ${storeId}
    returning store_id
  `);
  return rows.length > 0;
}

/** When a run may take a report: when it is read, or when the store has paid it. */
export const payOnValues = ['report', 'remittance'] as const;
type PayOn = (typeof payOnValues)[number];

/** Returns the setting before; undefined if there is no such store. */
async function setSetting<T>(
  tx: Tx,
  storeId: string,
  column: Sql,
  value: unknown,
): Promise<T | undefined> {
  const [row] = await tx.query<{ before: T }>(sql`
    update stores
       set ${column} = ${value}, updated_at = ${tx.realNow}, actor_type = ${tx.actor.type},
           actor_id = ${tx.actor.id}
     where store_id = ${storeId}
    returning old.${column} as before
  `);
  return row?.before;
}

export const setPayOn = (tx: Tx, storeId: string, payOn: PayOn): Promise<PayOn | undefined> =>
  setSetting(tx, storeId, sql`pay_on`, payOn);

export const setReportDueDays = (
  tx: Tx,
  storeId: string,
  days: number,
): Promise<number | undefined> => setSetting(tx, storeId, sql`report_due_days`, days);

export const setGenres = (
  tx: Tx,
  storeId: string,
  genres: Store['genres'],
): Promise<Store['genres'] | undefined> => setSetting(tx, storeId, sql`genres`, json(genres));

/** How many days after the end of a month each store reports it, by `store_id`. */
export async function findReportDueDays(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ store_id: string; report_due_days: number }>(
    sql`select store_id, report_due_days from stores`,
  );
  return new Map(rows.map((row) => [row.store_id, row.report_due_days]));
}

/** By `store_id` (contract §1). */
export async function listStores(
  db: Db,
  territoryCode: TerritoryCode | undefined,
  { limit, after }: PageRequest,
): Promise<Page<Store>> {
  const rows = await db.query<Row & { store_id: string }>(sql`
    select ${stores.names} from stores
     where (${territoryCode ?? null}::text is null or territory_codes @> array[${territoryCode ?? null}::text])
       and (${after?.id ?? null}::text is null or store_id > ${after?.id ?? null})
     order by store_id
     limit ${limit + 1}
  `);
  return toPage(rows, limit, { item: toStore, position: (row) => ({ at: '', id: row.store_id }) });
}

/** The codes in which no store sells. */
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

/** Inserts or updates a store; an update leaves its status and its connector, which the operator has set. */
export function putStore(tx: Tx, store: Store): void {
  tx.write(sql`
    ${insertInto('stores', toRow(tx, store))}
    on conflict (store_id) do update
       set name = excluded.name, territory_codes = excluded.territory_codes,
           audio_formats = excluded.audio_formats, use_types = excluded.use_types,
           pre_order = excluded.pre_order, takedown = excluded.takedown,
           takedown_method = excluded.takedown_method, updates = excluded.updates,
           confirmation = excluded.confirmation,
           ern_version = excluded.ern_version,
           lead_time_business_days = excluded.lead_time_business_days,
           rule_pack = excluded.rule_pack, max_concurrent_sends = excluded.max_concurrent_sends,
           updated_at = excluded.updated_at,
           actor_type = excluded.actor_type, actor_id = excluded.actor_id
  `);
}
