/** Creates and changes OAuth clients, for partners and for operators. All in real time, as API keys. */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { addMs, secondMs } from '../../kernel/duration.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseScopes } from '../domain/granted-scopes.ts';
import {
  clientNotFound,
  clientSecretForm,
  expiryAfterGrace,
  isUsable,
  type OAuthClient,
  type OAuthClientId,
  type OAuthSecret,
  type OAuthSecretId,
  refuseTooManyClients,
  refuseTooManySecrets,
  secretNotFound,
} from '../domain/oauth-client.ts';
import { tokenLifetimeSeconds } from '../domain/oauth-token.ts';
import { hintOf, makeSecret, secretRandomBytes } from '../domain/secret-form.ts';
import {
  countOAuthClients,
  deleteOAuthClient,
  deleteOAuthSecret,
  insertOAuthClient,
  insertOAuthSecret,
  lockOAuthClient,
  setSecretExpiry,
  touchOAuthClient,
} from '../store/oauth-clients.ts';

/** The scopes of the credential that makes a client or a secret. An operator grants any. */
export type MakerScopes = ReadonlySet<Scope> | 'every';

/** `secret` is not stored: only its hash is. */
type WithSecret = { readonly client: OAuthClient; readonly secret: string };

const enforceScopes = (scopes: readonly Scope[], maker: MakerScopes): void =>
  maker === 'every' ? undefined : enforce(refuseScopes(scopes, maker));

function newSecret(tx: Tx): { readonly row: OAuthSecret; readonly text: string } {
  const text = makeSecret(clientSecretForm, randomBytes(secretRandomBytes), crc32);
  const row = {
    id: tx.newId('ocs'),
    hint: hintOf(text),
    createdAt: tx.realNow,
    lastUsedAt: null,
    expiresAt: null,
  };
  return { row, text };
}

export async function createOAuthClient(
  tx: Tx,
  { name, scopes: wanted }: Pick<OAuthClient, 'name' | 'scopes'>,
  maker: MakerScopes,
): Promise<WithSecret> {
  const scopes = [...new Set(wanted)];
  enforceScopes(wanted, maker);
  enforce(refuseTooManyClients(await countOAuthClients(tx)));
  const { row, text } = newSecret(tx);
  const { realNow } = tx;
  const fields = { id: tx.newId('oac'), name, scopes, createdAt: realNow, updatedAt: realNow };
  insertOAuthClient(tx, fields);
  insertOAuthSecret(tx, fields.id, row, text);
  return { client: { ...fields, secrets: [row] }, secret: text };
}

async function lockExisting(tx: Tx, id: OAuthClientId): Promise<OAuthClient> {
  const client = await lockOAuthClient(tx, id);
  if (client === undefined) throw clientNotFound();
  return client;
}

/** Its tokens have expired too, so nothing refers to the row. */
const isOutdated = ({ expiresAt }: OAuthSecret, realNow: Date): boolean =>
  expiresAt !== null && addMs(expiresAt, tokenLifetimeSeconds * secondMs) < realNow;

export type NewSecretRequest = {
  readonly id: OAuthClientId;
  /** When the other secrets expire. Undefined: they stay as they are. */
  readonly graceSeconds: number | undefined;
  readonly maker: MakerScopes;
};

/** A secret gives access to every scope of its client, so its maker needs them all. */
export async function addOAuthSecret(
  tx: Tx,
  { id, graceSeconds, maker }: NewSecretRequest,
): Promise<WithSecret & { readonly before: OAuthClient }> {
  const before = await lockExisting(tx, id);
  enforceScopes(before.scopes, maker);
  const { realNow } = tx;
  const others = before.secrets
    .filter((secret) => !isOutdated(secret, realNow))
    .map((secret) => ({ ...secret, expiresAt: expiryAfterGrace(secret, realNow, graceSeconds) }));
  enforce(refuseTooManySecrets(others.filter((secret) => isUsable(secret, realNow))));
  for (const secret of before.secrets) {
    if (isOutdated(secret, realNow)) deleteOAuthSecret(tx, id, secret.id);
  }
  for (const secret of others) setSecretExpiry(tx, id, secret);
  const { row, text } = newSecret(tx);
  insertOAuthSecret(tx, id, row, text);
  const updatedAt = nextUpdatedAt(before, realNow);
  touchOAuthClient(tx, id, updatedAt);
  return { client: { ...before, secrets: [...others, row], updatedAt }, secret: text, before };
}

/** Access tokens that were issued for the secret stop working too. Returns the client before. */
export async function revokeOAuthSecret(
  tx: Tx,
  id: OAuthClientId,
  secretId: OAuthSecretId,
): Promise<OAuthClient> {
  const before = await lockExisting(tx, id);
  const secret = before.secrets.find((each) => each.id === secretId);
  if (secret === undefined || !isUsable(secret, tx.realNow)) throw secretNotFound();
  deleteOAuthSecret(tx, id, secretId);
  touchOAuthClient(tx, id, nextUpdatedAt(before, tx.realNow));
  return before;
}

/** Its secrets and access tokens stop working. Returns the client before. */
export async function removeOAuthClient(tx: Tx, id: OAuthClientId): Promise<OAuthClient> {
  const before = await lockExisting(tx, id);
  deleteOAuthClient(tx, id);
  return before;
}
