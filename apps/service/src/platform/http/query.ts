/**
 * Validates queries against their TypeBox schemas (contract §1, §7). A refusal names the parameter and what it accepts,
 * which is derived from its schema: a sentence about the keyword that failed would show partners a regular expression.
 */

import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { didYouMean } from '../../kernel/near-name.ts';
import { Problem } from '../../kernel/problem.ts';
import { fieldOf } from './field-path.ts';
import { issueOf as issueOfSchema, rangeOf } from './issues.ts';
import { asObjectSchema, type ObjectSchema } from './schema.ts';
import { compileTextRules } from './text-rules.ts';
import { onePerField, summary, type Validate } from './validation.ts';

type Query = Readonly<Record<string, unknown>>;

export function compileQuery(schema: unknown): Validate {
  const shape = asObjectSchema(schema);
  const checker = Compile(shape);
  const normalizeTexts = compileTextRules(shape);
  return (query) => {
    const value = convertIntegers(shape, query as Query);
    const badTexts = normalizeTexts(value);
    if (checker.Check(value) && badTexts.length === 0) return { value };
    // TypeBox reports surplus parameters once more, all of them together.
    const errors = checker.Errors(value).filter(({ instancePath }) => instancePath !== '');
    const details = onePerField([
      ...badTexts,
      ...errors.map((error) => ({
        field: fieldOf(error.instancePath),
        issue: issueOf(shape, value, error),
      })),
    ]);
    return { error: new Problem('invalid_parameter', summary(details, 'parameter'), { details }) };
  };
}

/** A query has only texts: converts those that the schema declares as integers and that are written as one. */
function convertIntegers(shape: ObjectSchema, query: Query): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      const isDeclared = shape.properties[name]?.type === 'integer';
      const isInteger = /^-?\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value));
      return [name, isDeclared && isInteger ? Number(value) : value];
    }),
  );
}

/** The pointer of an error names the parameter. */
const parameterOf = ({ instancePath }: TLocalizedValidationError): string =>
  instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');

function issueOf(shape: ObjectSchema, query: Query, error: TLocalizedValidationError): string {
  const name = parameterOf(error);
  const schema = Object.hasOwn(shape.properties, name) ? shape.properties[name] : undefined;
  if (schema === undefined) return issueOfUnknown(name, Object.keys(shape.properties));
  if (Array.isArray(query[name])) return 'is sent more than once; send it once';
  // Every value of a query is a text, so that it is no integer says less than the range.
  if (schema.type === 'integer') return `must be a whole number ${rangeOf(schema)}`;
  return issueOfSchema({ error, node: schema, choices: [schema], value: query[name] });
}

function issueOfUnknown(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'is not a parameter of this request, which has none; remove it';
  const near = didYouMean(name, names);
  return `is not a parameter of this request; its parameters are: ${names.join(', ')}${near}`;
}
