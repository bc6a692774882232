/**
 * `npm run mcp:catalogue`: writes src/mcp/generated/catalogue.json from the OpenAPI document. It has one operation per
 * line, without what a model does not need: examples, patterns, answers.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { absentOperations, type Effect, warnings } from '../src/mcp/exposure.ts';
import type { EffectCondition, JsonSchema, Method, Operation } from '../src/mcp/operation.ts';

type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
};

type Described = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> };
  readonly 'x-effect'?: string;
  readonly 'x-effect-if'?: EffectCondition;
};

type Ref = { readonly $ref: string };

export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

const root = join(import.meta.dirname, '..', '..', '..');
export const cataloguePath = join(root, 'packages/cli/src/mcp/generated/catalogue.json');

export const readDocument = (): OpenApiDocument =>
  JSON.parse(readFileSync(join(root, 'openapi', 'openapi.json'), 'utf8')) as OpenApiDocument;

const isRef = (value: unknown): value is Ref =>
  typeof value === 'object' && value !== null && '$ref' in value;

function resolve<T>(document: OpenApiDocument, value: T | Ref): T {
  if (!isRef(value)) return value;
  const target = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown>)[key], document);
  return resolve(document, target as T | Ref);
}

/** The API checks patterns itself, and explains them better than a regular expression does. */
const droppedKeywords = new Set(['examples', 'example', 'title', 'pattern', 'readOnly', 'format']);
/** Lists of hundreds of values (genres, territories) have a tool of their own. */
const enumMax = 40;
const depthMax = 12;

function simplify(document: OpenApiDocument, schema: JsonSchema | Ref, depth = 0): JsonSchema {
  if (depth > depthMax) throw new Error('a schema of the OpenAPI document refers to itself');
  const entries = Object.entries(resolve(document, schema)).flatMap(([keyword, value]) => {
    if (keyword.startsWith('x-') || droppedKeywords.has(keyword)) return [];
    if (keyword === 'enum' && (value as unknown[]).length > enumMax) return [];
    return [[keyword, simplifyValue(document, keyword, value, depth + 1)]];
  });
  return Object.fromEntries(entries) as JsonSchema;
}

function simplifyValue(document: OpenApiDocument, keyword: string, value: unknown, depth: number) {
  if (keyword === 'properties') {
    const properties = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(
      properties.map(([name, schema]) => [name, simplify(document, schema, depth)]),
    );
  }
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) {
    return (value as JsonSchema[]).map((each) => simplify(document, each, depth));
  }
  if (keyword === 'description') return String(value).replaceAll(openValues, '');
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? simplify(document, value as JsonSchema, depth)
    : value;
}

/** Texts that a model needs only when it reads answers. */
const openValues = ' Accept values that you do not know: new ones may be added at any time.';

/** Properties whose schemas are as long as ten other tools. The tool or guide that is named has the same fields. */
const shortenedProperties: Readonly<Record<string, JsonSchema>> = {
  'createTracks.tracks': {
    type: 'array',
    items: { type: 'object' },
    description: 'The tracks, at most 100, each with the arguments of `create_track`.',
  },
  'updateTracks.tracks': {
    type: 'array',
    items: { type: 'object' },
    description: 'The changes, at most 100, each with an `id` and arguments of `update_track`.',
  },
  'createScenario.steps': {
    type: 'array',
    items: { type: 'object' },
    description:
      'What the store does, step by step. Read the guide `sandbox` (`read_guide`) for the fields.',
  },
};

const shorten = (operationId: string, properties: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      shortenedProperties[`${operationId}.${name}`] ?? schema,
    ]),
  );

/** A body that is one of several objects becomes an object with the properties of all; the API checks the rest. */
function bodyOf(document: OpenApiDocument, { requestBody }: Described): JsonSchema | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return undefined;
  const body = simplify(document, schema);
  const variants = body['oneOf'] as JsonSchema[] | undefined;
  if (variants === undefined) return body;
  return {
    type: 'object',
    properties: Object.assign({}, ...variants.map(({ properties }) => properties)),
  };
}

const snakeCase = (operationId: string): string =>
  operationId
    .replace('OAuth', 'Oauth')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const withoutScope = (description: string): string =>
  description.replace(/\n\nScope: [^\n]*/, '').trim();

function effectOf({ operationId, 'x-effect': effect = 'none' }: Described): Effect {
  if (!Object.hasOwn(warnings, effect)) throw new Error(`${operationId} has the effect ${effect}`);
  return effect as Effect;
}

function describe(document: OpenApiDocument, path: string, method: string, described: Described) {
  const parameters = (described.parameters ?? [])
    .map((each) => resolve(document, each))
    .filter(({ in: place }) => place !== 'header');
  const body = bodyOf(document, described);
  const { 'x-effect-if': effectIf } = described;
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [
      name,
      { ...simplify(document, schema), ...(description !== undefined && { description }) },
    ]),
  );
  const clash = Object.keys(body?.properties ?? {}).find((name) => name in properties);
  if (clash !== undefined) throw new Error(`${described.operationId}: ${clash} is in two places`);
  const required = [
    ...parameters.filter((each) => each.required === true).map(({ name }) => name),
    ...(body?.required ?? []),
  ];
  const named = (place: string) =>
    parameters.filter((each) => each.in === place).map(({ name }) => name);
  return {
    name: snakeCase(described.operationId),
    operationId: described.operationId,
    title: described.summary,
    group: (described.tags[0] ?? '').toLowerCase().replaceAll(' ', '_'),
    method: method.toUpperCase() as Method,
    path,
    description: withoutScope(described.description),
    effect: effectOf(described),
    ...(effectIf !== undefined && { effectIf }),
    inPath: named('path'),
    inQuery: named('query'),
    hasBody: body !== undefined,
    schema: {
      type: 'object',
      properties: shorten(described.operationId, { ...properties, ...body?.properties }),
      ...(required.length > 0 && { required }),
    },
  } satisfies Operation;
}

export function buildCatalogue(document: OpenApiDocument): string {
  const lines = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !(operationId in absentOperations))
      .map(([method, described]) => JSON.stringify(describe(document, path, method, described))),
  );
  return `[\n${lines.join(',\n')}\n]\n`;
}

if (import.meta.main) {
  const text = buildCatalogue(readDocument());
  writeFileSync(cataloguePath, text);
  process.stdout.write(`${text.split('\n').length - 3} operations, ${text.length} bytes\n`);
}
