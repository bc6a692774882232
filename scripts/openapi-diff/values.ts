/** Compares single values: their type, format, choice and limits. */

import {
  type Breach,
  breach,
  type Direction,
  type LowerLimit,
  type Schema,
  type UpperLimit,
} from './breach.ts';

const upperLimits: readonly UpperLimit[] = ['maxLength', 'maxItems', 'maximum', 'maxProperties'];
const lowerLimits: readonly LowerLimit[] = ['minLength', 'minItems', 'minimum', 'minProperties'];

/** `const` without a type is a type of its own. */
const typeOf = ({ type, const: only }: Schema): string | undefined => type ?? typeof only;

export function compareTypes(
  direction: Direction,
  before: Schema,
  after: Schema,
  at: string,
): Breach[] {
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  const fits =
    typeOf(narrow) === typeOf(wide) || (typeOf(narrow) === 'integer' && typeOf(wide) === 'number');
  if (fits) return [];
  return [breach('type_changed', at, `is ${typeOf(after) ?? 'anything'}, was ${typeOf(before)}`)];
}

export function compareTexts(
  direction: Direction,
  before: Schema,
  after: Schema,
  at: string,
): Breach[] {
  return (['format', 'pattern'] as const).flatMap((keyword) => {
    const isSafe =
      before[keyword] === after[keyword] ||
      // A request may lose a rule, a response may get one.
      (direction === 'request' ? after[keyword] === undefined : before[keyword] === undefined);
    if (isSafe) return [];
    const issue = `has the ${keyword} ${after[keyword] ?? '(none)'}, was ${before[keyword] ?? '(none)'}`;
    return [breach('format_changed', at, issue)];
  });
}

/** What a request may contain: values and limits. A response may get new values (docs/guides/versioning.md). */
export function compareInputs(before: Schema, after: Schema, at: string): Breach[] {
  const accepted = valuesOf(after);
  const lost = (valuesOf(before) ?? []).filter((value) => accepted?.includes(value) === false);
  const isNowLimited = valuesOf(before) === undefined && accepted !== undefined;
  const narrowed = [
    ...upperLimits.filter((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)),
    ...lowerLimits.filter((name) => (after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
  ];
  return [
    ...lost.map((value) => breach('value_removed', at, `no longer accepts ${value}`)),
    ...(isNowLimited ? [breach('value_removed', at, `accepts only ${accepted.join(', ')}`)] : []),
    ...narrowed.map((name) =>
      breach(
        'limit_narrowed',
        at,
        `has ${name} ${after[name]}, was ${before[name] ?? 'unlimited'}`,
      ),
    ),
    ...(after.uniqueItems === true && before.uniqueItems !== true
      ? [breach('limit_narrowed', at, 'no longer accepts repeated items')]
      : []),
  ];
}

function valuesOf({ enum: values, const: only }: Schema): readonly string[] | undefined {
  const known = values ?? (only === undefined ? undefined : [only]);
  return known?.map((value) => JSON.stringify(value));
}
