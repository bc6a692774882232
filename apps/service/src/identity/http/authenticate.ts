/**
 * From an API key or an access token to its caller. The checksum rejects malformed ones without a query. The directory
 * maps the key's hash to its organization; the key's row, read under that organization's context, has its scopes.
 * Successful results are cached for four seconds, so a revocation takes effect everywhere within five.
 */

import { crc32 } from 'node:zlib';
import type { Clock } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { KeyId, OrgId } from '../../kernel/ids.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { type Authenticate, type Caller, unauthorized } from '../../platform/http/caller.ts';
import { isWellFormedKey, prefixOf } from '../domain/api-key.ts';
import { clientSecretForm } from '../domain/oauth-client.ts';
import { accessTokenForm } from '../domain/oauth-token.ts';
import { quotaPolicyOf } from '../domain/quota-policy.ts';
import { ratePolicyOf } from '../domain/rate-policy.ts';
import { isWellFormedSecret } from '../domain/secret-form.ts';
import { findCredential, findKeyGrant, hashOfSecret, type KeyGrant } from '../store/credentials.ts';
import { lookUpToken } from './authenticate-token.ts';

const cacheTtlMs = 4_000; // contract §5: revocation within 5 s
const cacheEntriesMax = 10_000;

type Deps = {
  readonly db: Database;
  readonly directory: Db;
  readonly environment: Environment;
  readonly clock: Clock;
};

export function createAuthenticate(deps: Deps): Authenticate {
  const cache = new Map<string, { readonly untilMs: number; readonly found: Promise<Found> }>();

  return async (secret) => {
    const isToken = secret.startsWith(accessTokenForm.prefix);
    if (isToken) enforceTokenFormat(secret);
    else enforceKeyFormat(secret, deps.environment);
    const sha256 = hashOfSecret(secret);
    const cacheKey = sha256.toString('base64');
    const nowMs = deps.clock.now().getTime();
    const cached = cache.get(cacheKey);
    if (cached !== undefined && cached.untilMs > nowMs) return (await cached.found).caller;

    const found: Promise<Found> = (isToken ? lookUpToken : lookUp)(deps, sha256);
    cache.delete(cacheKey);
    const [oldest] = cache.keys();
    if (cache.size >= cacheEntriesMax && oldest !== undefined) cache.delete(oldest);
    cache.set(cacheKey, { untilMs: nowMs + cacheTtlMs, found });
    try {
      const { caller, expiresAt } = await found;
      const untilMs = Math.min(
        nowMs + cacheTtlMs,
        expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      );
      cache.set(cacheKey, { untilMs, found });
      return caller;
    } catch (error) {
      // Failures are not cached: a key that was just created must work at once.
      cache.delete(cacheKey);
      throw error;
    }
  };
}

function enforceTokenFormat(secret: string): void {
  if (isWellFormedSecret(accessTokenForm, secret, crc32)) return;
  throw unauthorized(
    'invalid_credentials',
    'The access token is not valid: it is mistyped or cut off.',
  );
}

function enforceKeyFormat(secret: string, environment: Environment): void {
  if (secret.startsWith(clientSecretForm.prefix)) {
    throw unauthorized(
      'invalid_credentials',
      'This is the secret of an OAuth client. Exchange it for an access token at POST /v1/oauth/token.',
    );
  }
  if (!isWellFormedKey(secret, crc32)) {
    throw unauthorized(
      'invalid_credentials',
      'The API key is not valid: it is mistyped or cut off.',
    );
  }
  if (!secret.startsWith(prefixOf[environment])) {
    const message = `This is the ${environment} environment; its keys start with ${prefixOf[environment]}.`;
    throw unauthorized('invalid_credentials', message);
  }
}

type Found = { readonly caller: Caller; readonly expiresAt: Date | null };

async function lookUp(deps: Deps, sha256: Buffer): Promise<Found> {
  const { db, directory } = deps;
  const credential = await findCredential(directory, sha256);
  if (credential === undefined) throw unknownKey();
  const { orgId, keyId } = credential;
  const grant = await db.readOnce(orgId, (tenant) => findKeyGrant(tenant, orgId, keyId));
  if (grant === undefined || grant.revokedAt !== null) throw unknownKey();
  return { caller: callerOf(deps, orgId, keyId, grant), expiresAt: grant.expiresAt };
}

const unknownKey = () =>
  unauthorized('invalid_credentials', 'The API key is unknown or has been revoked.');

function callerOf(
  { clock, environment }: Deps,
  orgId: OrgId,
  keyId: KeyId,
  grant: KeyGrant,
): Caller {
  if (grant.expiresAt !== null && grant.expiresAt <= clock.now()) {
    throw unauthorized('token_expired', `The API key expired at ${grant.expiresAt.toISOString()}.`);
  }
  return {
    orgId,
    actor: { type: 'api_key', id: keyId },
    scopes: new Set(grant.scopes),
    tier: grant.tier,
    isSuspended: grant.suspendedAt !== null,
    ratePolicy: ratePolicyOf(grant.tier, environment),
    quotas: quotaPolicyOf(grant.tier, environment),
  };
}
