/** The answers of an operation in the OpenAPI document: successes, and every error code that it may answer. */

import { STATUS_CODES } from 'node:http';
import { type ProblemCode, problems } from '../../kernel/problem.ts';
import type { Components, Json } from './openapi-components.ts';
import type { AnyOperation, OwnRefusals } from './operation.ts';
import { problemExample } from './problem-examples.ts';
import { asObjectSchema, ErrorBody } from './schema.ts';

const guardedRoutes: readonly ProblemCode[] = [
  'authentication_required',
  'invalid_credentials',
  'token_expired',
  'insufficient_scope',
];
/** Routes that change something. */
const changes: readonly ProblemCode[] = ['organization_suspended'];
const routesOfATier: readonly ProblemCode[] = ['tier_not_allowed'];
const anyRoute: readonly ProblemCode[] = [
  'invalid_request',
  'invalid_parameter',
  'uri_too_long',
  'headers_too_large',
  'rate_limit_exceeded',
  'internal_error',
  'service_unavailable',
];
/** Every route but GET reads a body, even if its operation declares none. */
const changingRoutes: readonly ProblemCode[] = ['invalid_json', 'invalid_field'];
/** For routes that accept any bytes too. */
const takingRoutes: readonly ProblemCode[] = ['payload_too_large', 'unsupported_media_type'];
const routesWithBody: readonly ProblemCode[] = ['unknown_field', 'read_only_field'];
const keyedRoutes: readonly ProblemCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_use',
  'idempotency_key_reused',
];

/** One resource with an ETag, not a page, not a list and not lines. */
export function isSingle({ params, answers, mediaType }: AnyOperation): boolean {
  const answer = answers[200] ?? answers[201];
  if (answer === undefined || answer === null || mediaType !== undefined) return false;
  const isPage = 'properties' in answer && 'has_more' in asObjectSchema(answer).properties;
  return !isPage && (params !== undefined || answers[201] !== undefined);
}

export const isKeyed = ({ method, ownerOf, form }: AnyOperation): boolean =>
  (method === 'POST' || method === 'PATCH') && ownerOf === undefined && form === undefined;

export const exampleField = (example: unknown): Json => (example === undefined ? {} : { example });

const responseHeaders = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description:
      'The id of the request. Send it to support if you have a question about the request.',
  },
  'RateLimit-Limit': {
    schema: { type: 'integer' },
    description: 'The number of requests that are allowed in this minute.',
  },
  'RateLimit-Remaining': {
    schema: { type: 'integer' },
    description: 'The number of requests that are left in this minute.',
  },
  'RateLimit-Reset': {
    schema: { type: 'integer' },
    description: 'The number of seconds until the minute ends.',
  },
  'RateLimit-Policy': {
    schema: { type: 'string' },
    description: 'The limits per minute and per second, for example `1200;w=60, 50;w=1`.',
  },
};

const etag = {
  schema: { type: 'string' },
  description:
    'Identifies exactly this state of the resource; weak (`W/`) if the answer is compressed. Send it back as it is, as `If-Match` or `If-None-Match`.',
};
const location = { schema: { type: 'string' }, description: 'The path of the new resource.' };
const replayed = {
  schema: { type: 'string' },
  description: '`true`: the request was executed before, and this is its stored answer.',
};
const retryAfter = {
  schema: { type: 'integer' },
  description: 'The number of seconds to wait before you send the request again.',
};
const challenge = {
  schema: { type: 'string' },
  description: 'The authentication scheme to use (RFC 6750).',
};

const sharedHeaders = (components: Components, headers: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      components.shared('headers', name, value),
    ]),
  );

export function successes(operation: AnyOperation, components: Components): Json {
  const { answers, method, mediaType = 'application/json', examples } = operation;
  const headersOf = (status: string) =>
    sharedHeaders(components, {
      ...responseHeaders,
      ...(isSingle(operation) && { ETag: etag }),
      ...(status === '201' && { Location: location }),
      ...(isKeyed(operation) && { 'Idempotency-Replayed': replayed }),
    });
  const declared = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description:
        schema === null
          ? 'The request succeeded. The answer has no body.'
          : 'The request succeeded.',
      headers: headersOf(status),
      ...(schema !== null && {
        content: {
          [mediaType]: {
            schema: components.schema(schema, 'answer'),
            ...exampleField(examples?.answer),
          },
        },
      }),
    },
  ]);
  const unchanged = components.shared('responses', 'NotModified', {
    description: 'The resource has not changed since the `ETag` in `If-None-Match`.',
    headers: sharedHeaders(components, responseHeaders),
  });
  return {
    ...Object.fromEntries(declared),
    ...(method === 'GET' && isSingle(operation) && { 304: unchanged }),
  };
}

/** Every code an operation may answer, grouped by its status. */
export function refusals(operation: AnyOperation, components: Components): Json {
  if (operation.ownRefusals !== undefined) return ownRefusals(operation.ownRefusals, components);
  const byStatus = Map.groupBy(problemsOf(operation), (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, refusal(components, status, codes.toSorted())]),
  );
}

/** Named after its codes, so that equal answers are one component: `NotFound.resource_not_found`. */
function refusal(components: Components, status: number, codes: readonly ProblemCode[]): Json {
  const phrase = STATUS_CODES[status]?.replaceAll(/\W/g, '') ?? String(status);
  return components.shared('responses', [phrase, ...codes].join('.'), {
    description: codes.map((code) => `\`${code}\`: ${problems[code].cause}`).join('\n\n'),
    headers: refusalHeaders(components, status),
    content: {
      'application/json': {
        schema: components.schema(ErrorBody, 'answer'),
        examples: Object.fromEntries(codes.map((code) => [code, refusalExample(components, code)])),
      },
    },
  });
}

/** Many answers have the same codes, so the example of a code is a component too. */
const refusalExample = (components: Components, code: ProblemCode): Json =>
  components.shared('examples', code, {
    summary: problems[code].cause,
    value: problemExample(code),
  });

/** The answers of the token endpoint have the form of RFC 6749. */
function ownRefusals({ statuses, schema }: OwnRefusals, components: Components): Json {
  return Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [
      status,
      {
        description,
        headers: refusalHeaders(components, Number(status)),
        content: { 'application/json': { schema: components.schema(schema, 'answer') } },
      },
    ]),
  );
}

const refusalHeaders = (components: Components, status: number): Json =>
  sharedHeaders(components, {
    ...responseHeaders,
    ...([409, 429, 503].includes(status) && { 'Retry-After': retryAfter }),
    ...(status === 401 && { 'WWW-Authenticate': challenge }),
  });

function problemsOf(operation: AnyOperation): ProblemCode[] {
  const { method, scope, body, ownerOf, action, tier, problems: own } = operation;
  const required = body === undefined ? [] : (asObjectSchema(body).required ?? []);
  return [
    ...new Set<ProblemCode>([
      ...anyRoute,
      ...(scope === 'public' ? [] : guardedRoutes),
      ...(action === undefined ? [] : changes),
      ...(tier === undefined ? [] : routesOfATier),
      ...(method === 'GET' ? [] : takingRoutes),
      ...(method === 'GET' || ownerOf !== undefined ? [] : changingRoutes),
      ...(body === undefined ? [] : routesWithBody),
      ...(required.length === 0 ? [] : (['missing_required_field'] as const)),
      ...(isKeyed(operation) ? keyedRoutes : []),
      ...own,
    ]),
  ];
}
