/**
 * The client credentials grant (RFC 6749 §4.4): which request gets an access token, and with which scopes. The errors
 * are those of RFC 6749 §5.2. Their descriptions contain no text of the request, because the RFC allows only some
 * ASCII characters in them.
 */

import { hourMs, secondMs } from '../../kernel/duration.ts';
import { isScope, type Scope } from '../../kernel/scope.ts';
import type { Tier } from '../../kernel/tier.ts';
import type { SecretForm } from './secret-form.ts';

/** 32 base62 characters are 190 random bits. */
export const accessTokenForm: SecretForm = { prefix: 'ta_at_', randomLength: 32 };

const tokenLifetimeMs = hourMs; // contract §5
export const tokenLifetimeSeconds = tokenLifetimeMs / secondMs;

export const oauthErrors = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
  'server_error',
] as const;

export type OAuthError = {
  readonly error: (typeof oauthErrors)[number];
  readonly description: string;
};

export const isOAuthError = (value: object): value is OAuthError => 'error' in value;

const invalidRequest = (description: string): OAuthError => ({
  error: 'invalid_request',
  description,
});

/** The same for an unknown client, a wrong secret, and a client or secret that was deleted or has expired. */
export const invalidClient: OAuthError = {
  error: 'invalid_client',
  description:
    'The client is unknown, or the secret is wrong, expired or revoked. Check that both belong to this environment.',
};

export type Parameters = ReadonlyMap<string, string>;

/** RFC 6749 §3.2: a parameter without a value counts as omitted, an unknown one is ignored, none may be repeated. */
export function readParameters(
  pairs: readonly (readonly [name: string, value: string])[],
): Parameters | OAuthError {
  const names = pairs.map(([name]) => name);
  if (new Set(names).size < names.length) {
    return invalidRequest('A parameter is repeated. Send each parameter once.');
  }
  return new Map(pairs.filter(([, value]) => value !== ''));
}

export function refuseGrantType(parameters: Parameters): OAuthError | undefined {
  const grantType = parameters.get('grant_type');
  if (grantType === undefined) {
    return invalidRequest('grant_type is missing. Send grant_type=client_credentials.');
  }
  if (grantType === 'client_credentials') return undefined;
  return {
    error: 'unsupported_grant_type',
    description: 'Only grant_type=client_credentials is supported.',
  };
}

export type ClientCredentials = { readonly clientId: string; readonly secret: string };

/** `basic` is the content of an Authorization header; undefined: there was none, or not for the Basic scheme. */
export function chooseCredentials(
  basic: ClientCredentials | undefined,
  parameters: Parameters,
): ClientCredentials | OAuthError {
  const clientId = parameters.get('client_id');
  const secret = parameters.get('client_secret');
  if (basic === undefined) {
    if (clientId !== undefined && secret !== undefined) return { clientId, secret };
    return {
      error: 'invalid_client',
      description:
        'The client did not authenticate. Send its id and secret as HTTP Basic authentication, or as client_id and client_secret in the body.',
    };
  }
  if (secret !== undefined) {
    return invalidRequest(
      'The client authenticates twice. Send the secret in the Authorization header or in the body, not in both.',
    );
  }
  if (clientId !== undefined && clientId !== basic.clientId) {
    return invalidRequest('client_id in the body is not the client of the Authorization header.');
  }
  return basic;
}

/** A suspended organization gets tokens: it may read. */
export function refuseTier(tier: Tier): OAuthError | undefined {
  if (tier === 'enterprise') return undefined;
  return {
    error: 'unauthorized_client',
    description: 'OAuth needs the enterprise tier. Use an API key, or ask support.',
  };
}

/** RFC 6749 §3.3: without `scope`, the token has every scope of the client. */
export function chooseScopes(
  parameters: Parameters,
  granted: readonly Scope[],
): readonly Scope[] | OAuthError {
  const requested = parameters.get('scope');
  if (requested === undefined) return granted;
  const names = [...new Set(requested.split(' ').filter((name) => name !== ''))];
  const known = names.filter(isScope);
  if (known.length < names.length || known.length === 0) {
    return {
      error: 'invalid_scope',
      description:
        'scope names a scope that does not exist. Send scopes of this API, separated by single spaces.',
    };
  }
  const missing = known.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return known;
  return {
    error: 'invalid_scope',
    description: `The client was not granted ${missing.join(', ')}.`,
  };
}

/** A token carries the scopes of its issue that the client still has. */
export const scopesNow = (
  issued: readonly Scope[],
  granted: readonly Scope[],
): ReadonlySet<Scope> => new Set(issued.filter((scope) => granted.includes(scope)));
