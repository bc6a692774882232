import { hash } from 'node:crypto';
import { type KeyId, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Tier } from '../../kernel/tier.ts';
import { actorColumns, insertInto } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { IssuedKey } from '../domain/issued-key.ts';

export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** The organization and key of a secret's hash. Only the directory role reads `credentials`. */
export async function findCredential(
  directory: Db,
  sha256: Buffer,
): Promise<{ readonly orgId: OrgId; readonly keyId: KeyId } | undefined> {
  const [row] = await directory.query<{ org_id: string; key_id: string }>(sql`
    select org_id, key_id from credentials where sha256 = ${sha256}
  `);
  return row && { orgId: toWire('org', row.org_id), keyId: toWire('key', row.key_id) };
}

/** Every organization that ever had a key or an OAuth client; one without either has no data. */
export async function organizationsWithKeys(directory: Db): Promise<OrgId[]> {
  const rows = await directory.query<{ org_id: string }>(
    sql`select org_id from credentials union select org_id from oauth_credentials order by org_id`,
  );
  return rows.map(({ org_id }) => toWire('org', org_id));
}

export type KeyGrant = {
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly tier: Tier;
};

export async function findKeyGrant(
  db: Db,
  orgId: OrgId,
  keyId: KeyId,
): Promise<KeyGrant | undefined> {
  const [row] = await db.query<{
    scopes: Scope[];
    expires_at: Date | null;
    revoked_at: Date | null;
    suspended_at: Date | null;
    tier: Tier;
  }>(sql`
    select api_keys.scopes, api_keys.expires_at, api_keys.revoked_at, organizations.suspended_at, organizations.tier
      from api_keys
      join organizations on organizations.org_id = api_keys.org_id
     where api_keys.org_id = ${toUuid(orgId)}
       and api_keys.id = ${toUuid(keyId)}
  `);
  return (
    row && {
      scopes: row.scopes,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      suspendedAt: row.suspended_at,
      tier: row.tier,
    }
  );
}

export function insertKey(tx: Tx, key: IssuedKey, secret: string): void {
  tx.write(
    insertInto('api_keys', {
      org_id: toUuid(tx.orgId),
      id: toUuid(key.id),
      name: key.name,
      hint: key.hint,
      scopes: key.scopes,
      expires_at: key.expiresAt,
      created_at: key.createdAt,
      updated_at: key.createdAt,
      ...actorColumns(tx),
      created_by_type: key.createdBy.type,
      created_by_id: key.createdBy.id,
    }),
  );
  tx.write(sql`
    insert into credentials (sha256, org_id, key_id)
    values (${hashOfSecret(secret)}, ${toUuid(tx.orgId)}, ${toUuid(key.id)})
  `);
}

/** Returns whether there was such a key. */
export async function revokeKey(tx: Tx, keyId: KeyId): Promise<boolean> {
  const rows = await tx.query(sql`
    update api_keys
       set revoked_at = coalesce(revoked_at, ${tx.realNow}), updated_at = ${tx.realNow},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
       and id = ${toUuid(keyId)}
    returning id
  `);
  return rows.length > 0;
}
