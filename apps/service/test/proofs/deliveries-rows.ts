/** What the service has stored about the deliveries of one organization, as the proof `deliveries` judges it. */

import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { unpackTerritories } from '../../src/kernel/territory-set.ts';
import type { Query } from './lasting-queries.ts';

type OfDelivery = { readonly delivery_id: string };

export type DeliveryRow = OfDelivery &
  Readonly<Record<string, unknown>> & { readonly status: string };

export type StoreDeliveryRow = OfDelivery & {
  readonly store_id: string;
  readonly status: string;
  readonly revision: number;
  readonly territories: Buffer;
  readonly update: UpdateColumn | null;
  readonly rejection_reason: string | null;
  readonly live_basis: string | null;
  readonly is_takedown_requested: boolean;
  readonly taken_down_by: string | null;
  readonly is_acknowledged: boolean;
  readonly is_overdue: boolean;
  readonly requested_territory_codes: readonly string[] | null;
};

type UpdateColumn = {
  readonly revision: number;
  readonly status: string;
  readonly rejection: { readonly reason: string } | null;
  readonly deal: { readonly territories: string };
};

export type Entry = OfDelivery & {
  readonly id: string;
  readonly type: string;
  readonly created_at: Date;
} & (
    | { readonly store_id: null }
    | { readonly store_id: string; readonly previous: string; readonly status: string }
  );
export type Step = Extract<Entry, { readonly previous: string }>;

export type EventRow = OfDelivery & { readonly type: string; readonly status: string } & (
    | { readonly store_id: null; readonly statuses: readonly string[] }
    | { readonly store_id: string; readonly store_status: string }
  );

export type HoldingRow = OfDelivery & {
  readonly store_id: string;
  readonly code: string;
  readonly is_release: boolean;
  readonly territories: Buffer;
  readonly held_from: Date;
  readonly held_to: Date | null;
};

export const isStep = (entry: Entry): entry is Step => entry.store_id !== null;

export const codesIn = (packed: Buffer | string): string =>
  unpackTerritories(typeof packed === 'string' ? Buffer.from(packed, 'hex') : packed).join();

export type OrganizationRows = Awaited<ReturnType<typeof readOrganization>>;

export async function readOrganization(query: Query, orgId: string) {
  const org = toUuid(orgId as Id<'org'>);
  const byDelivery = async <Row extends OfDelivery>(text: string) =>
    Map.groupBy(await query<Row>(text, [org]), ({ delivery_id }) => toWire('dlv', delivery_id));
  const releases = await query<{ id: string; status: string }>(
    'select id, status from releases where org_id = $1',
    [org],
  );
  const events = await query<EventRow>(
    `select coalesce(data ->> 'delivery_id', data ->> 'id') as delivery_id, type, data ->> 'status' as status,
            data #>> '{store,store_id}' as store_id, data #>> '{store,status}' as store_status,
            jsonb_path_query_array(data, '$.stores[*].status') as statuses
       from events where org_id = $1 and type like 'delivery.%' order by id`,
    [org],
  );
  return {
    releases: new Map(releases.map(({ id, status }) => [toWire('rel', id), status])),
    deliveries: await byDelivery<DeliveryRow>(
      'select *, id as delivery_id from deliveries where org_id = $1',
    ),
    storeDeliveries: await byDelivery<StoreDeliveryRow>(
      `select delivery_id, store_id, status, revision, territories, update, rejection_reason, live_basis,
              takedown_requested_at is not null as is_takedown_requested, taken_down_by,
              acknowledged_at is not null as is_acknowledged, is_overdue, requested_territory_codes
         from delivery_stores where org_id = $1`,
    ),
    timeline: await byDelivery<Entry>(
      `select delivery_id, id, store_id, type, created_at, data ->> 'previous_status' as previous,
              data ->> 'status' as status
         from delivery_timeline where org_id = $1 order by id`,
    ),
    events: Map.groupBy(events, ({ delivery_id }) => delivery_id),
    holdings: await byDelivery<HoldingRow>(
      `select delivery_id, store_id, code, track_id is null as is_release, territories, held_from, held_to
         from store_holdings where org_id = $1`,
    ),
  };
}
