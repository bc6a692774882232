/**
 * Where a credential comes from. An API key was made with another key, with an OAuth client or by an operator. An OAuth
 * client belongs to every credential that ever made a secret of it, also if the secret was revoked since.
 */

import { type KeyId, type OrgId, parseIds, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { OAuthClientId } from '../domain/oauth-client.ts';

type CredentialRow = {
  readonly id: string;
  readonly unchanged_since: Date;
  readonly makers: readonly string[];
};

type Credential = {
  readonly id: string;
  /** Real time: since when the same people can use it. */
  readonly unchangedSince: Date;
  readonly makers: readonly string[];
};

/** A key from before there were created_by columns was last changed by its maker, or by who revoked it. */
async function findKeyOrigins(db: Db, orgId: OrgId, ids: readonly KeyId[]): Promise<Credential[]> {
  const rows = await db.query<CredentialRow>(sql`
    select id, created_at as unchanged_since, array[coalesce(created_by_id, actor_id)] as makers
      from api_keys where org_id = ${toUuid(orgId)} and id = any(${ids.map(toUuid)}::uuid[])
  `);
  return rows.map((row) => toCredential(toWire('key', row.id), row));
}

/** `updated_at` is when a secret was last made or revoked. */
async function findClientOrigins(
  db: Db,
  orgId: OrgId,
  ids: readonly OAuthClientId[],
): Promise<Credential[]> {
  const rows = await db.query<CredentialRow>(sql`
    select id, updated_at as unchanged_since,
           secret_makers || array(select actor_id from oauth_client_secrets secret
                                   where secret.org_id = client.org_id and secret.client_id = client.id) as makers
      from oauth_clients client where org_id = ${toUuid(orgId)} and id = any(${ids.map(toUuid)}::uuid[])
  `);
  return rows.map((row) => toCredential(toWire('oac', row.id), row));
}

const toCredential = (id: string, { unchanged_since, makers }: CredentialRow): Credential => ({
  id,
  unchangedSince: unchanged_since,
  makers,
});

type Lineage = {
  /** Undefined: the credential does not exist any more. */
  readonly unchangedSince: Date | undefined;
  /** Its own id, those of its makers, of their makers, and so on. Operators are not in it. */
  readonly ids: ReadonlySet<string>;
  /** One of them was deleted, so its makers are not known. */
  readonly isIncomplete: boolean;
};

/** Beyond it the lineage counts as incomplete. Keys are never deleted, so a chain can be long. */
const generationsMax = 1_000;

export async function findLineage(db: Db, orgId: OrgId, credentialId: string): Promise<Lineage> {
  const ids = new Set([credentialId]);
  let unchangedSince: Date | undefined;
  let newest: readonly string[] = [credentialId];
  for (let generation = 0; newest.length > 0; generation++) {
    const [keyIds, clientIds] = [parseIds('key', newest), parseIds('oac', newest)];
    const found = [
      ...(await findKeyOrigins(db, orgId, keyIds)),
      ...(await findClientOrigins(db, orgId, clientIds)),
    ];
    if (found.length < keyIds.length + clientIds.length || generation === generationsMax) {
      return { unchangedSince, ids, isIncomplete: true };
    }
    unchangedSince ??= found[0]?.unchangedSince;
    const makers = found.flatMap((each) => each.makers);
    newest = [...parseIds('key', makers), ...parseIds('oac', makers)].filter((id) => !ids.has(id));
    for (const id of newest) ids.add(id);
  }
  return { unchangedSince, ids, isIncomplete: false };
}
