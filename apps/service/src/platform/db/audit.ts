import { type RequestId, toUuid } from '../../kernel/ids.ts';
import type { Tx } from './database.ts';
import { sql } from './sql.ts';

export type AuditEntry = {
  /** What was done, as `resource.verb`: `release.create`. */
  readonly action: string;
  /** The wire id of what it was done to. */
  readonly auditedId: string;
  readonly requestId: RequestId | undefined;
};

/** One row for every accepted mutation, in its transaction. In real time: a partner may move the sandbox's clock, not evidence. */
export function appendAudit(tx: Tx, entry: AuditEntry): void {
  tx.write(sql`
    insert into audit (org_id, id, occurred_at, actor_type, actor_id, action, audited_id, request_id)
    values (${toUuid(tx.orgId)}, ${toUuid(tx.newId('aud'))}, ${tx.realNow}, ${tx.actor.type}, ${tx.actor.id},
            ${entry.action}, ${entry.auditedId}, ${entry.requestId === undefined ? null : toUuid(entry.requestId)})
  `);
}

/** The sequence of the first audit row that was changed, removed or added; null when the chain holds. */
export async function findBrokenLink(tx: Tx): Promise<number | null> {
  const [row] = await tx.query<{ broken: number | null }>(
    sql`select broken_audit_link(${toUuid(tx.orgId)})::float8 as broken`,
  );
  return row?.broken ?? null;
}
