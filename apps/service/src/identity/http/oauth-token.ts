/**
 * The token endpoint (RFC 6749 §4.4). Every refusal has the form of RFC 6749 §5.2, because OAuth libraries require
 * `error` to be a string: those of the endpoint itself, and also rate limits and failures, for which the RFC has no
 * code at this endpoint. They use `temporarily_unavailable` and `server_error` of its §4.1.2.1.
 */

import type { Clock } from '../../kernel/clock.ts';
import { type Problem, type ProblemCode, problems } from '../../kernel/problem.ts';
import type { RateLimiter } from '../../kernel/rate.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import type { Answer } from '../../platform/http/answer.ts';
import { docUrlOf } from '../../platform/http/doc-url.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { form, type FormRequest } from '../../platform/http/form.ts';
import { judge } from '../../platform/http/limits.ts';
import { authorizeToken, findClientOfSecret, issueToken } from '../commands/issue-token.ts';
import {
  chooseCredentials,
  invalidClient,
  isOAuthError,
  type OAuthError,
  readParameters,
  refuseGrantType,
  tokenLifetimeSeconds,
} from '../domain/oauth-token.ts';
import { tokenPolicy } from '../domain/rate-policy.ts';
import { readBasic } from './basic-credentials.ts';
import { oauthExamples } from './credential-examples.ts';
import { OAuthErrorBody, TokenBody, TokenForm } from './oauth-schemas.ts';

export type TokenDeps = {
  readonly db: Database;
  readonly directory: Db;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
};

const bodyBytesMax = 8 * 1024;

/** RFC 6749 §5.1. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** RFC 6749 §5.2: the challenge belongs to the scheme that the client used. */
const basicChallenge = { 'www-authenticate': 'Basic realm="tonearm"' };

type Headers = Readonly<Record<string, string>>;

/** The code whose page explains the error: the guides have a section for each code of the envelope. */
const documentedAs: Readonly<Record<OAuthError['error'], ProblemCode>> = {
  invalid_request: 'invalid_request',
  invalid_client: 'invalid_credentials',
  unauthorized_client: 'tier_not_allowed',
  unsupported_grant_type: 'invalid_request',
  invalid_scope: 'insufficient_scope',
  temporarily_unavailable: 'service_unavailable',
  server_error: 'internal_error',
};

/** `code`: the code of the problem, if there is one. */
function refused(
  status: number,
  { error, description }: OAuthError,
  headers: Headers,
  docsOrigin: string,
  code: ProblemCode = documentedAs[error],
): Answer {
  const body = { error, error_description: description, error_uri: docUrlOf(docsOrigin, code) };
  return { status, headers: { ...headers, ...uncached }, body: JSON.stringify(body) };
}

function refusal(error: OAuthError, usesBasic: boolean, docsOrigin: string): Answer {
  if (error.error !== 'invalid_client') return refused(400, error, {}, docsOrigin);
  // 401 also for a client that sent its secret in the body, as the RFC allows; then without a challenge for Basic.
  return refused(401, error, usesBasic ? basicChallenge : {}, docsOrigin);
}

const ownMessages: Readonly<Record<string, string>> = {
  unsupported_media_type: 'Send the body as Content-Type: application/x-www-form-urlencoded.',
  payload_too_large:
    'The body is larger than 8 KiB. Send only the parameters of the token request.',
  invalid_parameter: 'The URL must have no query. Send the parameters in the body.',
};

/** A problem that is not about OAuth: a rate limit, a failure, or a request that is no form. */
function presentProblem({ code, message, headers }: Problem, docsOrigin: string): Answer {
  const { status } = problems[code];
  if (status === 429 || status === 503) {
    const error = { error: 'temporarily_unavailable', description: message } as const;
    return refused(status, error, headers, docsOrigin, code);
  }
  if (status >= 500) {
    return refused(status, { error: 'server_error', description: message }, {}, docsOrigin, code);
  }
  const description =
    ownMessages[code] ??
    'The request is not a valid form. Send the parameters as application/x-www-form-urlencoded.';
  return refused(400, { error: 'invalid_request', description }, {}, docsOrigin, code);
}

const issued = (token: string, scopes: readonly Scope[], headers: Headers): Answer => ({
  status: 200,
  headers: { ...headers, ...uncached },
  body: JSON.stringify({
    access_token: token,
    token_type: 'Bearer',
    expires_in: tokenLifetimeSeconds,
    scope: scopes.join(' '),
  }),
});

export async function oauthTokenRoute(server: Server, deps: TokenDeps): Promise<void> {
  await form(
    server,
    {
      id: 'createAccessToken',
      effect: 'reveals_secret',
      tag: 'OAuth',
      summary: 'Get an access token',
      description:
        'Returns an access token: OAuth 2.0 client credentials (RFC 6749 §4.4), for the enterprise tier. Send the id and a secret of an OAuth client with HTTP Basic authentication, or as `client_id` and `client_secret`. The token works for one hour: use it until it expires, then get another one. Errors have the form of RFC 6749 §5.2. An `Idempotency-Key` is ignored. Each client gets at most 60 tokens a minute and 10 a second, and each address can send as many requests.',
      method: 'POST',
      path: '/v1/oauth/token',
      scope: 'public',
      ownCounter: 'token',
      form: TokenForm,
      bodyBytesMax,
      ownRefusals: {
        schema: OAuthErrorBody,
        statuses: {
          400: '`invalid_request`: A parameter is missing, repeated or malformed, or the client authenticates in two ways.\n\n`unauthorized_client`: The organization does not have the enterprise tier.\n\n`unsupported_grant_type`: `grant_type` is not `client_credentials`.\n\n`invalid_scope`: A scope does not exist, or the client does not have it.',
          401: '`invalid_client`: The client is unknown, its secret is wrong, expired or revoked, or the request has no secret.',
          429: '`temporarily_unavailable`: The client sent too many requests. Wait the number of seconds in `Retry-After`.',
          500: '`server_error`: Something failed on our side. The failure was recorded under the request id.',
          503: '`temporarily_unavailable`: The service cannot reach its database. Wait the number of seconds in `Retry-After`.',
        },
        present: presentProblem,
      },
      answers: { 200: TokenBody },
      examples: oauthExamples.createAccessToken,
      problems: [],
    },
    (request) => answerToken(deps, request),
  );
}

async function answerToken(
  { db, directory, limiter, clock }: TokenDeps,
  { headers, pairs, docsOrigin }: FormRequest,
): Promise<Answer> {
  const basic = readBasic(headers.authorization);
  const refuse = (error: OAuthError) => refusal(error, basic !== undefined, docsOrigin);
  if (basic === 'malformed') return refuse(invalidClient);
  const parameters = readParameters(pairs);
  if (isOAuthError(parameters)) return refuse(parameters);
  const unsupported = refuseGrantType(parameters);
  if (unsupported !== undefined) return refuse(unsupported);
  const credentials = chooseCredentials(basic, parameters);
  if (isOAuthError(credentials)) return refuse(credentials);
  const client = await findClientOfSecret(directory, credentials);
  if (client === undefined) return refuse(invalidClient);
  const { orgId, clientId } = client;
  const scopes = await db.readOnce(orgId, (tenant) =>
    authorizeToken(tenant, client, parameters, clock.now()),
  );
  if (isOAuthError(scopes)) return refuse(scopes);
  // Counted only now: neither a stranger who knows the client id nor the holder of a revoked secret uses up the limit.
  const judgement = await judge(limiter, clientId, tokenPolicy);
  if (judgement.refusal !== undefined) {
    const answer = presentProblem(judgement.refusal, docsOrigin);
    return { ...answer, headers: { ...judgement.headers, ...answer.headers } };
  }
  const actor = { type: 'oauth_client', id: clientId } as const;
  const token = await db.transact({ orgId, actor }, async (tx) => issueToken(tx, client, scopes));
  return issued(token, scopes, judgement.headers);
}
