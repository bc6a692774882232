/**
 * Validates bodies against their TypeBox schemas. A refusal names every missing field at once (spec §7). Details are
 * bounded, because all errors of a hostile body would be megabytes; missing fields that are not listed are counted.
 */

import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import { didYouMean } from '../../kernel/near-name.ts';
import {
  Problem,
  type ProblemCode,
  sentenceOf,
  type Violation,
  violationsMax,
} from '../../kernel/problem.ts';
import { compileBodyRules, type FindRuleViolations } from './body-rules.ts';
import { fieldOf, join } from './field-path.ts';
import { registerFormats } from './formats.ts';
import { exampleOf, issueOf, type SchemaNode } from './issues.ts';
import { notAnObject } from './json-body.ts';
import {
  type AlsoRequired,
  asObjectSchema,
  type InnerSchema,
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
  const findRuleViolations = compileBodyRules(shape);
  return (body) => {
    const value = body ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) {
      return {
        error: new Problem(
          'invalid_field',
          'The body must be a JSON object. Send one, for example {}.',
          {
            details: notAnObject,
          },
        ),
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
    const errors = checker.Errors(value);
    return { error: bodyProblem({ shape, value, missing, badTexts, errors, findRuleViolations }) };
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
      const issue = `is required${exampleOf(schema.properties[name] ?? {})}`;
      missing.listed.push({ field: join(at, name), issue });
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

type RefusedBody = {
  readonly shape: ObjectSchema;
  readonly value: object;
  readonly missing: Missing;
  readonly badTexts: readonly Violation[];
  readonly errors: readonly TLocalizedValidationError[];
  readonly findRuleViolations: FindRuleViolations;
};

/** Of every resource: the service sets them. */
const timeFields = new Set(['created_at', 'updated_at']);

function bodyProblem(refused: RefusedBody): Problem {
  const { shape, value, missing, badTexts, errors } = refused;
  const isUnknownField = (error: TLocalizedValidationError) =>
    isSurplus(error) && !hasFreeKeys(shape, error.schemaPath);
  const readOnly = shape['x-read-only'] ?? [];
  const extra = errors.filter(isUnknownField).map((error) => ({
    field: fieldOf(error.instancePath),
    issue: unknownIssue(shape, error),
  }));
  // For an item of a list, `tracks[3].id`, only the field's own name is compared.
  const isReadOnly = ({ field }: Violation) => {
    const name = field.replace(/^\w+\[\d+\]\./, '');
    return timeFields.has(name) || readOnly.includes(name);
  };
  const fixed = extra
    .filter(isReadOnly)
    .map(({ field }) => ({ field, issue: 'cannot be set by this request; remove it' }));
  const unknown = extra.filter((violation) => !isReadOnly(violation));
  const values = onePerField([
    ...badTexts,
    ...toViolations(
      shape,
      value,
      errors.filter((error) => error.keyword !== 'required' && !isUnknownField(error)),
    ),
  ]);
  const details = [...missing.listed, ...unknown, ...fixed, ...values];
  const all = [...details, ...ruleViolations(refused, details)].slice(0, violationsMax);
  const code = codeOf([
    ['missing_required_field', missing.listed],
    ['unknown_field', unknown],
    ['read_only_field', fixed],
  ]);
  const unlisted = missing.count - missing.listed.length;
  const more = unlisted > 0 ? ` ${unlisted} more missing fields are not listed.` : '';
  return new Problem(code, `${summary(all, 'field')}${more}`, { details: all });
}

/** For the fields that the schema accepts. If it reports no more errors, a field without one may still be refused. */
function ruleViolations(
  { value, errors, findRuleViolations }: RefusedBody,
  details: readonly Violation[],
): Violation[] {
  if (errors.length >= violationsMax) return [];
  const fields = [...details, ...errors.map((error) => ({ field: fieldOf(error.instancePath) }))];
  const refused = new Set(fields.flatMap(({ field }) => withParents(field)));
  return findRuleViolations(value, (field) => refused.has(field));
}

/** `tracks[3].isrc`, `tracks[3]`, `tracks`, and the empty path of the body. */
function withParents(field: string): string[] {
  const paths = [field];
  for (let path = field; path !== ''; paths.push(path)) {
    path = path.slice(0, Math.max(0, path.lastIndexOf('.'), path.lastIndexOf('[')));
  }
  return paths;
}

/** The near miss among the fields of the same object. */
function unknownIssue(shape: ObjectSchema, { instancePath, schemaPath }: SchemaError): string {
  const parent = schemaAt(shape, schemaPath.split('/').slice(1, -1));
  const name = instancePath.slice(instancePath.lastIndexOf('/') + 1);
  const near = didYouMean(name, Object.keys(parent?.properties ?? {}));
  return near === ''
    ? 'is not a known field; remove it, or check its spelling'
    : `is not a known field${near}`;
}

/** The first kind that has violations names the problem. */
const codeOf = (kinds: readonly (readonly [ProblemCode, readonly unknown[]])[]): ProblemCode =>
  kinds.find(([, found]) => found.length > 0)?.[0] ?? 'invalid_field';

/** For a map of the partner's own keys: a key that breaks its pattern is an invalid value, not an unknown field. */
function hasFreeKeys(shape: ObjectSchema, schemaPath: string): boolean {
  const parent = schemaAt(shape, schemaPath.split('/').slice(1, -1));
  return parent !== undefined && 'patternProperties' in parent;
}

type SchemaError = Pick<TLocalizedValidationError, 'instancePath' | 'schemaPath'>;

const schemaAt = (shape: ObjectSchema, path: readonly string[]): SchemaNode | undefined =>
  path.reduce<unknown>(
    (schema, name) => (schema as Record<string, unknown> | undefined)?.[name],
    shape,
  ) as SchemaNode | undefined;

/** TypeBox reports `false` for each additional property, then all of them once more together. */
const isSurplus = ({ keyword, schemaPath }: TLocalizedValidationError): boolean =>
  keyword === 'boolean' && schemaPath.endsWith('/additionalProperties');

/** TypeBox reports every branch of a union, and then that no branch fits. */
const isRedundant = (error: TLocalizedValidationError): boolean =>
  error.keyword === 'additionalProperties' || error.keyword === 'anyOf';

function toViolations(
  shape: ObjectSchema,
  body: object,
  errors: readonly TLocalizedValidationError[],
): Violation[] {
  return errors
    .filter((error) => !isRedundant(error))
    .flatMap((error): Violation[] => {
      const path = error.schemaPath.split('/').slice(1);
      const node = schemaAt(shape, path) ?? {};
      const union = path.at(-2) === 'anyOf' ? schemaAt(shape, path.slice(0, -2)) : undefined;
      const choices = union?.anyOf ?? [node];
      const value = valueAt(body, error.instancePath);
      // Another branch expects a value of this type, and reports what is wrong with it.
      if (error.keyword === 'type' && choices.some((each) => each.type === typeOf(value)))
        return [];
      const field = fieldOf(error.instancePath);
      if (error.keyword === 'boolean') return [{ field, issue: keyIssue(shape, path) }];
      const example = { examples: union?.examples, ...node } as SchemaNode;
      return [{ field, issue: issueOf({ error, node: example, choices, value }) }];
    });
}

/** In a map of the partner's own keys. */
function keyIssue(shape: ObjectSchema, path: readonly string[]): string {
  const expected = schemaAt(shape, path.slice(0, -1))?.['x-expects-key'];
  return expected === undefined
    ? 'is not an allowed key; remove it'
    : `is not an allowed key; a key must be ${expected}`;
}

const valueAt = (body: object, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      body,
    );

/** In the words of JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** The first violation of each field. */
export const onePerField = (violations: readonly Violation[]): Violation[] => {
  const byField = new Map<string, Violation>();
  for (const each of violations) if (!byField.has(each.field)) byField.set(each.field, each);
  return [...byField.values()];
};

/** The first violation, and how many more there are. */
export function summary(details: readonly Violation[], noun: 'field' | 'parameter'): string {
  const [first] = details;
  if (first === undefined) return `A ${noun} is not valid.`;
  const rest = details.length - 1;
  const more = rest === 1 ? 'One more problem is' : `${rest} more problems are`;
  return rest === 0 ? sentenceOf(first) : `${sentenceOf(first)} ${more} listed in details.`;
}
