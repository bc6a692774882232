import type { Id, RequestId } from '../../kernel/ids.ts';

/** A row of `audit` that the sequencer has linked into the chain. */
export type AuditLogEntry = {
  readonly id: Id<'aud'>;
  readonly sequence: number;
  readonly action: string;
  readonly auditedId: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly requestId: RequestId | null;
  readonly beforeDigest: Buffer | null;
  readonly afterDigest: Buffer | null;
  readonly occurredAt: Date;
  readonly hash: Buffer;
};

/** With what its hash is computed from: SHA-256 of the hash before and the text. */
export type AuditLogLink = AuditLogEntry & {
  readonly previousHash: Buffer;
  readonly hashedText: string;
};

const hex = (bytes: Buffer | null): string | null => bytes?.toString('hex') ?? null;

export const presentAuditLogEntry = (entry: AuditLogEntry) => ({
  id: entry.id,
  sequence: entry.sequence,
  action: entry.action,
  resource_id: entry.auditedId,
  actor: { type: entry.actorType, id: entry.actorId },
  request_id: entry.requestId,
  before_digest: hex(entry.beforeDigest),
  after_digest: hex(entry.afterDigest),
  occurred_at: entry.occurredAt.toISOString(),
  hash: hex(entry.hash),
});

export const presentAuditLogLink = (link: AuditLogLink) => ({
  ...presentAuditLogEntry(link),
  previous_hash: hex(link.previousHash),
  hashed_text: link.hashedText,
});
