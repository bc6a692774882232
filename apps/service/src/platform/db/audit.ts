import { hash } from 'node:crypto';
import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from './database.ts';
import { sql } from './sql.ts';

/** A resource as GET presents it, or the SHA-256 of its JSON. */
type Audited = object | Buffer;

export type AuditEntry = {
  /** `resource.verb`: `release.create`. */
  readonly action: string;
  /** The wire id of the changed resource. */
  readonly auditedId: string;
  /** Undefined: the change created the resource. */
  readonly before: Audited | undefined;
  /** Undefined: the change removed the resource. */
  readonly after: Audited | undefined;
};

/** One row for every accepted mutation, in its transaction, dated in real time: the sandbox clock must not move it. */
export function appendAudit(tx: Tx, { action, auditedId, before, after }: AuditEntry): void {
  tx.write(sql`
    insert into audit (org_id, id, occurred_at, actor_type, actor_id, action, audited_id, request_id,
                       before_digest, after_digest)
    values (${toUuid(tx.orgId)}, ${toUuid(tx.newId('aud'))}, ${tx.realNow}, ${tx.actor.type}, ${tx.actor.id},
            ${action}, ${auditedId}, ${tx.requestId === undefined ? null : toUuid(tx.requestId)},
            ${digestOf(before)}, ${digestOf(after)})
  `);
}

/** Of the bytes that the ETag of the resource covers. */
function digestOf(audited: Audited | undefined): Buffer | null {
  if (audited === undefined) return null;
  return Buffer.isBuffer(audited) ? audited : hash('sha256', JSON.stringify(audited), 'buffer');
}

/** Verified by one statement, in less than a second. */
const linksAtOnce = 50_000;

type VerifiedLinks = {
  readonly last_sequence: string;
  readonly last_hash: Buffer;
  readonly is_broken: boolean;
};

type Link = { readonly sequence: number; readonly hash: Buffer };

/** The sequence of the first audit row that was changed, removed or added; null if the chain is intact. */
export async function findBrokenLink(tx: Tx): Promise<number | null> {
  const org = toUuid(tx.orgId);
  const head = await findChainHead(tx);
  let last: Link = { sequence: 0, hash: hash('sha256', org, 'buffer') };
  while (last.sequence < head.sequence) {
    const rowsMax = Math.min(linksAtOnce, head.sequence - last.sequence);
    const [links] = await tx.query<VerifiedLinks>(
      sql`select * from verify_audit_links(${org}, ${last.sequence}, ${last.hash}, ${rowsMax})`,
    );
    if (links === undefined) throw new Error('verify_audit_links returned no row');
    const verified = { sequence: Number(links.last_sequence), hash: links.last_hash };
    if (links.is_broken || verified.sequence === last.sequence) return verified.sequence + 1;
    last = verified;
  }
  // As many rows as the head says: none has the sequence of another row, one below 1, or one after the head.
  const isIntact = last.hash.equals(head.hash) && head.rows === head.sequence;
  return isIntact ? null : head.sequence + 1;
}

/** What the sequencer has linked last, and how many rows have a sequence: both as of one snapshot. */
async function findChainHead(tx: Tx) {
  const org = toUuid(tx.orgId);
  const [row] = await tx.query<{ sequence: string; hash: Buffer; rows: string }>(sql`
    select coalesce(head.audit_sequence, 0) as sequence,
           coalesce(head.audit_hash, sha256(convert_to(${org}::text, 'UTF8'))) as hash,
           (select count(*) from audit where org_id = ${org} and sequence is not null) as rows
      from (select) one left join sequence_heads head on head.org_id = ${org}
  `);
  if (row === undefined) throw new Error('the head of the chain was not read');
  return { sequence: Number(row.sequence), hash: row.hash, rows: Number(row.rows) };
}
