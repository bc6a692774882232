/**
 * The shared parts of the OpenAPI document. A schema with a title, a header, a parameter or an error answer is written
 * once and referenced by its name.
 *
 * Requests are closed: an unknown field is refused. Answers are open: a client must accept fields that it does not know
 * (spec §9.2). A schema that is used in both has two components; the name of the one for requests ends in `Input`. A
 * choice of values is the same in both, and has one.
 */

import type { TSchema } from 'typebox';

export type Json = Record<string, unknown>;
type Direction = 'request' | 'answer';
type Section = 'headers' | 'parameters' | 'responses' | 'examples';

export type Components = {
  readonly schema: (schema: unknown, direction: Direction) => unknown;
  /** Returns the reference to a part that is written once. */
  readonly shared: (section: Section, name: string, value: Json) => Json;
  /** The titles of schemas that are used in requests and in answers. */
  readonly usedInBoth: () => ReadonlySet<string>;
  readonly toJson: () => Json;
};

/** `usedInBoth` comes from a first pass over the document, for which it is empty. */
export function createComponents(usedInBoth: ReadonlySet<string>): Components {
  const titles: Record<Direction, Set<string>> = { request: new Set(), answer: new Set() };
  const sections = {
    headers: new Map<string, Json>(),
    parameters: new Map<string, Json>(),
    responses: new Map<string, Json>(),
    examples: new Map<string, Json>(),
    schemas: new Map<string, Json>(),
  };
  const addSchema = (direction: Direction, title: string, schema: Json): Json => {
    if (schema['enum'] === undefined) titles[direction].add(title);
    const isInput = direction === 'request' && usedInBoth.has(title);
    return add('schemas', isInput ? `${title}Input` : title, schema);
  };
  const add = (section: keyof typeof sections, name: string, value: Json): Json => {
    const known = sections[section].get(name);
    // In the first pass, a schema for requests and one for answers still have the same name.
    const mayDiffer = section === 'schemas' && usedInBoth.size === 0;
    if (known !== undefined && !mayDiffer && JSON.stringify(known) !== JSON.stringify(value)) {
      throw new Error(`two ${section} of the OpenAPI document are called ${name}`);
    }
    sections[section].set(name, value);
    return { $ref: `#/components/${section}/${name}` };
  };
  return {
    schema: (schema, direction) =>
      hoist(schema, direction, (title, each) => addSchema(direction, title, each)),
    shared: add,
    usedInBoth: () => new Set([...titles.request].filter((title) => titles.answer.has(title))),
    toJson: () =>
      Object.fromEntries(
        Object.entries(sections).map(([section, parts]) => [
          section,
          Object.fromEntries([...parts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
        ]),
      ),
  };
}

/** Read by validation and redaction only. */
const validationKeywords = new Set([
  'x-read-only',
  'x-also-required',
  'x-text',
  'x-cure',
  'x-expects',
  'x-expects-key',
  'x-rule',
  'x-secret',
  'x-documented-as',
  'x-description-here',
]);
/** Their values are schemas, or lists of schemas. */
const schemaKeywords = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties']);
/** Their values are schemas by name. */
const mapKeywords = new Set(['properties', 'patternProperties']);

type AddSchema = (title: string, schema: Json) => Json;

function hoist(schema: unknown, direction: Direction, addSchema: AddSchema): unknown {
  if (Array.isArray(schema))
    return schema.map((each: unknown) => hoist(each, direction, addSchema));
  if (typeof schema !== 'object' || schema === null) return schema;
  const documented = (schema as Json)['x-documented-as'];
  if (documented !== undefined && direction === 'request') {
    return hoist(documented, direction, addSchema);
  }
  const inner = (value: unknown) => hoist(value, direction, addSchema);
  const entries = Object.entries(schema)
    .filter(([key, value]) => !validationKeywords.has(key) && !isClosing(direction, key, value))
    .map(([key, value]: [string, unknown]) => {
      if (schemaKeywords.has(key)) return [key, inner(value)];
      return [key, mapKeywords.has(key) ? mapValues(value as Json, inner) : value];
    });
  const copy = mapAlternatives(schema as Json, describeUnion(Object.fromEntries(entries) as Json));
  const { title } = copy;
  if (typeof title !== 'string') return copy;
  const description = (schema as Json)['x-description-here'];
  return { ...addSchema(title, copy), ...(description !== undefined && { description }) };
}

/** The schema of an answer as the document describes it, but whole: without references to components. */
export const wholeSchema = (schema: TSchema): Json =>
  hoist(schema, 'answer', (_title, each) => each) as Json;

const mapValues = (values: Json, toValue: (value: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toValue(value)]));

const closingKeywords = new Set(['additionalProperties', 'unevaluatedProperties']);

const isClosing = (direction: Direction, key: string, value: unknown): boolean =>
  direction === 'answer' && closingKeywords.has(key) && value === false;

/** Names the component of each alternative by the value that tells them apart. */
function mapAlternatives({ oneOf: alternatives }: Json, copy: Json): Json {
  const { oneOf, discriminator } = copy;
  if (!Array.isArray(oneOf) || discriminator === undefined) return copy;
  const { propertyName } = discriminator as { propertyName: string };
  const values = (alternatives as readonly { properties: Record<string, Json> }[]).map(
    ({ properties }) => String(properties[propertyName]?.['const']),
  );
  const mapping = Object.fromEntries(
    (oneOf as readonly Json[]).map(({ $ref }, i) => [values[i], $ref]),
  );
  return { ...copy, discriminator: { propertyName, mapping } };
}

/** The description of a value that may be null stands beside `anyOf`, where generators find it. */
function describeUnion(schema: Json): Json {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const members = anyOf as readonly Json[];
  const [described, ...more] = members.filter(({ description }) => description !== undefined);
  if (described === undefined || more.length > 0 || schema['description'] !== undefined)
    return schema;
  const { description, examples, ...rest } = described;
  return {
    description,
    ...(examples !== undefined && { examples }),
    ...schema,
    anyOf: members.map((member) => (member === described ? rest : member)),
  };
}
