/** Generates values that fit a schema of the OpenAPI document. */

import fc, { type Arbitrary } from 'fast-check';

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
};

/** Short enough to send tens of thousands. */
const textMax = 60;
const listMax = 4;

export function arbitraryOf(schema: Schema, resolve: (ref: string) => Schema): Arbitrary<unknown> {
  const generated = generatedOf(schema, resolve);
  if (schema.examples === undefined) return generated;
  // Examples also pass the rules that a schema cannot express: a check digit, a country that exists.
  return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...schema.examples) }, generated);
}

function generatedOf(schema: Schema, resolve: (ref: string) => Schema): Arbitrary<unknown> {
  const inner = (each: Schema) => arbitraryOf(each, resolve);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined && schema.type === undefined) {
    return fc.oneof(...alternatives.map(inner));
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -5,
        max: Math.min(schema.maximum ?? 200, 2 ** 31 - 1),
      });
    case 'number':
      return fc.double();
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: listMax,
      });
    case 'object':
      return objectOf(schema, inner);
    default:
      throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
  }
}

function textOf({
  format,
  pattern,
  minLength = 0,
  maxLength = textMax,
}: Schema): Arbitrary<string> {
  const day = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2090-01-01'),
    noInvalidDate: true,
  });
  if (format === 'date') return day.map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return day.map((date) => date.toISOString());
  if (format === 'uuid') return fc.uuid({ version: 4 });
  // "\S" requires one visible character, which most generated texts have.
  if (pattern !== undefined && pattern !== '\\S') return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, textMax), unit: 'grapheme' });
}

function objectOf(schema: Schema, inner: (each: Schema) => Arbitrary<unknown>): Arbitrary<unknown> {
  const { anyOf, ...plain } = schema;
  const { properties = {}, patternProperties = {}, required = [] } = plain;
  // Of an object with alternatives, the fields of one of them.
  if (anyOf !== undefined) {
    const complete = anyOf.map((each) => [...required, ...(each.required ?? [])]);
    return fc.oneof(...complete.map((names) => objectOf({ ...plain, required: names }, inner)));
  }
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
    { requiredKeys: required.filter((name) => name in properties) },
  );
  const [more] = Object.entries(patternProperties);
  if (more === undefined) return known;
  const [pattern, each] = more;
  return fc.dictionary(fc.stringMatching(new RegExp(pattern)), inner(each), { maxKeys: listMax });
}
