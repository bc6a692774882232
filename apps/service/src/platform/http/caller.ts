import type { Actor } from '../../kernel/actor.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { QuotaPolicy } from '../../kernel/quota.ts';
import type { RatePolicy } from '../../kernel/rate.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type Tier, tiers } from '../../kernel/tier.ts';

/** Who sent a request, once its credential has been checked. */
export type Caller = {
  readonly orgId: OrgId;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<Scope>;
  readonly tier: Tier;
  /** A suspended organization may read, but not write. */
  readonly isSuspended: boolean;
  readonly ratePolicy: RatePolicy;
  readonly quotas: QuotaPolicy;
  /** The key under which requests are counted. Undefined: the organization. */
  readonly rateKey?: string;
};

/** Throws a 401 or 403 problem if the secret is not valid. */
export type Authenticate = (secret: string) => Promise<Caller>;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const challenge = 'Bearer realm="tonearm"';

/** Contract §5: `Authorization: Bearer` or `X-API-Key`, never both. */
export function credentialOf(headers: Headers): string {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization !== undefined && apiKey !== undefined) {
    throw new Problem(
      'invalid_request',
      'The request has both Authorization and X-API-Key. Send one of them.',
    );
  }
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey;
  if (typeof authorization !== 'string') {
    throw new Problem(
      'authentication_required',
      'The request has no credential. Send Authorization: Bearer <API_KEY>.',
      {
        headers: { 'www-authenticate': challenge },
      },
    );
  }
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  if (token === undefined) {
    throw unauthorized('invalid_credentials', 'Authorization must read: Bearer <API_KEY>.');
  }
  return token;
}

export function unauthorized(
  code: 'invalid_credentials' | 'token_expired',
  message: string,
): Problem {
  return new Problem(code, message, {
    headers: { 'www-authenticate': `${challenge}, error="invalid_token"` },
  });
}

export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.has(scope)) return;
  throw new Problem(
    'insufficient_scope',
    `Your credential does not have the scope ${scope}, which this route needs. Use a credential that has it.`,
    {
      details: [{ field: 'scope', issue: `Your credential does not have the scope ${scope}.` }],
      headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
    },
  );
}

/** `action` names a change: an operation without one only reads, even if its method is POST. */
export function requireAccess(
  caller: Caller,
  { tier, action }: { readonly tier?: Tier; readonly action?: string },
): void {
  if (tier !== undefined && tiers.indexOf(caller.tier) < tiers.indexOf(tier)) {
    throw new Problem(
      'tier_not_allowed',
      `This route needs the ${tier} tier; your organization has the ${caller.tier} tier. Ask support to change it.`,
    );
  }
  if (caller.isSuspended && action !== undefined) {
    throw new Problem(
      'organization_suspended',
      'Your organization is suspended: it can read, but change nothing. Contact support.',
    );
  }
}
