/** API keys as their organization manages them; `credentials.ts` finds the key of a secret. */

import type { Actor } from '../../kernel/actor.ts';
import { type KeyId, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import type { IssuedKey } from '../domain/issued-key.ts';

type KeyRow = {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: Scope[];
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly created_at: Date;
  readonly created_by_type: Actor['type'];
  readonly created_by_id: string;
};

/** A key from before there were created_by columns was last changed by its maker, or by who revoked it. */
const columns = sql`id, name, hint, scopes, expires_at, revoked_at, last_used_at, created_at,
  coalesce(created_by_type, actor_type) as created_by_type, coalesce(created_by_id, actor_id) as created_by_id`;

const toKey = (row: KeyRow): IssuedKey => ({
  id: toWire('key', row.id),
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  createdBy: { type: row.created_by_type, id: row.created_by_id },
});

export async function findKey(db: Db, orgId: OrgId, id: KeyId): Promise<IssuedKey | undefined> {
  const [row] = await db.query<KeyRow>(
    sql`select ${columns} from api_keys where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}`,
  );
  return row && toKey(row);
}

/** Newest first by (created_at, id). */
export function listKeys(db: Db, orgId: OrgId, page: PageRequest): Promise<Page<IssuedKey>> {
  return listPage(db, { orgId, from: sql`api_keys`, columns, read: toKey }, page);
}

/** The advisory lock serializes creations: two that count at the same time would both be below the quota. */
export async function countActiveKeys(tx: Tx): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 21))`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from api_keys
     where org_id = ${toUuid(tx.orgId)} and revoked_at is null
       and (expires_at is null or expires_at > ${tx.realNow})
  `);
  return row?.count ?? 0;
}

/** In the order of their ids, so that two api processes that write the same keys cannot deadlock. */
export function writeLastUses(tx: Tx, uses: ReadonlyMap<KeyId, Date>): void {
  const ids = [...uses.keys()].map(toUuid);
  // The commit does not wait for the disk: a lost time is written again within a minute of use.
  tx.write(sql`set local synchronous_commit = off`);
  tx.write(sql`
    with locked as (
      select id from api_keys where org_id = ${toUuid(tx.orgId)} and id = any(${ids}::uuid[]) order by id for update
    )
    update api_keys key set last_used_at = used.at
      from unnest(${ids}::uuid[], ${[...uses.values()]}::timestamptz[]) as used (id, at), locked
     where key.org_id = ${toUuid(tx.orgId)} and key.id = locked.id and used.id = locked.id
       and (key.last_used_at is null or key.last_used_at < used.at)
  `);
}
