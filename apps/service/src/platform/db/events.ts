import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from './database.ts';
import { json, sql } from './sql.ts';

/** An event that a slice announces: a type of the catalogue, and data as partners read it. */
export type NewEvent = { readonly type: string; readonly data: object };

/** The request that caused the event; null for operators and workflows. */
const requestOf = ({ requestId }: Tx): string | null =>
  requestId === undefined ? null : toUuid(requestId);

/** Takes a `Tx`: an event outside the transaction of its change is a bug. */
export function appendEvent(tx: Tx, { type, data }: NewEvent): void {
  tx.write(sql`
    insert into events (org_id, id, type, data, created_at, request_id)
    values (${toUuid(tx.orgId)}, ${toUuid(tx.newId('evt'))}, ${type}, ${json(data)}, ${tx.now}, ${requestOf(tx)})
  `);
}

/** Several, in this order, in one statement. */
export function appendEvents(tx: Tx, events: readonly NewEvent[]): void {
  const records = events.map((event) => ({ id: toUuid(tx.newId('evt')), ...event }));
  tx.write(sql`
    insert into events (org_id, id, type, data, created_at, request_id)
    select ${toUuid(tx.orgId)}, event.id, event.type, event.data, ${tx.now}, ${requestOf(tx)}::uuid
      from json_to_recordset(${json(records)}) as event (id uuid, type text, data jsonb)
  `);
}

/** Whether there are events that partners cannot read yet, because the sequencer has not numbered them. */
export async function hasUnsequencedEvents(tx: Tx): Promise<boolean> {
  const rows = await tx.query(
    sql`select 1 from events where org_id = ${toUuid(tx.orgId)} and sequence is null limit 1`,
  );
  return rows.length > 0;
}
