/** Reads the audit log of an organization: rows that the sequencer has linked, no others. */

import { hash } from 'node:crypto';
import { addMs, minuteMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import type { Db } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import type { AuditLogEntry, AuditLogLink } from '../domain/audit-log-entry.ts';

export type AuditLogFilters = {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resource?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

type EntryRow = {
  readonly id: string;
  readonly sequence: string;
  readonly action: string;
  readonly audited_id: string;
  readonly actor_type: string;
  readonly actor_id: string;
  readonly request_id: string | null;
  readonly before_digest: Buffer | null;
  readonly after_digest: Buffer | null;
  readonly occurred_at: Date;
  readonly hash: Buffer;
};

const columns = sql`id, sequence, action, audited_id, actor_type, actor_id, request_id, before_digest, after_digest,
  occurred_at, hash`;

const toEntry = (row: EntryRow): AuditLogEntry => ({
  id: toWire('aud', row.id),
  sequence: Number(row.sequence),
  action: row.action,
  auditedId: row.audited_id,
  actorType: row.actor_type,
  actorId: row.actor_id,
  requestId: row.request_id === null ? null : toWire('req', row.request_id),
  beforeDigest: row.before_digest,
  afterDigest: row.after_digest,
  occurredAt: row.occurred_at,
  hash: row.hash,
});

/** An id is made after `occurred_at`, by the same clock; no transaction takes longer than this. */
const transactionMsMax = minuteMs;

/**
 * Newest first by id, which starts with its time: every index is in this order, and a time is also a bound of the ids,
 * by which partitions are left out.
 */
export function listAuditLog(
  db: Db,
  orgId: OrgId,
  { actor, action, resource, since, until }: AuditLogFilters,
  page: PageRequest,
): Promise<Page<AuditLogEntry>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`audit`,
      columns,
      always: [sql`sequence is not null`],
      filters: [
        given(actor, (value) => sql`actor_id = ${value}`),
        given(action, (value) => sql`action = ${value}`),
        given(resource, (value) => sql`audited_id = ${value}`),
        given(since, (value) => sql`occurred_at >= ${value} and id >= uuid7_floor(${value})`),
        given(
          until,
          (value) =>
            sql`occurred_at < ${value} and id < uuid7_floor(${addMs(value, transactionMsMax)})`,
        ),
      ],
      by: 'id',
      read: toEntry,
    },
    page,
  );
}

export type ChainEnds = {
  /** The last sequence; 0 for an empty log. */
  readonly last: number;
  /** The hash of the entry `after`; undefined if there is no such entry. */
  readonly hashAfter: Buffer | undefined;
};

export async function findChainEnds(db: Db, orgId: OrgId, after: number): Promise<ChainEnds> {
  const org = toUuid(orgId);
  const [row] = await db.query<{ last: string | null; hash: Buffer | null }>(sql`
    select (select max(sequence) from audit where org_id = ${org}) as last,
           (select hash from audit where org_id = ${org} and sequence = ${after}) as hash
  `);
  // The first link is to the organization.
  const hashAfter = after === 0 ? hash('sha256', org, 'buffer') : row?.hash;
  return { last: Number(row?.last ?? 0), hashAfter: hashAfter ?? undefined };
}

/** The entries after a sequence up to another, in the order of the chain. */
export async function listChain(
  db: Db,
  orgId: OrgId,
  from: { readonly sequence: number; readonly hash: Buffer },
  upTo: number,
): Promise<readonly AuditLogLink[]> {
  const rows = await db.query<EntryRow & { hashed_text: string }>(sql`
    select ${columns}, audit_text(audit) as hashed_text from audit
     where org_id = ${toUuid(orgId)} and sequence > ${from.sequence} and sequence <= ${upTo}
     order by sequence
  `);
  return rows.map((row, i) => ({
    ...toEntry(row),
    previousHash: rows[i - 1]?.hash ?? from.hash,
    hashedText: row.hashed_text,
  }));
}
