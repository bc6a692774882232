/** Wrong values for the bodies of requests, made from the schemas of the OpenAPI document. */

export type Json = unknown;
type JsonObject = { readonly [name: string]: Json };
export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly patternProperties?: { readonly [pattern: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
};
type Schemas = { readonly [name: string]: Schema };

/** A body with one mistake, and what it is. */
export type Mistake = { readonly what: string; readonly body: Json };

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The bodies that differ from a right one in one value: of another type, misspelled, missing, or of no field. */
export function mistakesIn(right: Json, schema: Schema, schemas: Schemas): readonly Mistake[] {
  const alternatives = alternativesOf(schema, schemas);
  if (isObject(right)) {
    const object = alternatives.find((each) => fits(right, each));
    return object === undefined ? [] : mistakesInObject(right, object, schemas);
  }
  if (Array.isArray(right)) {
    const items = alternatives.find(({ type }) => type === 'array')?.items;
    const [first, ...others] = right as readonly Json[];
    if (items === undefined) return [];
    const values =
      first === undefined ? wrongValues(items, schemas) : mistakesIn(first, items, schemas);
    return values.map(({ what, body }) => ({ what: `[0]${what}`, body: [body, ...others] }));
  }
  return wrongValues(schema, schemas);
}

function mistakesInObject(right: JsonObject, object: Schema, schemas: Schemas): readonly Mistake[] {
  const { properties = {}, required = [], additionalProperties } = object;
  const inFields = Object.entries(properties).flatMap(([name, field]) =>
    [
      ...wrongValues(field, schemas),
      ...(name in right ? mistakesIn(right[name], field, schemas) : []),
    ].map(({ what, body }): Mistake => ({
      what: `.${name}${what}`,
      body: { ...right, [name]: body },
    })),
  );
  const missing = required.map((name): Mistake => {
    const { [name]: _left, ...body } = right;
    return { what: `.${name} is missing`, body };
  });
  const unknown = { what: '.no_such_field', body: { ...right, no_such_field: true } };
  return [
    ...inFields,
    ...missing,
    ...(additionalProperties === false && object.properties ? [unknown] : []),
  ];
}

/** Values that fit no alternative. A schema without a type takes everything. */
function wrongValues(schema: Schema, schemas: Schemas): readonly Mistake[] {
  const alternatives = alternativesOf(schema, schemas);
  const types = new Set(alternatives.map(({ type }) => type));
  if (types.has(undefined)) return [];
  const isChoice = alternatives.every(
    (each) => each.type !== 'string' || each.const !== undefined || each.enum !== undefined,
  );
  return [
    ...(types.has('string') ? [] : [{ what: ' is a text', body: 'text' }]),
    ...(types.has('string') && isChoice ? [{ what: ' is misspelled', body: 'no such value' }] : []),
    ...(types.has('integer') || types.has('number') ? [] : [{ what: ' is a number', body: 42 }]),
    ...(types.has('array') ? [{ what: ' is a list of lists', body: [[]] }] : []),
  ];
}

function alternativesOf(schema: Schema, schemas: Schemas): readonly Schema[] {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined)
    return alternativesOf(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}, schemas);
  return (anyOf ?? oneOf)?.flatMap((each) => alternativesOf(each, schemas)) ?? [schema];
}

/** The alternative of a union that an object is: all its fields, and the values of those that say which it is. */
const fits = (
  value: JsonObject,
  { type, properties, patternProperties, required = [] }: Schema,
): boolean =>
  type === 'object' &&
  required.every((name) => name in value) &&
  (patternProperties !== undefined ||
    Object.keys(value).every(
      (name) =>
        properties?.[name] !== undefined &&
        (properties[name].const === undefined || properties[name].const === value[name]),
    ));
