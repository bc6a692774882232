/**
 * The OpenAPI 3.1 document, made from the operations themselves. TypeBox schemas are JSON Schema
 * already; those with a title become named components.
 */

import type { TSchema } from 'typebox';
import { type ProblemCode, problems } from '../../kernel/problem.ts';
import type { AnyOperation } from './operation.ts';
import { asObjectSchema, ErrorBody } from './schema.ts';

type Json = Record<string, unknown>;

const guardedRoutes: readonly ProblemCode[] = [
  'authentication_required',
  'invalid_credentials',
  'token_expired',
  'insufficient_scope',
  'organization_suspended',
];
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

/** What a partner must know before the first call; shown at the top of the reference. */
const introduction = `
**Authentication.** Send \`Authorization: Bearer <API_KEY>\`. Keys that start with \`ta_test_\` belong
to the sandbox, \`ta_live_\` to live.

**Retrying.** Send an \`Idempotency-Key\` (a UUID v4) with every POST and PATCH. A retry with the same
key changes nothing twice and gets the same answer, marked \`Idempotency-Replayed: true\`. Retry on a
lost connection, 429, 503, and 409 \`idempotency_key_in_use\`.

**Errors.** Every refusal is \`{"error": {"code", "message", "request_id", "details"}}\`. Decide by
\`code\`; \`details\` names each field that is wrong. Quote \`request_id\` when you ask us.

**Text.** Stored in Unicode NFC; lengths count its code points. A text that contains a control character, a
bidirectional override or isolate, or a non-character is refused (422 \`invalid_field\`, which names the code point),
and so is a title or name without a visible character. \`reason\`, \`description\` and the values of \`metadata\` may
contain line feeds and tabs. URLs are kept as you send them.

**Limits.** Requests are limited per minute and second (\`rate_limit_exceeded\`), and what you may have at
once by quotas (\`quota_exceeded\`, which names the quota, its limit and what frees it). Both are 429: wait
the seconds in \`Retry-After\`, then send the request again, with the same \`Idempotency-Key\`.

**Lists.** Newest first. Pass \`next_cursor\` as \`cursor\`, with the same filters, until \`has_more\` is
false. A page ends early when its items take 2 MiB.

**Conditions.** A single resource carries an \`ETag\`. \`If-None-Match\` saves the
body, \`If-Match\` on PATCH refuses a change to something you have not seen.
`.trim();

export function openApiDocument(operations: readonly AnyOperation[]): Json {
  const components = new Map<string, Json>();
  const name = (schema: unknown) => hoist(schema, components);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, name) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tonearm',
      version: 'v1',
      summary: 'Music distribution: releases, deliveries, webhooks and royalties.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(operation: AnyOperation, name: (schema: unknown) => unknown): Json {
  const { id, tag, summary, description, scope, alsoNeeds = [], body } = operation;
  const needed = [scope, ...alsoNeeds].map((each) => `\`${each}\``).join(', ');
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, scope === 'public' ? 'Public.' : `Scope: ${needed}.`]
      .filter(Boolean)
      .join('\n\n'),
    ...(scope === 'public' && { security: [] }),
    parameters: [...pathAndQuery(operation, name), ...headerParameters(operation)],
    ...(operation.ownerOf !== undefined && { requestBody: { content: { '*/*': { schema: {} } } } }),
    ...(body !== undefined && {
      requestBody: {
        required: (asObjectSchema(body).required ?? []).length > 0,
        content: { 'application/json': { schema: name(body) } },
      },
    }),
    responses: { ...successes(operation, name), ...refusals(operation, name) },
  };
}

function pathAndQuery({ params, query }: AnyOperation, name: (schema: unknown) => unknown): Json[] {
  const list = (schema: TSchema | undefined, place: 'path' | 'query') =>
    schema === undefined
      ? []
      : Object.entries(asObjectSchema(schema).properties).map(([parameter, each]) => ({
          name: parameter,
          in: place,
          required: place === 'path',
          schema: name(each),
        }));
  return [...list(params, 'path'), ...list(query, 'query')];
}

/** One resource with an ETag, not a page and not a list. */
function isSingle({ params, answers }: AnyOperation): boolean {
  const answer = answers[200] ?? answers[201];
  if (answer === undefined || answer === null) return false;
  const isPage = 'has_more' in asObjectSchema(answer).properties;
  return !isPage && (params !== undefined || answers[201] !== undefined);
}

const isKeyed = ({ method, ownerOf }: AnyOperation): boolean =>
  (method === 'POST' || method === 'PATCH') && ownerOf === undefined;

function headerParameters(operation: AnyOperation): Json[] {
  const { method } = operation;
  const header = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  return [
    ...(isKeyed(operation)
      ? [
          header('Idempotency-Key', 'A UUID v4; a retry with the same key changes nothing twice.', {
            type: 'string',
            format: 'uuid',
          }),
        ]
      : []),
    ...(method === 'PATCH' ? [header('If-Match', 'The ETag the change is based on.')] : []),
    ...(method === 'GET' && isSingle(operation)
      ? [header('If-None-Match', 'Answers 304 when nothing changed.')]
      : []),
  ];
}

const responseHeaders = {
  'X-Request-Id': {
    schema: { type: 'string' },
    description: 'Unique per request; quote it to support.',
  },
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Requests allowed this minute.' },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Requests left this minute.' },
  'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the minute ends.' },
  'RateLimit-Policy': {
    schema: { type: 'string' },
    description: 'The quota and the burst: 1200;w=60, 50;w=1.',
  },
};

const header = (description: string, type = 'string') => ({ schema: { type }, description });

function successHeaders(operation: AnyOperation, status: string): Json {
  return {
    ...responseHeaders,
    ...(isSingle(operation) && { ETag: header('Of exactly these bytes.') }),
    ...(status === '201' && { Location: header('Where the new resource is.') }),
    ...(isKeyed(operation) && {
      'Idempotency-Replayed': header('true: this answer was given before.'),
    }),
  };
}

function successes(operation: AnyOperation, name: (schema: unknown) => unknown): Json {
  const { answers, method } = operation;
  const unchanged =
    method === 'GET' && isSingle(operation)
      ? {
          304: {
            description: 'Not changed since the ETag in If-None-Match.',
            headers: responseHeaders,
          },
        }
      : {};
  const declared = Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      {
        description: schema === null ? 'Done.' : 'Success.',
        headers: successHeaders(operation, status),
        ...(schema !== null && { content: { 'application/json': { schema: name(schema) } } }),
      },
    ]),
  );
  return { ...declared, ...unchanged };
}

/** Every code an operation may answer, grouped by its status. */
function refusals(operation: AnyOperation, name: (schema: unknown) => unknown): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemsOf(operation)) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${problems[code].cause}`).join('\n\n'),
        headers: {
          ...responseHeaders,
          ...([409, 429, 503].includes(status) && { 'Retry-After': header('Seconds.', 'integer') }),
          ...(status === 401 && { 'WWW-Authenticate': header('RFC 6750.') }),
        },
        content: { 'application/json': { schema: name(ErrorBody) } },
      },
    ]),
  );
}

function problemsOf(operation: AnyOperation): ProblemCode[] {
  const { method, scope, body, ownerOf, problems: own } = operation;
  const required = body === undefined ? [] : (asObjectSchema(body).required ?? []);
  return [
    ...new Set<ProblemCode>([
      ...anyRoute,
      ...(scope === 'public' ? [] : guardedRoutes),
      ...(method === 'GET' ? [] : takingRoutes),
      ...(method === 'GET' || ownerOf !== undefined ? [] : changingRoutes),
      ...(body === undefined ? [] : routesWithBody),
      ...(required.length === 0 ? [] : (['missing_required_field'] as const)),
      ...(isKeyed(operation) ? keyedRoutes : []),
      ...own,
    ]),
  ];
}

/** Read by validation only. */
const validationKeywords = new Set(['x-read-only', 'x-also-required', 'x-text', 'x-cure']);

function hoist(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((each: unknown) => hoist(each, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([key]) => !validationKeywords.has(key));
  const copy = Object.fromEntries(entries.map(([key, value]) => [key, hoist(value, components)]));
  // A property may be called `title` too; a schema's own title is text.
  const { title } = copy;
  if (typeof title !== 'string') return copy;
  components.set(title, copy);
  return { $ref: `#/components/schemas/${title}` };
}
