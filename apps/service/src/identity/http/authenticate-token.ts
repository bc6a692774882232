/** From an access token (contract §5) to its caller: the directory has the token, the tenant's rows what it may do. */

import type { Clock } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/environment.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import { type Caller, unauthorized } from '../../platform/http/caller.ts';
import { refuseTier, scopesNow } from '../domain/oauth-token.ts';
import { quotaPolicyOf } from '../domain/quota-policy.ts';
import { ratePolicyOf } from '../domain/rate-policy.ts';
import { type AccessToken, findAccessToken, findOAuthGrant } from '../store/oauth-tokens.ts';

type Deps = {
  readonly db: Database;
  readonly directory: Db;
  readonly environment: Environment;
  readonly clock: Clock;
};

type FoundToken = { readonly caller: Caller; readonly expiresAt: Date };

/** The grant is read each time: a deleted client, a revoked secret and a changed tier end the token before its hour. */
export async function lookUpToken(deps: Deps, sha256: Buffer): Promise<FoundToken> {
  const { db, directory, clock, environment } = deps;
  const token = await findAccessToken(directory, sha256, clock.now());
  if (token === undefined) throw unknownToken(environment);
  const grant = await db.readOnce(token.orgId, (tenant) => findOAuthGrant(tenant, token));
  if (grant === undefined) throw unknownToken(environment);
  enforceUnexpired(token, clock.now());
  const { tier } = grant;
  const refusal = refuseTier(tier);
  if (refusal !== undefined) throw new Problem('tier_not_allowed', refusal.description);
  const caller: Caller = {
    orgId: token.orgId,
    actor: { type: 'oauth_client', id: token.clientId },
    scopes: scopesNow(token.scopes, grant.scopes),
    tier,
    isSuspended: grant.suspendedAt !== null,
    ratePolicy: ratePolicyOf(tier, environment),
    quotas: quotaPolicyOf(tier, environment),
  };
  return { caller, expiresAt: token.expiresAt };
}

function enforceUnexpired({ expiresAt }: AccessToken, now: Date): void {
  if (expiresAt > now) return;
  throw unauthorized(
    'token_expired',
    `The access token expired at ${expiresAt.toISOString()}. Get another from POST /v1/oauth/token.`,
  );
}

const unknownToken = (environment: Environment) =>
  unauthorized(
    'invalid_credentials',
    `The access token is unknown in the ${environment} environment, or its client or secret was revoked.`,
  );
