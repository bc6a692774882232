/** The directory of what stores have and had, by the codes with which stores name it (EAN or UPC, ISRC). */

import type { TrackId } from '../../catalog/face.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { comparableCode } from '../../kernel/product-code.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { Delivery } from '../domain/delivery.ts';
import { territorySet } from './deal-columns.ts';
import type { StoreDeliveryRef } from './messages.ts';

export type Holding = {
  readonly storeId: string;
  readonly code: string;
  /** Null: the release. */
  readonly trackId: TrackId | null;
  readonly territoryCodes: readonly TerritoryCode[];
};

/** Ends what these stores had of the delivery, then begins what they have now. */
export function recordHoldings(
  tx: Tx,
  { id, releaseId }: Pick<Delivery, 'id' | 'releaseId'>,
  endedStores: readonly string[],
  begun: readonly Holding[],
): void {
  const records = begun.map(({ storeId, code, trackId, territoryCodes }) => ({
    store_id: storeId,
    code,
    track_id: trackId && toUuid(trackId),
    territories: territorySet.write(territoryCodes),
  }));
  tx.write(sql`
    select record_holdings(${toUuid(id)}, ${toUuid(releaseId)}, ${tx.now}, ${endedStores}, ${json(records)}::json)
  `);
}

export type StoreCode = { readonly storeId: string; readonly code: string };

/** A store may name a UPC with or without the leading 0 of an EAN. */
export const storeCodeKey = ({ storeId, code }: StoreCode): string =>
  `${storeId} ${comparableCode(code)}`;

/** For each code: the store delivery by which the store has it, or had it last. */
export async function findHolders(
  db: Db,
  codes: readonly StoreCode[],
): Promise<ReadonlyMap<string, StoreDeliveryRef>> {
  if (codes.length === 0) return new Map();
  const rows = await db.query<{
    store_id: string;
    code: string;
    org_id: string;
    delivery_id: string;
  }>(sql`
    select distinct on (store_id, code) store_id, code, org_id, delivery_id
      from store_holdings
      join json_to_recordset(${json(codes.map(toRecord))}::json)
        as named (store_id text, code text) using (store_id, code)
     order by store_id, code, held_to desc nulls first, held_from desc, delivery_id desc
  `);
  return new Map(
    rows.map((row) => [
      storeCodeKey({ storeId: row.store_id, code: row.code }),
      {
        orgId: toWire('org', row.org_id),
        deliveryId: toWire('dlv', row.delivery_id),
        storeId: row.store_id,
      },
    ]),
  );
}

const toRecord = ({ storeId, code }: StoreCode) => ({
  store_id: storeId,
  code: comparableCode(code),
});

/** Releases of the organization that a store has, or had, under this code. */
export async function findReleasesHeldAs(tx: Tx, code: string): Promise<ReleaseId[]> {
  const rows = await tx.query<{ release_id: string }>(sql`
    select distinct release_id from store_holdings
     where code = ${comparableCode(code)} and org_id = ${toUuid(tx.orgId)} order by release_id
  `);
  return rows.map(({ release_id }) => toWire('rel', release_id));
}

/** What a store has or had, at any time: by the codes that it names, or the tracks of releases. */
export type HoldingsQuery = {
  readonly storeId: string;
  /** Null: of every organization. */
  readonly orgId: OrgId | null;
} & ({ readonly codes: readonly string[] } | { readonly tracksOfReleaseUuids: readonly string[] });

/** As stored, because a report reads millions: converting the ids alone took a third of the time of reading them. */
export type StoreHolding = {
  readonly code: string;
  readonly orgUuid: string;
  readonly releaseUuid: string;
  /** Null: the release. */
  readonly trackUuid: string | null;
  /** The 32 bytes of territory-set.ts, as hex. */
  readonly territories: string;
  /** UTC days. */
  readonly heldFrom: CalendarDate;
  /** Null: the store has it. */
  readonly heldTo: CalendarDate | null;
};

export function findStoreHoldings(db: Db, query: HoldingsQuery): Promise<readonly StoreHolding[]> {
  const orgUuid = query.orgId && toUuid(query.orgId);
  const named =
    'codes' in query
      ? sql`code = any(${query.codes.map(comparableCode)})`
      : sql`release_id = any(${query.tracksOfReleaseUuids}::uuid[]) and track_id is not null`;
  return db.query<StoreHolding>(sql`
    select code, org_id as "orgUuid", release_id as "releaseUuid", track_id as "trackUuid",
           encode(territories, 'hex') as territories,
           to_char(held_from at time zone 'utc', 'YYYY-MM-DD') as "heldFrom",
           to_char(held_to at time zone 'utc', 'YYYY-MM-DD') as "heldTo"
      from store_holdings
     where store_id = ${query.storeId} and ${named} and (${orgUuid}::uuid is null or org_id = ${orgUuid}::uuid)
  `);
}
