/** Work for the engine, appended in the transaction of the change that needs it. */
import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { currentTraceParent } from '../telemetry/trace.ts';

/** "Look at `key`": never "do this". Handlers read the row themselves, so repeats and order do no harm. */
export type Message = {
  readonly service: string;
  readonly key: string;
  readonly handler: string;
  /** Where the key is a lane, which row to look at: `org_…:ast_…`. */
  readonly subject?: string | undefined;
};

type Sending = {
  /** Real time; at once when omitted. */
  readonly sendAt?: Date;
  /** The timer that is to be looked at before the handler runs. */
  readonly timer?: string;
};

export function appendMessage(
  tx: Tx,
  { service, key, handler, subject }: Message,
  { sendAt, timer }: Sending = {},
): void {
  tx.write(sql`
    insert into outbox (id, service, key, handler, subject, send_at, timer, trace_parent)
    values (${toUuid(tx.newId('msg'))}, ${service}, ${key}, ${handler}, ${subject ?? null}, ${sendAt ?? null},
            ${timer ?? null}, ${currentTraceParent() ?? null})
  `);
}
