/** OAuth clients with their secrets, of which only hashes are stored. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import type { Scope } from '../../kernel/scope.ts';
import { actorColumns, insertInto } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import type {
  OAuthClient,
  OAuthClientId,
  OAuthSecret,
  OAuthSecretId,
} from '../domain/oauth-client.ts';
import { hashOfSecret } from './credentials.ts';

type SecretRow = {
  readonly id: string;
  readonly hint: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
};

type ClientRow = {
  readonly id: string;
  readonly name: string;
  readonly scopes: Scope[];
  readonly secrets: readonly SecretRow[];
  readonly created_at: Date;
  readonly updated_at: Date;
};

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const toSecret = (row: SecretRow): OAuthSecret => ({
  id: toWire('ocs', row.id),
  hint: row.hint,
  createdAt: new Date(row.created_at),
  lastUsedAt: dateOf(row.last_used_at),
  expiresAt: dateOf(row.expires_at),
});

const toClient = (row: ClientRow): OAuthClient => ({
  id: toWire('oac', row.id),
  name: row.name,
  scopes: row.scopes,
  secrets: row.secrets.map(toSecret),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columns = sql`
  c.id, c.name, c.scopes, c.created_at, c.updated_at,
  coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'hint', s.hint, 'created_at', s.created_at,
                               'last_used_at', s.last_used_at, 'expires_at', s.expires_at) order by s.id)
              from oauth_client_secrets s where s.org_id = c.org_id and s.client_id = c.id), '[]') as secrets
`;

export async function findOAuthClient(
  db: Db,
  orgId: OrgId,
  id: OAuthClientId,
): Promise<OAuthClient | undefined> {
  const [row] = await db.query<ClientRow>(sql`
    select ${columns} from oauth_clients c where c.org_id = ${toUuid(orgId)} and c.id = ${toUuid(id)}
  `);
  return row && toClient(row);
}

/** FOR UPDATE: two requests that add a secret do not both count the secrets before them. */
export async function lockOAuthClient(tx: Tx, id: OAuthClientId): Promise<OAuthClient | undefined> {
  // A second statement reads the secrets, so that it sees those that the previous holder of the lock committed.
  tx.write(sql`
    select id from oauth_clients where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return findOAuthClient(tx, tx.orgId, id);
}

/** Newest first; the position is text with all of its microseconds. */
export function listOAuthClients(
  db: Db,
  orgId: OrgId,
  page: PageRequest,
): Promise<Page<OAuthClient>> {
  return listPage(db, { orgId, from: sql`oauth_clients c`, columns, read: toClient }, page);
}

/** The advisory lock serializes creations: two that count at the same time would both be below the limit. */
export async function countOAuthClients(tx: Tx): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 20))`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from oauth_clients where org_id = ${toUuid(tx.orgId)}`,
  );
  return row?.count ?? 0;
}

export function insertOAuthClient(tx: Tx, client: Omit<OAuthClient, 'secrets'>): void {
  tx.write(
    insertInto('oauth_clients', {
      org_id: toUuid(tx.orgId),
      id: toUuid(client.id),
      name: client.name,
      scopes: client.scopes,
      created_at: client.createdAt,
      updated_at: client.updatedAt,
      ...actorColumns(tx),
    }),
  );
}

export function insertOAuthSecret(
  tx: Tx,
  clientId: OAuthClientId,
  secret: OAuthSecret,
  text: string,
): void {
  const owner = { org_id: toUuid(tx.orgId), client_id: toUuid(clientId) };
  tx.write(
    insertInto('oauth_client_secrets', {
      ...owner,
      id: toUuid(secret.id),
      hint: secret.hint,
      created_at: secret.createdAt,
      expires_at: secret.expiresAt,
      ...actorColumns(tx),
    }),
  );
  const sha256 = hashOfSecret(text);
  tx.write(insertInto('oauth_credentials', { sha256, ...owner, secret_id: toUuid(secret.id) }));
  // Kept when the secret is revoked: an approval asks who could ever use the client (`credential-lineage.ts`).
  tx.write(sql`
    update oauth_clients set secret_makers = secret_makers || ${tx.actor.id}::text
     where org_id = ${owner.org_id} and id = ${owner.client_id} and ${tx.actor.id} <> all(secret_makers)
  `);
}

export function setSecretExpiry(tx: Tx, clientId: OAuthClientId, secret: OAuthSecret): void {
  tx.write(sql`
    update oauth_client_secrets set expires_at = ${secret.expiresAt}
     where org_id = ${toUuid(tx.orgId)} and client_id = ${toUuid(clientId)} and id = ${toUuid(secret.id)}
  `);
}

/** Its access tokens stop working with it. */
export function deleteOAuthSecret(tx: Tx, clientId: OAuthClientId, id: OAuthSecretId): void {
  tx.write(sql`
    delete from oauth_client_secrets
     where org_id = ${toUuid(tx.orgId)} and client_id = ${toUuid(clientId)} and id = ${toUuid(id)}
  `);
}

export function touchOAuthClient(tx: Tx, id: OAuthClientId, updatedAt: Date): void {
  tx.write(sql`
    update oauth_clients
       set updated_at = ${updatedAt}, actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}
  `);
}

/** Its secrets are deleted with it, and its access tokens stop working. */
export function deleteOAuthClient(tx: Tx, id: OAuthClientId): void {
  tx.write(
    sql`delete from oauth_clients where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)}`,
  );
}
