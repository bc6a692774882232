import { type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type { Batch, BatchAcknowledgement } from '../domain/batch.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { MessageId } from '../domain/message.ts';
import type { StoreDeliveryRef } from './messages.ts';

const batches = defineColumns<Batch>({
  messageId: idColumn('msg'),
  deliveryId: idColumn('dlv'),
  releaseId: idColumn('rel'),
  storeId: plain(),
  batchId: plain(),
  kind: plain(),
  deliveryType: plain(),
  state: plain(),
  messageSha256: plain(),
  messageBytes: plain(),
  ernVersion: plain(),
  files: jsonb(),
  unsentFiles: jsonb(),
  heldFiles: jsonb(),
  acknowledgements: jsonb(),
  createdAt: plain(),
  completedAt: plain(),
  timesOutAt: plain(),
});

/** For statements in other files. */
export const batchColumns = batches.names;
export const toBatch = batches.read;

export async function findBatch(tx: Tx, id: MessageId): Promise<Batch | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${batches.names} from store_batches
     where org_id = ${toUuid(tx.orgId)} and message_id = ${toUuid(id)}
  `);
  return row && batches.read(row);
}

export const insertBatch = (tx: Tx, batch: Batch): void =>
  tx.write(insertInto('store_batches', { org_id: toUuid(tx.orgId), ...batches.write(batch) }));

type ReleaseAtStore = { readonly storeId: string; readonly releaseId: ReleaseId };

/**
 * Ends the batches that the next message need not wait for: a complete one that the store has not answered in time, and
 * an open one, whose message will not be sent again because it is no longer the store's current one.
 */
export const endStaleBatches = (tx: Tx, { storeId, releaseId }: ReleaseAtStore): void =>
  tx.write(sql`
    update store_batches
       set state = case state when 'open' then 'abandoned' else 'timed_out' end
     where org_id = ${toUuid(tx.orgId)} and store_id = ${storeId} and release_id = ${toUuid(releaseId)}
       and (state = 'open' or state = 'complete' and times_out_at <= ${tx.now})
  `);

/** The last batch of the release that the store may have read. */
export async function findLastBatch(
  tx: Tx,
  { storeId, releaseId }: ReleaseAtStore,
): Promise<Batch | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${batches.names} from store_batches
     where org_id = ${toUuid(tx.orgId)} and store_id = ${storeId} and release_id = ${toUuid(releaseId)}
       and state not in ('abandoned', 'refused')
     order by batch_id desc limit 1
  `);
  return row && batches.read(row);
}

/** Whether the release was sent to the store before in this delivery. */
export async function wasSentBefore(tx: Tx, id: DeliveryId, storeId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from store_batches
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} and store_id = ${storeId}
       and kind = 'deliver' and state not in ('abandoned', 'refused')
     limit 1
  `);
  return rows.length > 0;
}

type SentContent = {
  readonly messageSha256: string;
  readonly messageBytes: number;
  readonly timesOutAt: Date;
};

/** Just before the manifest is written. False if a newer message has replaced this one: then it must not be. */
export async function completeBatch(tx: Tx, id: MessageId, sent: SentContent): Promise<boolean> {
  const rows = await tx.query(sql`
    update store_batches
       set state = 'complete', message_sha256 = ${sent.messageSha256}, message_bytes = ${sent.messageBytes},
           completed_at = coalesce(completed_at, ${tx.realNow}),
           times_out_at = coalesce(times_out_at, ${sent.timesOutAt})
     where org_id = ${toUuid(tx.orgId)} and message_id = ${toUuid(id)} and state in ('open', 'complete')
    returning message_id
  `);
  return rows.length > 0;
}

export const refuseBatch = (tx: Tx, id: MessageId): void =>
  tx.write(sql`
    update store_batches set state = 'refused'
     where org_id = ${toUuid(tx.orgId)} and message_id = ${toUuid(id)} and state = 'open'
  `);

/** A store answers a message a few times; one that repeats itself for ever fills no row. */
const acknowledgementsMax = 50;

const withAcknowledgement = (added: BatchAcknowledgement): Sql => sql`
  case when acknowledgements @> ${json([{ sha256: added.sha256 }])}::jsonb
         or jsonb_array_length(acknowledgements) >= ${acknowledgementsMax} then acknowledgements
       else acknowledgements || ${json([added])}::jsonb end`;

/** Every acknowledgement ends the wait of the next message, also a late one. */
export const acknowledgeBatch = (
  tx: Tx,
  id: MessageId,
  acknowledgement: BatchAcknowledgement,
  heldFiles: readonly string[] | undefined,
): void =>
  tx.write(sql`
    update store_batches
       set state = 'acknowledged',
           held_files = coalesce(${heldFiles === undefined ? null : json(heldFiles)}, held_files),
           acknowledgements = ${withAcknowledgement(acknowledgement)}
     where org_id = ${toUuid(tx.orgId)} and message_id = ${toUuid(id)}
       and state in ('complete', 'acknowledged', 'timed_out')
  `);

/** What names no message is no answer to it: it changes nothing else. */
export const noteAcknowledgement = (
  tx: Tx,
  id: MessageId,
  acknowledgement: BatchAcknowledgement,
): void =>
  tx.write(sql`
    update store_batches set acknowledgements = ${withAcknowledgement(acknowledgement)}
     where org_id = ${toUuid(tx.orgId)} and message_id = ${toUuid(id)}
  `);

/** The last message that the store was sent in the delivery. */
export async function findLastSentId(
  db: Db,
  { orgId, deliveryId, storeId }: StoreDeliveryRef,
): Promise<MessageId | undefined> {
  const [row] = await db.query<{ message_id: string }>(sql`
    select message_id from store_batches
     where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(deliveryId)} and store_id = ${storeId}
       and completed_at is not null
     order by message_id desc limit 1
  `);
  return row && toWire('msg', row.message_id);
}

/** The deliveries with a message about the release that is not sent yet. */
export async function findWaitingDeliveries(
  tx: Tx,
  { storeId, releaseId }: ReleaseAtStore,
): Promise<readonly DeliveryId[]> {
  const rows = await tx.query<{ delivery_id: string }>(sql`
    select delivery_id from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and store_id = ${storeId}
       and message_state in ('queued', 'dispatched', 'sending')
  `);
  return rows.map((row) => toWire('dlv', row.delivery_id));
}

export type WaitingBatches = {
  readonly store_id: string;
  /** Of the oldest batch that is still being sent. */
  readonly open_since: Date | null;
  /** When the store should have answered a batch that it has not answered. */
  readonly overdue_since: Date | null;
};

/** By store, over all organizations. */
export const listWaitingBatches = (db: Db): Promise<readonly WaitingBatches[]> =>
  db.query<WaitingBatches>(
    sql`select store_id, open_since, overdue_since from waiting_store_batches()`,
  );
