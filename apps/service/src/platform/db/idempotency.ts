/**
 * Idempotency keys (spec §5.3, contract §8). A transaction claims a key by an advisory lock that lasts until it ends,
 * then looks the key up in the partitions of yesterday, today and tomorrow. The look-up is a second statement after the
 * lock, so its snapshot contains what the previous holder of the lock committed. In one statement, a key could be
 * executed twice.
 */

import { hash } from 'node:crypto';
import { dayMs } from '../../kernel/duration.ts';
import { type OrgId, type RequestId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from './database.ts';
import { json, type Sql, sql } from './sql.ts';

export type StoredAnswer = {
  readonly fingerprint: Buffer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly sealedBody: Buffer;
};

export type Claim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'in_use' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer };

/**
 * Yesterday, today and tomorrow, in UTC: everything younger than 24 hours, also if a clock is ahead of another by less
 * than a day. Without an end, PostgreSQL would search the partitions of all days to come.
 */
function isKept(realNow: Date): Sql {
  const today = Math.floor(realNow.getTime() / dayMs) * dayMs;
  return sql`created_at >= ${new Date(today - dayMs)} and created_at < ${new Date(today + 2 * dayMs)}`;
}

/** The first moment at which it is no longer kept. */
const expiryOf = (createdAt: Date): Date =>
  new Date((Math.floor(createdAt.getTime() / dayMs) + 2) * dayMs);

function lockNumber(orgId: OrgId, key: string): bigint {
  return hash('sha256', `${orgId}/${key}`, 'buffer').readBigInt64BE();
}

export async function claimKey(db: Db, orgId: OrgId, key: string, realNow: Date): Promise<Claim> {
  const [locks, answers] = await Promise.all([
    db.query<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${lockNumber(orgId, key)}) as locked`,
    ),
    db.query<{
      fingerprint: Buffer;
      status: number;
      headers: Record<string, string>;
      body: Buffer;
    }>(sql`
      select fingerprint, status, headers, body
        from idempotency_keys
       where org_id = ${toUuid(orgId)} and key = ${key} and ${isKept(realNow)}
       order by created_at desc
       limit 1
    `),
  ]);
  const [found] = answers;
  if (found !== undefined) {
    const { fingerprint, status, headers, body } = found;
    return { kind: 'answered', answer: { fingerprint, status, headers, sealedBody: body } };
  }
  return { kind: locks[0]?.locked === true ? 'claimed' : 'in_use' };
}

/** A key with its answer, for its owner to read. */
export type InspectedKey = Omit<StoredAnswer, 'fingerprint'> & {
  readonly requestId: RequestId;
  /** The credential that made the request. */
  readonly actorId: string;
  /** Real time, as `expiresAt`. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export async function findKey(
  db: Db,
  orgId: OrgId,
  key: string,
  realNow: Date,
): Promise<InspectedKey | undefined> {
  const [row] = await db.query<{
    request_id: string;
    actor_id: string;
    status: number;
    headers: Record<string, string>;
    body: Buffer;
    created_at: Date;
  }>(sql`
    select request_id, actor_id, status, headers, body, created_at
      from idempotency_keys
     where org_id = ${toUuid(orgId)} and key = ${key} and ${isKept(realNow)}
     order by created_at desc
     limit 1
  `);
  return (
    row && {
      requestId: toWire('req', row.request_id),
      actorId: row.actor_id,
      status: row.status,
      headers: row.headers,
      sealedBody: row.body,
      createdAt: row.created_at,
      expiresAt: expiryOf(row.created_at),
    }
  );
}

export function storeAnswer(
  tx: Tx,
  key: string,
  realNow: Date,
  answer: StoredAnswer & { readonly requestId: RequestId; readonly actorId: string },
): void {
  tx.write(sql`
    insert into idempotency_keys (org_id, key, created_at, fingerprint, request_id, actor_id, status, headers, body)
    values (${toUuid(tx.orgId)}, ${key}, ${realNow}, ${answer.fingerprint}, ${toUuid(answer.requestId)},
            ${answer.actorId}, ${answer.status}, ${json(answer.headers)}, ${answer.sealedBody})
  `);
}

/** Replaces the answer that an earlier transaction of the same request has stored. */
export function replaceAnswer(
  tx: Tx,
  key: string,
  realNow: Date,
  { status, headers, sealedBody }: Omit<StoredAnswer, 'fingerprint'>,
): void {
  tx.write(sql`
    update idempotency_keys
       set status = ${status}, headers = ${json(headers)}, body = ${sealedBody}
     where org_id = ${toUuid(tx.orgId)} and key = ${key} and ${isKept(realNow)}
  `);
}
