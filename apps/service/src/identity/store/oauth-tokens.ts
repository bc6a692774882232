/** Access tokens, and what a client secret or a token grants. Only hashes of either are stored. */

import { addMs, dayMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Tier } from '../../kernel/tier.ts';
import { insertInto } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { OAuthClientId, OAuthSecretId } from '../domain/oauth-client.ts';
import { hashOfSecret } from './credentials.ts';

/** The secret of a client, in the directory. */
export type SecretRef = {
  readonly orgId: OrgId;
  readonly clientId: OAuthClientId;
  readonly secretId: OAuthSecretId;
};

type SecretRefRow = {
  readonly org_id: string;
  readonly client_id: string;
  readonly secret_id: string;
};

const toRef = (row: SecretRefRow): SecretRef => ({
  orgId: toWire('org', row.org_id),
  clientId: toWire('oac', row.client_id),
  secretId: toWire('ocs', row.secret_id),
});

/** Only the directory role reads `oauth_credentials`. */
export async function findOAuthCredential(
  directory: Db,
  secret: string,
): Promise<SecretRef | undefined> {
  const [row] = await directory.query<SecretRefRow>(sql`
    select org_id, client_id, secret_id from oauth_credentials where sha256 = ${hashOfSecret(secret)}
  `);
  return row && toRef(row);
}

export type AccessToken = SecretRef & {
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** A token is searched in the partitions of yesterday, today and tomorrow: the clocks of two processes may differ. */
export async function findAccessToken(
  directory: Db,
  sha256: Buffer,
  realNow: Date,
): Promise<AccessToken | undefined> {
  const [row] = await directory.query<
    SecretRefRow & { scopes: Scope[]; created_at: Date; expires_at: Date }
  >(sql`
    select org_id, client_id, secret_id, scopes, created_at, expires_at from oauth_tokens
     where sha256 = ${sha256}
       and created_at > ${addMs(realNow, -dayMs)}
       and created_at < ${addMs(realNow, dayMs)}
  `);
  return (
    row && {
      ...toRef(row),
      scopes: row.scopes,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }
  );
}

export function insertAccessToken(tx: Tx, text: string, token: Omit<AccessToken, 'orgId'>): void {
  tx.write(
    insertInto('oauth_tokens', {
      sha256: hashOfSecret(text),
      org_id: toUuid(tx.orgId),
      client_id: toUuid(token.clientId),
      secret_id: toUuid(token.secretId),
      scopes: token.scopes,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    }),
  );
  tx.write(sql`
    update oauth_client_secrets set last_used_at = ${token.createdAt}
     where org_id = ${toUuid(tx.orgId)} and client_id = ${toUuid(token.clientId)}
       and id = ${toUuid(token.secretId)}
  `);
}

export type OAuthGrant = {
  readonly scopes: readonly Scope[];
  /** Of the secret. */
  readonly expiresAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly tier: Tier;
};

/** Undefined: the client or the secret was deleted. */
export async function findOAuthGrant(
  db: Db,
  { orgId, clientId, secretId }: SecretRef,
): Promise<OAuthGrant | undefined> {
  const [row] = await db.query<{
    scopes: Scope[];
    expires_at: Date | null;
    suspended_at: Date | null;
    tier: Tier;
  }>(sql`
    select oauth_clients.scopes, oauth_client_secrets.expires_at, organizations.suspended_at, organizations.tier
      from oauth_clients
      join oauth_client_secrets
        on oauth_client_secrets.org_id = oauth_clients.org_id and oauth_client_secrets.client_id = oauth_clients.id
      join organizations on organizations.org_id = oauth_clients.org_id
     where oauth_clients.org_id = ${toUuid(orgId)}
       and oauth_clients.id = ${toUuid(clientId)}
       and oauth_client_secrets.id = ${toUuid(secretId)}
  `);
  return (
    row && {
      scopes: row.scopes,
      expiresAt: row.expires_at,
      suspendedAt: row.suspended_at,
      tier: row.tier,
    }
  );
}
