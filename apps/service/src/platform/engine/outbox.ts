/** Messages for the engine, appended in the transaction of the change that needs them. */

import { type NewId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../db/database.ts';
import { json, sql } from '../db/sql.ts';
import { currentTraceParent } from '../telemetry/trace.ts';

/** "Re-read the row of `key`", never "do this": handlers read the row, so repeated and reordered messages do no harm. */
export type EngineMessage = {
  readonly service: string;
  readonly key: string;
  readonly handler: string;
  /** If the key is a lane: the row to read, `org_…:ast_…`. */
  readonly entityRef?: string | undefined;
};

/** The timer of a message: `org_…:tmr_…`. */
export type TimerRef = string;

type EnqueueOptions = {
  /** Real time; at once when omitted. */
  readonly sendAt?: Date;
  /** The timer that must be due before the handler runs. */
  readonly timer?: TimerRef;
};

export function enqueueMessage(
  tx: Tx,
  { service, key, handler, entityRef }: EngineMessage,
  { sendAt, timer }: EnqueueOptions = {},
): void {
  tx.write(sql`
    insert into outbox (id, service, key, handler, entity_ref, send_at, timer, trace_parent)
    values (${toUuid(tx.newId('msg'))}, ${service}, ${key}, ${handler}, ${entityRef ?? null}, ${sendAt ?? null},
            ${timer ?? null}, ${currentTraceParent() ?? null})
  `);
}

/** Several at once, outside any organization's transaction. */
export async function enqueueMessages(
  db: Db,
  newId: NewId,
  messages: readonly EngineMessage[],
): Promise<void> {
  const traceParent = currentTraceParent() ?? null;
  const records = messages.map((message) => ({
    id: toUuid(newId('msg')),
    ...message,
    entity_ref: message.entityRef,
  }));
  await db.query(sql`
    insert into outbox (id, service, key, handler, entity_ref, trace_parent)
    select id, service, key, handler, entity_ref, ${traceParent}
      from json_to_recordset(${json(records)})
        as message (id uuid, service text, key text, handler text, entity_ref text)
  `);
}
