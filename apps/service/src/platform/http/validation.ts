/**
 * Validates bodies against their TypeBox schemas. A refusal names every missing field at once (spec §7). Details are
 * bounded, because all errors of a hostile body would be megabytes; missing fields that are not listed are counted.
 */

import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { Problem, type ProblemCode, type Violation, violationsMax } from '../../kernel/problem.ts';
import { fieldOf, join } from './field-path.ts';
import { issueOfFormat, registerFormats } from './formats.ts';
import { notAnObject } from './json-body.ts';
import {
  type AlsoRequired,
  asObjectSchema,
  type InnerSchema,
  notBlank,
  type ObjectSchema,
} from './schema.ts';
import { compileTextRules } from './text-rules.ts';

Settings.Set({ maxErrors: violationsMax });
registerFormats();

export type Validate = (value: unknown) => { value: unknown } | { error: Error };

export function compileBody(schema: unknown): Validate {
  const shape = asObjectSchema(schema);
  const checker = Compile(shape);
  const normalizeTexts = compileTextRules(shape);
  return (body) => {
    const value = body ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      return {
        error: new Problem('invalid_field', 'The body must be a JSON object.', {
          details: notAnObject,
        }),
      };
    }
    const badTexts = normalizeTexts(value);
    const isValid = checker.Check(value) && badTexts.length === 0;
    // Narrowed above: an object that is not a list.
    const also = shape['x-also-required']?.(value as Record<string, unknown>);
    if (isValid && also === undefined) return { value };
    const missing: Missing = { listed: [], count: 0 };
    collectMissing(requiring(shape, also), value, '', missing);
    if (isValid && missing.count === 0) return { value };
    return { error: bodyProblem(shape, missing, badTexts, checker.Errors(value)) };
  };
}

/** `count` includes those that are not listed. */
type Missing = { readonly listed: Violation[]; count: number };

/** The schema whose lists require the fields of `also` of their entries. */
function requiring(shape: ObjectSchema, also: ReturnType<AlsoRequired> = {}): ObjectSchema {
  const lists = Object.entries(also).map(([name, fields]) => {
    const list = shape.properties[name];
    const items = asObjectSchema(list?.items);
    return [
      name,
      { ...list, items: { ...items, required: [...(items.required ?? []), ...fields] } },
    ];
  });
  return { ...shape, properties: { ...shape.properties, ...Object.fromEntries(lists) } };
}

function collectMissing(schema: ObjectSchema, value: object, at: string, missing: Missing): void {
  for (const name of [...alternativesOf(schema, value), ...(schema.required ?? [])]) {
    if (Object.hasOwn(value, name)) continue;
    missing.count++;
    if (missing.listed.length < violationsMax) {
      missing.listed.push({ field: join(at, name), issue: 'is required' });
    }
  }
  for (const [name, inner] of Object.entries(schema.properties)) {
    const holder = (value as Record<string, unknown>)[name];
    const itemSchema = itemSchemaOf(inner, holder);
    if (itemSchema === undefined) continue;
    const path = join(at, name);
    for (const [key, item] of entriesOf(holder)) {
      if (typeof item === 'object' && item !== null) {
        const itemPath = typeof key === 'number' ? `${path}[${key}]` : join(path, key);
        collectMissing(itemSchema, item, itemPath, missing);
      }
    }
  }
}

const entriesOf = (holder: unknown): Iterable<[string | number, unknown]> =>
  Array.isArray(holder) ? holder.entries() : Object.entries(holder ?? {});

/** The schema of the objects in a list, or in a map of the partner's own keys. */
function itemSchemaOf(inner: InnerSchema, holder: unknown): ObjectSchema | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  const { items, patternProperties = {} } =
    inner.anyOf?.find(({ type }) => type !== 'null') ?? inner;
  const [schema] = Array.isArray(holder) ? [items] : Object.values(patternProperties);
  return schema !== undefined && 'properties' in schema ? asObjectSchema(schema) : undefined;
}

/** Where a value has the fields of no alternative, those of the first one are missing. */
function alternativesOf({ anyOf = [] }: ObjectSchema, value: object): readonly string[] {
  const isComplete = anyOf.some(({ required }) =>
    required.every((name) => Object.hasOwn(value, name)),
  );
  return isComplete ? [] : (anyOf[0]?.required ?? []);
}

function bodyProblem(
  shape: ObjectSchema,
  missing: Missing,
  badTexts: readonly Violation[],
  errors: readonly TLocalizedValidationError[],
): Problem {
  const isUnknownField = (error: TLocalizedValidationError) =>
    isSurplus(error) && !hasFreeKeys(shape, error.schemaPath);
  const readOnly = shape['x-read-only'] ?? [];
  const extra = errors.filter(isUnknownField).map(({ instancePath }) => fieldOf(instancePath));
  // For an item of a list, `tracks[3].id`, only the field's own name is compared.
  const isReadOnly = (field: string) => readOnly.includes(field.replace(/^\w+\[\d+\]\./, ''));
  const fixed = extra.filter(isReadOnly);
  const unknown = extra.filter((field) => !isReadOnly(field));
  const details = [
    ...missing.listed,
    ...unknown.map((field) => ({ field, issue: 'is not a known field' })),
    ...fixed.map((field) => ({ field, issue: 'cannot be set here' })),
    ...onePerField([
      ...badTexts,
      ...toViolations(
        shape,
        errors.filter((error) => error.keyword !== 'required' && !isUnknownField(error)),
      ),
    ]),
  ].slice(0, violationsMax);
  const code = codeOf([
    ['missing_required_field', missing.listed],
    ['unknown_field', unknown],
    ['read_only_field', fixed],
  ]);
  const unlisted = missing.count - missing.listed.length;
  const more = unlisted > 0 ? ` ${unlisted} more missing fields are not listed.` : '';
  return new Problem(code, `${summary(details, 'field')}${more}`, { details });
}

/** The first kind that has violations names the problem. */
const codeOf = (kinds: readonly (readonly [ProblemCode, readonly unknown[]])[]): ProblemCode =>
  kinds.find(([, found]) => found.length > 0)?.[0] ?? 'invalid_field';

/** For a map of the partner's own keys: a key that breaks its pattern is an invalid value, not an unknown field. */
function hasFreeKeys(shape: ObjectSchema, schemaPath: string): boolean {
  const parent = schemaAt(shape, schemaPath.split('/').slice(1, -1));
  return parent !== undefined && 'patternProperties' in parent;
}

type SchemaNode = Readonly<Record<string, unknown>>;

const schemaAt = (shape: ObjectSchema, path: readonly string[]): SchemaNode | undefined =>
  path.reduce<SchemaNode | undefined>((schema, name) => schema?.[name] as SchemaNode | undefined, {
    ...shape,
  });

/** TypeBox reports `false` for each additional property, then all of them once more together. */
const isSurplus = ({ keyword, schemaPath }: TLocalizedValidationError): boolean =>
  keyword === 'boolean' && schemaPath.endsWith('/additionalProperties');

/** For a nullable field TypeBox also reports that it is not null, and that no branch fits. */
const isRedundant = (error: TLocalizedValidationError): boolean =>
  error.keyword === 'additionalProperties' ||
  error.keyword === 'anyOf' ||
  (error.keyword === 'type' && error.params.type === 'null');

const toViolations = (
  shape: ObjectSchema,
  errors: readonly TLocalizedValidationError[],
): Violation[] =>
  errors
    .filter((error) => !isRedundant(error))
    .map((error) => ({
      field: fieldOf(error.instancePath),
      issue: [issueOf(error), ...curesOf(shape, error)].join('; '),
    }));

/** What to send instead, where the schema says so (`x-cure`). */
function curesOf(shape: ObjectSchema, { schemaPath }: TLocalizedValidationError): string[] {
  const cure = schemaAt(shape, schemaPath.split('/').slice(1))?.['x-cure'];
  return typeof cure === 'string' ? [cure] : [];
}

/** The first violation of each field. */
export const onePerField = (violations: readonly Violation[]): Violation[] => {
  const byField = new Map<string, Violation>();
  for (const each of violations) if (!byField.has(each.field)) byField.set(each.field, each);
  return [...byField.values()];
};

function issueOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of: ${error.params.allowedValues.join(', ')}`;
    case 'const':
      return `must be ${String(error.params.allowedValue)}`;
    case 'format':
      return issueOfFormat(error.params.format);
    case 'boolean':
      return 'is not a key that is allowed here';
    case 'minLength':
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : error.message;
    case 'pattern':
      return error.params.pattern === notBlank ? 'must not be blank' : error.message;
    default:
      return error.message;
  }
}

export function summary(details: readonly Violation[], noun: 'field' | 'parameter'): string {
  const [first] = details;
  if (first === undefined) return `A ${noun} is not valid.`;
  const rest = details.length - 1;
  return `${first.field} ${first.issue}${rest > 0 ? `, and ${rest} more in details` : ''}.`;
}
