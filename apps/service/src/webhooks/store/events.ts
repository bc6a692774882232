import { type OrgId, type RequestId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, pageBytesMax, type PageRequest, toBoundedPage } from '../../kernel/page.ts';
import type { Db } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { WebhookDeliveryStatus, EventId } from '../domain/attempt.ts';
import type { StoredEvent } from '../domain/event.ts';

export type EventFilters = {
  readonly type?: string | undefined;
  /** Only events after this sequence, oldest first: how a consumer catches up. */
  readonly after?: number | undefined;
  readonly deliveryStatus?: WebhookDeliveryStatus | undefined;
};

/** Deliveries to deleted webhooks do not count. */
const existsWebhookDelivery = (condition: Sql): Sql => sql`exists (
  select from webhook_deliveries delivery
    join webhooks on webhooks.org_id = delivery.org_id and webhooks.id = delivery.webhook_id
   where delivery.org_id = events.org_id and delivery.event_id = events.id and ${condition})`;

/** Literals, not parameters: only with a literal can PostgreSQL use the partial indexes by status. */
const deliveryStatusConditions: Readonly<Record<WebhookDeliveryStatus, Sql>> = {
  pending: existsWebhookDelivery(sql`delivery.status = 'pending'`),
  undelivered: existsWebhookDelivery(sql`delivery.status = 'undelivered'`),
  delivered: sql`${existsWebhookDelivery(sql`true`)} and not ${existsWebhookDelivery(sql`delivery.status <> 'delivered'`)}`,
};

export type EventRow = {
  readonly id: string;
  readonly type: string;
  readonly sequence: string;
  readonly created_at: Date;
  readonly data: unknown;
};

export const eventColumns = sql`events.id, events.type, events.sequence, events.created_at, events.data`;

/** Sequenced events only: an event that commits late gets a later sequence, so no reader skips it. */
export async function listEvents(
  db: Db,
  orgId: OrgId,
  { type, after, deliveryStatus }: EventFilters,
  page: PageRequest,
): Promise<Page<StoredEvent>> {
  const isAscending = after !== undefined;
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`, sql`sequence is not null`];
  if (type !== undefined) where.push(sql`type = ${type}`);
  if (after !== undefined) where.push(sql`sequence > ${after}`);
  if (deliveryStatus !== undefined) where.push(deliveryStatusConditions[deliveryStatus]);
  if (page.after !== undefined) {
    where.push(isAscending ? sql`sequence > ${page.after.id}` : sql`sequence < ${page.after.id}`);
  }
  const order = isAscending ? sql`sequence asc` : sql`sequence desc`;
  const rows = await db.query<EventRow & { has_next: boolean }>(sql`
    select *
      from (select ${eventColumns}, lead(id) over listed_order is not null as has_next,
                   sum(octet_length(data::text)) over listed_order - octet_length(data::text) as bytes_before
              from events
             where ${allOf(where)}
            window listed_order as (order by ${order} rows unbounded preceding)
             order by ${order}
             limit ${page.limit}) page
     where bytes_before < ${pageBytesMax}
     order by ${order}
  `);
  return toBoundedPage(rows, {
    item: toEvent,
    position: ({ sequence }) => ({ at: '', id: sequence }),
  });
}

export const toEvent = (row: EventRow): StoredEvent => ({
  id: toWire('evt', row.id),
  type: row.type,
  sequence: Number(row.sequence),
  createdAt: row.created_at,
  data: row.data,
});

export async function findEvent(
  db: Db,
  orgId: OrgId,
  id: EventId,
): Promise<StoredEvent | undefined> {
  const [row] = await db.query<EventRow>(sql`
    select ${eventColumns} from events
     where org_id = ${toUuid(orgId)} and id = ${toUuid(id)} and sequence is not null
  `);
  return row && toEvent(row);
}

/** Longer than an id can be ahead of its process's clock. */
const endMarginMs = 1_000;

/**
 * The first `limit` events that a request's own transactions appended. The process that executed the request made their
 * ids too: they lie between the id of the request and its end.
 */
export async function listEventsOfRequest(
  db: Db,
  orgId: OrgId,
  request: { readonly id: RequestId; readonly durationMs: number },
  limit: number,
): Promise<StoredEvent[]> {
  const id = toUuid(request.id);
  const rows = await db.query<EventRow>(sql`
    select ${eventColumns} from events
     where org_id = ${toUuid(orgId)}
       and id > ${id}
       and id < uuid7_floor(uuid_extract_timestamp(${id}) + ${request.durationMs + endMarginMs} * interval '1 ms')
       and request_id = ${id} and sequence is not null
     order by id
     limit ${limit}
  `);
  return rows.map(toEvent);
}
