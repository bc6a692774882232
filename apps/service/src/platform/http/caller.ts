import type { Actor } from '../../kernel/actor.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { QuotaPolicy } from '../../kernel/quota.ts';
import type { RatePolicy } from '../../kernel/rate.ts';
import type { Scope } from '../../kernel/scope.ts';

/** Who sent a request, once its credential has been checked. */
export type Caller = {
  readonly orgId: OrgId;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<Scope>;
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
    throw new Problem('invalid_request', 'Send Authorization or X-API-Key, not both.');
  }
  if (typeof apiKey === 'string' && apiKey !== '') return apiKey;
  if (typeof authorization !== 'string') {
    throw new Problem('authentication_required', 'Send Authorization: Bearer <API_KEY>.', {
      headers: { 'www-authenticate': challenge },
    });
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
  throw new Problem('insufficient_scope', `This route needs the scope ${scope}.`, {
    headers: { 'www-authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` },
  });
}
