/**
 * The OpenAPI 3.1 document, made from the operations themselves. TypeBox schemas are JSON Schema
 * already; those with a title become named components.
 */

import type { TSchema } from 'typebox';
import type { Effect } from '../../kernel/effect.ts';
import { datedExample } from '../../kernel/example-story.ts';
import { type Components, createComponents, type Json } from './openapi-components.ts';
import { introduction } from './openapi-introduction.ts';
import { exampleField, isKeyed, isSingle, refusals, successes } from './openapi-responses.ts';
import { describeWebhooks, type WebhookDescription } from './openapi-webhooks.ts';
import type { AnyOperation } from './operation.ts';
import { asObjectSchema, type ParameterSchema } from './schema.ts';
import { security, securitySchemes } from './security-schemes.ts';

/** What the document says besides the operations. */
export type DocumentParts = {
  /** What each group of operations is for, in the order in which the reference shows them. */
  readonly tags: Readonly<Record<string, string>>;
  readonly webhooks: readonly WebhookDescription[];
  /** What any webhook may receive. No operation uses it: it is for the code of receivers. */
  readonly webhookEvent: TSchema;
  /** The dates of examples are counted from here. */
  readonly now: Date;
};

export function openApiDocument(
  operations: readonly AnyOperation[],
  { tags, webhooks: events, webhookEvent, now }: DocumentParts,
): Json {
  const describeWith = (usedInBoth: ReadonlySet<string>) => {
    const parts = createComponents(usedInBoth);
    parts.schema(webhookEvent, 'answer');
    return describeAll(operations, events, parts);
  };
  const { usedInBoth } = describeWith(new Set());
  const { paths, webhooks, components } = describeWith(usedInBoth);
  const used = new Set(operations.map(({ tag }) => tag));
  const undescribed = [...used].filter((tag) => tags[tag] === undefined);
  if (undescribed.length > 0) throw new Error(`no description of the tags ${undescribed.join()}`);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Tonearm',
      version: 'v1',
      summary: 'Music distribution: releases, deliveries, webhooks and royalties.',
      description: introduction,
      contact: { name: 'Tonearm support' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/', description: 'The environment that serves this document: live or sandbox.' },
    ],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes,
      ...components,
    },
  };
  return datedExample(document, now);
}

function describeAll(
  operations: readonly AnyOperation[],
  events: readonly WebhookDescription[],
  components: Components,
) {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describe(operation, components),
    };
  }
  const webhooks = describeWebhooks(events, components);
  return { paths, webhooks, components: components.toJson(), usedInBoth: components.usedInBoth() };
}

function describe(operation: AnyOperation, components: Components): Json {
  const { id, tag, summary, description, scope, alsoNeeds = [], tier, body, form } = operation;
  const { effectIf } = operation;
  const example = exampleField(operation.examples?.body);
  const needed = [scope, ...alsoNeeds].map((each) => `\`${each}\``).join(', ');
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, scope === 'public' ? 'Public.' : `Scope: ${needed}.`]
      .filter(Boolean)
      .join('\n\n'),
    security: form === undefined ? security(operation) : [{ client: [] }, {}],
    ...(scope !== 'public' && { 'x-scopes': [scope, ...alsoNeeds] }),
    ...(tier !== undefined && { 'x-tier': tier }),
    'x-effect': effectOf(operation),
    ...(effectIf !== undefined && { 'x-effect-if': effectIf }),
    parameters: [
      ...pathAndQuery(operation, components),
      ...headerParameters(operation, components),
    ],
    ...(operation.ownerOf !== undefined && {
      requestBody: { content: { '*/*': { schema: {}, ...example } } },
    }),
    ...(body !== undefined && {
      requestBody: {
        required: (asObjectSchema(body).required ?? []).length > 0,
        content: {
          'application/json': { schema: components.schema(body, 'request'), ...example },
          ...xmlContent(operation),
        },
      },
    }),
    ...(form !== undefined && {
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: components.schema(form, 'request'),
            ...example,
          },
        },
      },
    }),
    responses: { ...successes(operation, components), ...refusals(operation, components) },
  };
}

function effectOf({ id, method, effect }: AnyOperation): Effect {
  if (effect !== undefined) return effect;
  if (method === 'GET') return 'reads';
  throw new Error(`${id} states no effect`);
}

function xmlContent({ xmlField, body, examples }: AnyOperation): Json {
  if (xmlField === undefined || body === undefined) return {};
  const { description } = asObjectSchema(body).properties[xmlField] as { description?: string };
  const example = (examples?.body as Record<string, unknown> | undefined)?.[xmlField];
  return {
    'application/xml': { schema: { type: 'string', description }, ...exampleField(example) },
  };
}

function pathAndQuery({ params, query, examples }: AnyOperation, components: Components): Json[] {
  const exampleOf = (name: string, place: 'path' | 'query', schema: ParameterSchema) =>
    place === 'path' ? schema.examples?.[0] : examples?.query?.[name];
  const list = (schema: typeof params, place: 'path' | 'query') =>
    schema === undefined
      ? []
      : Object.entries(asObjectSchema(schema).properties).map(([name, each]) =>
          parameter(components, { name, place, example: exampleOf(name, place, each) }, each),
        );
  return [...list(params, 'path'), ...list(query, 'query')];
}

/** The parameters of every list, and the ids in paths, are the same everywhere. */
function parameter(
  components: Components,
  { name, place, example }: { name: string; place: string; example: unknown },
  schema: Json,
): Json {
  const isShared = place === 'path' || name === 'limit' || name === 'cursor';
  const { description, rest } = splitDescription(schema);
  const value = {
    name,
    in: place,
    required: place === 'path',
    ...(description !== undefined && { description }),
    schema: components.schema(rest, 'request'),
    ...(isShared || example !== undefined ? exampleField(example) : disabledExample(schema)),
  };
  return isShared ? components.shared('parameters', name, value) : value;
}

/** A parameter has its description; a named choice keeps its own, which other operations share. */
function splitDescription(schema: Json): { description: unknown; rest: Json } {
  const { description, ...rest } = schema;
  const { 'x-description-here': here, ...named } = schema;
  return schema['title'] === undefined ? { description, rest } : { description: here, rest: named };
}

/**
 * Scalar puts a value of every optional parameter that has one into its snippets: an example, a default, the first choice
 * or the minimum. A request with all filters at once finds nothing, so those that the example leaves out are disabled.
 */
function disabledExample({ examples, enum: choices, minimum }: ParameterSchema): Json {
  const value = examples?.[0] ?? choices?.[0] ?? minimum;
  return value === undefined ? {} : { examples: { default: { value, 'x-disabled': true } } };
}

function headerParameters(operation: AnyOperation, components: Components): Json[] {
  const { method } = operation;
  const header = (name: string, description: string, schema: Json = { type: 'string' }) =>
    components.shared('parameters', name, {
      name,
      in: 'header',
      required: false,
      description,
      schema,
    });
  return [
    ...(isKeyed(operation)
      ? [
          header(
            'Idempotency-Key',
            'A random UUID v4. A retry with the same key is executed at most once and gets the same answer.',
            {
              type: 'string',
              format: 'uuid',
            },
          ),
        ]
      : []),
    ...(operation.problems.includes('precondition_failed')
      ? [
          header(
            'If-Match',
            'The `ETag` of the resource that you read. If the resource has changed since, the answer is 412 `precondition_failed`.',
          ),
        ]
      : []),
    ...(method === 'GET' && isSingle(operation)
      ? [
          header(
            'If-None-Match',
            'An `ETag` that you have. If the resource has not changed, the answer is 304 without a body.',
          ),
        ]
      : []),
  ];
}
