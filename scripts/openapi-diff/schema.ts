/**
 * Compares two JSON schemas as a client of the API would: what it sends (`request`) must still be accepted, and what it
 * reads (`response`) must still be there. Only the keywords that this API's document uses are compared.
 */

import { type Breach, breach, type Direction, type Schema } from './breach.ts';
import { compareInputs, compareTexts, compareTypes } from './values.ts';

/** One schema of the old document and its counterpart in the new one. */
export type Comparison = {
  readonly direction: Direction;
  readonly resolveOld: (schema: Schema) => Schema;
  readonly resolveNew: (schema: Schema) => Schema;
};

/** A schema that contains itself is compared down to this depth. */
const depthMax = 24;

export function compareSchemas(
  comparison: Comparison,
  oldSchema: Schema,
  newSchema: Schema,
  at: string,
  depth = 0,
): Breach[] {
  if (depth > depthMax) return [];
  const before = alternativesOf(comparison.resolveOld(oldSchema), comparison.resolveOld);
  const after = alternativesOf(comparison.resolveNew(newSchema), comparison.resolveNew);
  const compare = (one: Schema, other: Schema) =>
    compareAlternative(comparison, one, other, at, depth);
  return [
    ...compareNull(comparison.direction, before.isNullable, after.isNullable, at),
    ...compareDefaults(comparison, oldSchema, newSchema, at),
    ...matchAlternatives(comparison.direction, before.schemas, after.schemas, compare, at),
  ];
}

type Alternatives = { readonly isNullable: boolean; readonly schemas: readonly Schema[] };

type Resolve = (schema: Schema) => Schema;

/** The members of a union, also of a union within `allOf`, each with the fields of all its parts. */
function membersOf(schema: Schema, resolve: Resolve): readonly Schema[] {
  const membersOfAll = (schemas: readonly Schema[]) =>
    schemas.map((each) => membersOf(resolve(each), resolve));
  const { anyOf, oneOf, ...object } = schema;
  const union = anyOf ?? oneOf;
  // `anyOf` of an object with fields of its own only says which of them it needs.
  if (union !== undefined && schema.properties !== undefined)
    return union.map((rule) => withFieldsOf(object, rule));
  if (union !== undefined) return membersOfAll(union).flat();
  if (schema.allOf === undefined) return [schema];
  return membersOfAll(schema.allOf).reduce((combined, members) =>
    combined.flatMap((one) => members.map((other) => withFieldsOf(one, other))),
  );
}

const withFieldsOf = (one: Schema, other: Schema): Schema => ({
  ...one,
  ...other,
  properties: { ...one.properties, ...other.properties },
  required: [...(one.required ?? []), ...(other.required ?? [])],
});

function alternativesOf(schema: Schema, resolve: Resolve): Alternatives {
  const schemas = membersOf(schema, resolve);
  const nonNull = schemas.filter(({ type }) => type !== 'null');
  return { isNullable: nonNull.length < schemas.length, schemas: nonNull };
}

function compareNull(direction: Direction, before: boolean, after: boolean, at: string): Breach[] {
  if (direction === 'response' && after && !before)
    return [breach('field_nullable', at, 'may now be null')];
  if (direction === 'request' && before && !after)
    return [breach('null_refused', at, 'is no longer accepted as null')];
  return [];
}

function compareDefaults(
  { direction, resolveOld, resolveNew }: Comparison,
  oldSchema: Schema,
  newSchema: Schema,
  at: string,
): Breach[] {
  const before = resolveOld(oldSchema).default;
  const after = resolveNew(newSchema).default;
  if (direction === 'response' || before === undefined || isSame(before, after)) return [];
  const issue = `has the default ${JSON.stringify(after)}, was ${JSON.stringify(before)}`;
  return [breach('default_changed', at, issue)];
}

/** The field whose value says which member of a union an object is: `type` of an event. */
function tagOf(members: readonly Schema[]): string | undefined {
  const [first] = members;
  const isTag = (name: string) =>
    members.every(({ properties }) => properties?.[name]?.const !== undefined);
  const isDistinct = (name: string) =>
    new Set(members.map(({ properties }) => properties?.[name]?.const)).size === members.length;
  if (members.length < 2) return undefined;
  return Object.keys(first?.properties ?? {}).find((name) => isTag(name) && isDistinct(name));
}

/** Members are compared by their tag. A new one is an addition, like a new value (docs/guides/versioning.md). */
function matchTagged(
  tag: string,
  before: readonly Schema[],
  after: readonly Schema[],
  compare: (before: Schema, after: Schema) => Breach[],
  at: string,
): Breach[] {
  const valueOf = ({ properties }: Schema) => properties?.[tag]?.const;
  return before.flatMap((one) => {
    const other = after.find((each) => valueOf(each) === valueOf(one));
    if (other !== undefined) return compare(one, other);
    return [
      breach('value_removed', `${at} ${tag}`, `is no longer ${JSON.stringify(valueOf(one))}`),
    ];
  });
}

/**
 * A request that fitted one of the old alternatives must fit one of the new ones; a response that fits one of the new
 * ones must fit one of the old ones. With one alternative each, the breaches say what differs.
 */
function matchAlternatives(
  direction: Direction,
  before: readonly Schema[],
  after: readonly Schema[],
  compare: (before: Schema, after: Schema) => Breach[],
  at: string,
): Breach[] {
  const [oldOnly] = before;
  const [newOnly] = after;
  if (before.length === 1 && after.length === 1 && oldOnly && newOnly)
    return compare(oldOnly, newOnly);
  const tag = tagOf(before);
  if (tag !== undefined && tagOf(after) === tag)
    return matchTagged(tag, before, after, compare, at);
  const unmatched =
    direction === 'request'
      ? before.filter((one) => !after.some((other) => compare(one, other).length === 0))
      : after.filter((other) => !before.some((one) => compare(one, other).length === 0));
  const issue =
    direction === 'request' ? 'no longer accepts a form that it accepted' : 'may have a new form';
  return unmatched.length === 0 ? [] : [breach('type_changed', at, issue)];
}

function compareAlternative(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  at: string,
  depth: number,
): Breach[] {
  const { direction } = comparison;
  const types = compareTypes(direction, before, after, at);
  if (types.length > 0) return types;
  return [
    ...compareTexts(direction, before, after, at),
    ...(direction === 'request' ? compareInputs(before, after, at) : []),
    ...compareFields(comparison, before, after, at, depth),
    ...compareItems(comparison, before, after, at, depth),
  ];
}

function compareFields(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  at: string,
  depth: number,
): Breach[] {
  const kept = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const place = `${at} ${name}`;
    const other = after.properties?.[name];
    if (other === undefined) return [breach('field_removed', place, 'is gone')];
    return [
      ...compareRequired(comparison.direction, before, after, name, place),
      ...compareSchemas(comparison, schema, other, place, depth + 1),
    ];
  });
  const added = Object.keys(after.properties ?? {})
    .filter((name) => before.properties?.[name] === undefined)
    .flatMap((name) =>
      compareRequired(comparison.direction, before, after, name, `${at} ${name}`, true),
    );
  return [...kept, ...added, ...compareFreeFields(comparison, before, after, at, depth)];
}

function compareRequired(
  direction: Direction,
  before: Schema,
  after: Schema,
  name: string,
  at: string,
  isNew = false,
): Breach[] {
  const was = before.required?.includes(name) === true;
  const is = after.required?.includes(name) === true;
  if (direction === 'request' && is && !was)
    return [breach('field_required', at, 'is now required')];
  if (direction === 'response' && was && !is && !isNew)
    return [breach('field_optional', at, 'may now be absent')];
  return [];
}

/** Maps of a partner's own keys. */
function compareFreeFields(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  at: string,
  depth: number,
): Breach[] {
  const [[oldPattern, oldValue] = []] = Object.entries(before.patternProperties ?? {});
  const [[newPattern, newValue] = []] = Object.entries(after.patternProperties ?? {});
  if (oldPattern === undefined || oldValue === undefined) return [];
  if (newPattern === undefined || newValue === undefined)
    return [breach('type_changed', at, 'is no longer a map')];
  return [
    ...(oldPattern === newPattern || comparison.direction === 'response'
      ? []
      : [breach('format_changed', at, `has keys ${newPattern}, was ${oldPattern}`)]),
    ...compareSchemas(comparison, oldValue, newValue, `${at} *`, depth + 1),
  ];
}

function compareItems(
  comparison: Comparison,
  before: Schema,
  after: Schema,
  at: string,
  depth: number,
): Breach[] {
  if (before.items === undefined || after.items === undefined) return [];
  return compareSchemas(comparison, before.items, after.items, `${at}[]`, depth + 1);
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
