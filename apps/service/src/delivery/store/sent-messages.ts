import { type OrgId, parseId, toUuid } from '../../kernel/ids.ts';
import { type Page, pageBytesMax, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Row } from '../../platform/db/columns.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Batch } from '../domain/batch.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { MessageId } from '../domain/message.ts';
import { answerSteps, dispatchSteps, type SentMessage } from '../domain/sent-message.ts';
import { batchColumns, toBatch } from './batches.ts';

/** The newest of them; a store that repeats itself for ever fills no answer. */
const stepsMax = 50;

type Where = {
  readonly orgId: OrgId;
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
};

/**
 * Newest first, by the id of the message. A message is in the timeline once it is dispatched, and has a batch once a
 * store that speaks DDEX is sent it. Call it in one snapshot (`readTogether`).
 */
export async function listSentMessages(
  db: Db,
  where: Where,
  { limit, after }: PageRequest,
): Promise<Page<SentMessage>> {
  const position = after && parseId('msg', after.id);
  const [dispatched, { batches, isCut }] = await Promise.all([
    listDispatched(db, where, position, limit + 1),
    listBatches(db, where, position, limit + 1),
  ]);
  const found = new Map(dispatched.map((message) => [message.id, message]));
  for (const { batch, isRepeated } of batches) {
    found.set(batch.messageId, withBatch(found.get(batch.messageId), batch, isRepeated));
  }
  const newestFirst = [...found.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const last = batches.at(-1)?.batch.messageId;
  // The batches of older messages were not read.
  const known =
    isCut && last !== undefined ? newestFirst.filter(({ id }) => id >= last) : newestFirst;
  const page = toPage(known, limit, {
    item: (message) => message,
    position: ({ id }) => ({ at: '', id }),
  });
  return isCut ? { ...page, next: page.next ?? page.positionAt(page.items.length - 1) } : page;
}

const withBatch = (
  found: SentMessage | undefined,
  batch: Batch,
  isRepeated: boolean,
): SentMessage => ({
  id: batch.messageId,
  kind: batch.kind,
  revision: found?.revision ?? null,
  dispatchedAt: found?.dispatchedAt ?? batch.createdAt,
  answers: found?.answers ?? [],
  isInferred: found?.isInferred ?? false,
  isRepeated,
  batch,
});

type DispatchedRow = {
  readonly message_id: string;
  readonly dispatch_type: string;
  readonly revision: number;
  readonly dispatched_at: Date;
  readonly is_repeated: boolean;
  readonly is_inferred: boolean;
  readonly steps: readonly {
    readonly type: string;
    readonly at: string;
    readonly code: string | null;
    readonly reason: string | null;
  }[];
};

/** Entries are younger than their delivery, as in `listTimelineEntries`. Ids sort as text as they do as UUIDs. */
async function listDispatched(
  db: Db,
  { orgId, deliveryId, storeId }: Where,
  after: MessageId | undefined,
  limit: number,
): Promise<readonly SentMessage[]> {
  const isOlder = after === undefined ? sql`true` : sql`message_id < ${after}`;
  const rows = await db.query<DispatchedRow>(sql`
    with messages as (
      select data ->> 'message_id' collate "C" as message_id,
             max(type) filter (where type = any(${[...dispatchSteps.keys()]})) as dispatch_type,
             min(created_at) filter (where type = any(${[...dispatchSteps.keys()]})) as dispatched_at,
             max((data ->> 'revision')::int) filter (where type = any(${[...dispatchSteps.keys()]})) as revision,
             bool_or(type = 'inferred') as is_inferred,
             to_jsonb((array_agg(jsonb_build_object(
               'type', type, 'at', created_at, 'code', data ->> 'rejection_code', 'reason', data ->> 'rejection_reason'
             ) order by id desc))[1:${stepsMax}]) as steps
        from delivery_timeline
       where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(deliveryId)} and store_id = ${storeId}
         and id > uuid7_floor(uuid_extract_timestamp(${toUuid(deliveryId)}::uuid) - interval '1 day')
       group by 1
    )
    select *, dispatch_type = 'dispatched'
              and message_id > min(message_id) filter (where dispatch_type = 'dispatched') over () as is_repeated
      from messages where dispatch_type is not null and ${isOlder}
     order by message_id desc limit ${limit}
  `);
  return rows.flatMap((row) => toDispatched(row) ?? []);
}

function toDispatched(row: DispatchedRow): SentMessage | undefined {
  const id = parseId('msg', row.message_id);
  const kind = dispatchSteps.get(row.dispatch_type);
  if (id === undefined || kind === undefined) return undefined;
  const answerOf = new Map(Object.entries(answerSteps[kind]));
  return {
    id,
    kind,
    isRepeated: row.is_repeated,
    revision: row.revision,
    dispatchedAt: row.dispatched_at,
    answers: row.steps.toReversed().flatMap(({ type, at, code, reason }) => {
      const answer = answerOf.get(type);
      return answer === undefined ? [] : [{ answer, at: new Date(at), code, reason }];
    }),
    isInferred: row.is_inferred,
    batch: undefined,
  };
}

type ReadBatch = { readonly batch: Batch; readonly isRepeated: boolean };

/** `isCut`: they ended before the limit, because they are large. */
async function listBatches(
  db: Db,
  { orgId, deliveryId, storeId }: Where,
  after: MessageId | undefined,
  limit: number,
): Promise<{ readonly batches: readonly ReadBatch[]; readonly isCut: boolean }> {
  const isOlder = after === undefined ? sql`true` : sql`message_id < ${toUuid(after)}`;
  const rows = await db.query<Row & { is_repeated: boolean; has_next: boolean }>(sql`
    with older as (
      select ${batchColumns},
             octet_length(acknowledgements::text) + octet_length(files::text) + octet_length(unsent_files::text) as bytes
        from store_batches
       where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(deliveryId)} and store_id = ${storeId} and ${isOlder}
       order by message_id desc limit ${limit}
    ), counted as (
      select *, sum(bytes) over newest - bytes as bytes_before, lead(message_id) over newest is not null as has_next
        from older window newest as (order by message_id desc)
    )
    select *, exists (select from store_batches earlier
                       where earlier.org_id = ${toUuid(orgId)} and earlier.delivery_id = ${toUuid(deliveryId)}
                         and earlier.store_id = ${storeId} and earlier.message_id < counted.message_id
                         and earlier.kind = 'deliver' and earlier.state not in ('abandoned', 'refused')) as is_repeated
      from counted where bytes_before < ${pageBytesMax}
     order by message_id desc
  `);
  return {
    batches: rows.map((row) => ({ batch: toBatch(row), isRepeated: row.is_repeated })),
    isCut: rows.at(-1)?.has_next === true,
  };
}
