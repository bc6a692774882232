import { type RequestId, toUuid } from '../../kernel/ids.ts';
import type { Tx } from './database.ts';
import { sql } from './sql.ts';

export type AuditEntry = {
  /** `resource.verb`: `release.create`. */
  readonly action: string;
  /** The wire id of the changed resource. */
  readonly auditedId: string;
  readonly requestId: RequestId | undefined;
};

/** One row for every accepted mutation, in its transaction, dated in real time: the sandbox clock must not move it. */
export function appendAudit(tx: Tx, entry: AuditEntry): void {
  tx.write(sql`
    insert into audit (org_id, id, occurred_at, actor_type, actor_id, action, audited_id, request_id)
    values (${toUuid(tx.orgId)}, ${toUuid(tx.newId('aud'))}, ${tx.realNow}, ${tx.actor.type}, ${tx.actor.id},
            ${entry.action}, ${entry.auditedId}, ${entry.requestId === undefined ? null : toUuid(entry.requestId)})
  `);
}

/** The sequence of the first audit row that was changed, removed or added; null if the chain is intact. */
export async function findBrokenLink(tx: Tx): Promise<number | null> {
  const [row] = await tx.query<{ broken: number | null }>(
    sql`select broken_audit_link(${toUuid(tx.orgId)})::float8 as broken`,
  );
  return row?.broken ?? null;
}
