/**
 * Choices in answers may get new values (spec §9.2), so their types accept every text and complete the known values. Those
 * in requests are closed: a misspelled value does not compile.
 */

import { type Document, nameOf, operationsOf, queryOf } from './document.ts';

type Json = unknown;
type JsonObject = { readonly [name: string]: Json };
type Schemas = Document['components']['schemas'];

/** A value that stands for every text until the types are generated. */
const anyText = '__any_text__';

export const withOpenTypes = (generated: string): string =>
  generated.replaceAll(JSON.stringify(anyText), '(string & {})');

export function openAnswers(document: Document): Document {
  const { schemas } = document.components;
  const inRequests = namesInRequests(document, schemas);
  const isClosed = (name: string) => inRequests.has(name) && isChoice(schemas[name] ?? {});
  const all = Object.entries(schemas).map(([name, schema]) => [
    name,
    inRequests.has(name) ? schema : opened(schema, isClosed),
  ]);
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(all) as Schemas },
  };
}

function namesInRequests(document: Document, schemas: Schemas): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json): void => {
    for (const name of referencesIn(value)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  for (const { operation } of operationsOf(document)) {
    visit(operation.requestBody?.content);
    visit(queryOf(document, operation).map(({ schema }) => schema));
  }
  return found;
}

function referencesIn(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, Json]) =>
    key === '$ref' && typeof inner === 'string' ? [nameOf(inner)] : referencesIn(inner),
  );
}

function opened(value: Json, isClosed: (name: string) => boolean): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => opened(item, isClosed));
  const schema = value as JsonObject;
  if (isChoice(schema)) return { ...schema, enum: [...schema.enum, anyText] };
  const { $ref } = schema;
  if (typeof $ref === 'string' && isClosed(nameOf($ref)))
    return { anyOf: [schema, { type: 'string', enum: [anyText] }] };
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, opened(inner, isClosed)]),
  );
}

const isChoice = (schema: JsonObject): schema is JsonObject & { readonly enum: readonly Json[] } =>
  schema['type'] === 'string' && Array.isArray(schema['enum']);
