/**
 * Issues an access token (RFC 6749 §4.4). The directory is asked by the hash of the secret alone, before anything looks
 * at the client id: for an unknown client and for a wrong secret the service does the same work, one look-up that finds
 * nothing. No comparison depends on a stored secret, so there is none to time.
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { addMs, secondMs } from '../../kernel/duration.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { clientSecretForm, isUsable } from '../domain/oauth-client.ts';
import {
  accessTokenForm,
  chooseScopes,
  type ClientCredentials,
  invalidClient,
  type OAuthError,
  type Parameters,
  refuseTier,
  tokenLifetimeSeconds,
} from '../domain/oauth-token.ts';
import { isWellFormedSecret, makeSecret, secretRandomBytes } from '../domain/secret-form.ts';
import {
  findOAuthCredential,
  findOAuthGrant,
  insertAccessToken,
  type SecretRef,
} from '../store/oauth-tokens.ts';

/** The client of a secret, if the request names that client. */
export async function findClientOfSecret(
  directory: Db,
  { clientId, secret }: ClientCredentials,
): Promise<SecretRef | undefined> {
  if (!isWellFormedSecret(clientSecretForm, secret, crc32)) return undefined;
  const found = await findOAuthCredential(directory, secret);
  return found?.clientId === clientId ? found : undefined;
}

/** What a token for this secret may do. */
export async function authorizeToken(
  db: Db,
  ref: SecretRef,
  parameters: Parameters,
  realNow: Date,
): Promise<readonly Scope[] | OAuthError> {
  const grant = await findOAuthGrant(db, ref);
  if (grant === undefined || !isUsable(grant, realNow)) return invalidClient;
  return refuseTier(grant.tier) ?? chooseScopes(parameters, grant.scopes);
}

/** The secret may be revoked meanwhile: then its row is gone, and the token does not work. */
export function issueToken(tx: Tx, ref: SecretRef, scopes: readonly Scope[]): string {
  const token = makeSecret(accessTokenForm, randomBytes(secretRandomBytes), crc32);
  const createdAt = tx.realNow;
  const expiresAt = addMs(createdAt, tokenLifetimeSeconds * secondMs);
  insertAccessToken(tx, token, { ...ref, scopes, createdAt, expiresAt });
  return token;
}
